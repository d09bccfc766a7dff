/** Answers a request. */
export type Handler = (request: Request, info?: Deno.ServeHandlerInfo) => Response | Promise<Response>;

/** A handler that can be brought to rest. */
export interface DrainingHandler {
  readonly fetch: Handler;
  /** From now on new requests get `refuse()`'s answer; resolves when those under way are answered. */
  drain(): Promise<void>;
}

/**
 * Counts the requests that `handler` has under way, so that a stop can wait for them. A server's own shutdown does not
 * do: it cuts off the bodies that are still being read (Deno 2.9).
 */
export function drainingHandler(handler: Handler, refuse: () => Response): DrainingHandler {
  let underWay = 0;
  let draining = false;
  const drained = Promise.withResolvers<void>();
  return {
    async fetch(request, info) {
      if (draining) return refuse();
      underWay++;
      try {
        return await handler(request, info);
      } finally {
        underWay--;
        if (draining && underWay === 0) drained.resolve();
      }
    },
    drain() {
      draining = true;
      if (underWay === 0) drained.resolve();
      return drained.promise;
    },
  };
}
