/** A receiver of traces, as a collector is: OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */

import { z } from "zod";

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
]);
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string(),
  name: z.string(),
  kind: z.int(),
  status: z.object({ code: z.int() }),
  attributes: z.array(z.object({ key: z.string(), value: valueSchema }))
    .transform((attributes) => Object.fromEntries(attributes.map(({ key, value }) => [key, value]))),
});
const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

/** A span as it was exported; `kind` counts from 1: internal, server, client, producer, consumer. */
export type ExportedSpan = z.output<typeof spanSchema>;

/** Takes what a service exports. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ExportedSpan[] = [];
  /** All that came, as it came. */
  text = "";
  #arrived = Promise.withResolvers<void>();
  readonly #server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.text();
    this.text += body;
    try {
      if (new URL(request.url).pathname === "/v1/traces") this.#take(JSON.parse(body));
    } catch (error) {
      this.#arrived.reject(error);
    }
    return Response.json({});
  });

  /** The variables that have a service export to here. */
  get env(): Record<string, string> {
    return {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "50",
    };
  }

  /** Resolves with the spans of a trace when it has `count`. */
  async until(traceId: string, count: number): Promise<ExportedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (spans.length >= count) return spans;
      await this.#arrived.promise;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #take(body: unknown): void {
    const { resourceSpans } = exportSchema.parse(body);
    this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }
}
