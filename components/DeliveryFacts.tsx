import type { ComponentChildren, JSX } from "preact";
import type { DeliverySummary } from "./DeliveryTable.tsx";
import { DeliveryStatus } from "./DeliveryStatus.tsx";
import { Time } from "./Time.tsx";
import { countEvents } from "./words.ts";

/** A delivery, as far as it may be shown. */
export interface DeliveryDetails extends DeliverySummary {
  readonly deliveryId: string | null;
  readonly bodyBytes: number | null;
  readonly bodyKept: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt class="text-muted">{name}</dt>
      <dd class="min-w-0 wrap-anywhere max-sm:mb-2">{children}</dd>
    </>
  );
}

function bodyOf({ bodyBytes, bodyKept }: DeliveryDetails): string {
  if (bodyBytes === null) return "was not read";
  return `${bodyBytes.toLocaleString("en")} bytes, ${bodyKept ? "kept encrypted" : "not kept"}`;
}

/** What is known of a delivery, and the reason if it was refused. */
export function DeliveryFacts({ delivery, source, now }: {
  delivery: DeliveryDetails;
  source: string;
  now: Date;
}): JSX.Element {
  const { receivedAt, status, refusal, published, queued, durationMs, deliveryId } = delivery;
  return (
    <section aria-labelledby="facts" class="card">
      <h2 id="facts" class="mb-2">What happened</h2>
      {refusal !== null && (
        <p class="mb-3 border-l-4 border-bad pl-3 wrap-anywhere">
          <strong class="block text-bad">Refused</strong>
          <bdi>{refusal}</bdi>
        </p>
      )}
      <dl class="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[9rem_1fr]">
        <Fact name="Source">{source}</Fact>
        <Fact name="Arrived">
          <Time date={receivedAt} now={now} />
          <span class="text-muted">{` (${receivedAt.toISOString()})`}</span>
        </Fact>
        <Fact name="Answered with">
          <DeliveryStatus status={status} /> <span class="text-muted">{` in ${durationMs} ms`}</span>
        </Fact>
        <Fact name="Published">{countEvents(published)}</Fact>
        {queued > 0 && <Fact name="Spooled">{countEvents(queued)}</Fact>}
        <Fact name="Body">{bodyOf(delivery)}</Fact>
        <Fact name="Delivery id">
          {deliveryId === null ? "not read: it was refused first" : <bdi class="font-mono">{deliveryId}</bdi>}
        </Fact>
      </dl>
    </section>
  );
}

/** The headers of a delivery that may be shown. */
export function DeliveryHeaders({ headers }: { headers: Readonly<Record<string, string>> }): JSX.Element {
  const entries = Object.entries(headers);
  return (
    <section aria-labelledby="headers" class="card">
      <h2 id="headers" class="mb-2">Headers kept</h2>
      {entries.length === 0
        ? <p class="muted">None came that may be shown.</p>
        : (
          <dl class="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[12rem_1fr]">
            {entries.map(([name, value]) => (
              <Fact key={name} name={name}>
                <bdi class="font-mono">{value}</bdi>
              </Fact>
            ))}
          </dl>
        )}
      <p class="muted mt-2">Only those that its source needs; no signature and no credential is kept.</p>
    </section>
  );
}
