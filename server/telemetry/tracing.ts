import {
  type Attributes,
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import { getLogger } from "@logtape/logtape";
import type { SerializedEvent } from "../deps.ts";

/** Traces of what the service does. Nothing in them is a secret, a payload, or what a sender wrote. */
export interface Tracing {
  /** Begins the trace of a delivery, or goes on with the sender's, of which the header `traceparent` tells. */
  delivery(
    delivery: { readonly id: string; readonly workspaceId: string; readonly connectorId: string },
    headers: Headers,
  ): DeliveryTrace;
}

/** The trace of one delivery: a span for all of it, and one for each step. */
export interface DeliveryTrace {
  /** Begins a step; the one before has ended. */
  step(name: "verify" | "normalize"): void;
  /** Begins the publishing of events, and gives them with the trace that their messages are to carry on. */
  publish(events: readonly SerializedEvent[]): readonly SerializedEvent[];
  /** Ends the trace with the status of the answer, and the kind of problem if it was one. */
  end(status: number, problem?: string): void;
}

const log = getLogger(["inlet", "traces"]);

/** `traceparent` of version 00, or of a later one that begins as it: https://www.w3.org/TR/trace-context/#versioning-of-traceparent. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/**
 * Opens the traces that Deno exports by itself where `OTEL_DENO` is `true`
 * (https://docs.deno.com/runtime/fundamentals/open_telemetry/); `undefined` where it does not.
 *
 * @param exchange Name of the exchange that is published to.
 */
export function openTracing(exchange: string): Tracing | undefined {
  const tracer = trace.getTracer("inlet");
  const probe = tracer.startSpan("probe", { root: true }).spanContext();
  if (!isSpanContextValid(probe)) return undefined;
  if (isSampled(probe)) {
    log.warning(
      "Deno's own spans of requests hold their URLs, with webhook tokens. To keep them out of the traces, set " +
        "OTEL_TRACES_SAMPLER=parentbased_always_off and OTEL_PROPAGATORS=none, as deno task start does",
    );
  }
  return { delivery: (delivery, headers) => new Trace(tracer, exchange, delivery, headers) };
}

class Trace implements DeliveryTrace {
  readonly #tracer: Tracer;
  readonly #exchange: string;
  readonly #span: Span;
  readonly #context: Context;
  #step: Span | undefined;

  constructor(
    tracer: Tracer,
    exchange: string,
    { id, workspaceId, connectorId }: Parameters<Tracing["delivery"]>[0],
    headers: Headers,
  ) {
    this.#tracer = tracer;
    this.#exchange = exchange;
    const parent = parentOf(headers);
    const attributes = {
      "http.request.method": "POST",
      "http.route": ROUTE,
      "inlet.connector.id": connectorId,
      "inlet.workspace.id": workspaceId,
      "inlet.delivery.id": id,
    };
    const context = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
    this.#span = tracer.startSpan(`POST ${ROUTE}`, { kind: SpanKind.SERVER, attributes }, context);
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  step(name: string, kind = SpanKind.INTERNAL, attributes: Attributes = {}): Span {
    this.#step?.end();
    return this.#step = this.#tracer.startSpan(name, { kind, attributes }, this.#context);
  }

  /** Named as https://opentelemetry.io/docs/specs/semconv/messaging/rabbitmq/ wants it. */
  publish(events: readonly SerializedEvent[]): readonly SerializedEvent[] {
    const span = this.step(`publish ${this.#exchange}`, SpanKind.PRODUCER, {
      "messaging.system": "rabbitmq",
      "messaging.operation.type": "send",
      "messaging.operation.name": "publish",
      "messaging.destination.name": this.#exchange,
      "messaging.batch.message_count": events.length,
    });
    const traceparent = traceparentOf(span.spanContext());
    return events.map((event) => ({ ...event, traceparent }));
  }

  end(status: number, problem?: string): void {
    this.#step?.end();
    this.#span.setAttribute("http.response.status_code", status);
    if (problem !== undefined) this.#span.setAttribute("error.type", problem);
    // What a sender does wrong is no error of ours: https://opentelemetry.io/docs/specs/semconv/http/http-spans/#status.
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

const ROUTE = "/webhooks/:connectorId/:webhookToken";

/**
 * What the trace goes on with: the sender's, else the span that Deno has made of the request. That one may be left out
 * of the traces for what it holds (see {@link openTracing}); what comes after it is not.
 */
function parentOf(headers: Headers): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(headers.get("traceparent") ?? "") ?? [];
  if (traceId !== undefined && spanId !== undefined && flags !== undefined) {
    return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  }
  const request = trace.getActiveSpan()?.spanContext();
  return request && { ...request, traceFlags: TraceFlags.SAMPLED };
}

function isSampled({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${isSampled({ traceId, spanId, traceFlags }) ? "01" : "00"}`;
}
