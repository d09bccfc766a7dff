# Inlet in a container: `docker build -t inlet .`, or with a RabbitMQ beside it: `docker compose up`. See docs/running.md.

FROM denoland/deno:2.9.6 AS build
WORKDIR /src
COPY . .
# What `assemble` downloads is kept between builds; the image gets what the program imports, in the versions of deno.lock.
RUN --mount=type=cache,target=/deno-dir deno install --frozen --quiet && deno task assemble /app

FROM denoland/deno:2.9.6
COPY --from=build /app /app
# `inlet` is found by what is run in the container, too: `docker compose exec inlet inlet doctor`.
RUN mkdir --mode=0700 /data && chown deno:deno /data && ln -s /app/inlet /usr/local/bin/inlet
USER deno
WORKDIR /data
VOLUME /data
ENV HOST=0.0.0.0 KV_PATH=/data/inlet.sqlite3
EXPOSE 3200
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 CMD ["/app/inlet", "healthy"]
# Not through a shell or the base image's tini: the script becomes the service, which gets the signals itself.
ENTRYPOINT ["/app/inlet"]
