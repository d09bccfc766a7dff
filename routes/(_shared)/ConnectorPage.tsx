import type { JSX } from "preact";
import { Badge } from "../../components/Badge.tsx";
import { DeliveryTable } from "../../components/DeliveryTable.tsx";
import { Guide } from "../../components/Guide.tsx";
import { Notice } from "../../components/Notice.tsx";
import { Sparkline } from "../../components/Sparkline.tsx";
import { TestForm } from "../../components/TestForm.tsx";
import { Time } from "../../components/Time.tsx";
import type { ConnectorPageData } from "./connector_page.ts";
import { ConnectorFields } from "./ConnectorFields.tsx";
import { Overlaps } from "./Overlaps.tsx";
import { Polling } from "./Polling.tsx";
import { WebhookUrl } from "./WebhookUrl.tsx";
import { WorkspaceField } from "../../components/WorkspaceField.tsx";

/** All of a connector: how it does, its settings, its set-up steps and what it received. */
export function ConnectorPage({ data }: { data: ConnectorPageData }): JSX.Element {
  const { manifest, message, guide, configured, enabled, poller, now } = data;
  return (
    <>
      <Head data={data} />
      {message !== undefined && (
        <Notice tone={message.tone} title={message.title} role={message.tone === "bad" ? "alert" : "status"}>
          {message.detail !== undefined && <p dir="auto">{message.detail}</p>}
        </Notice>
      )}
      {data.problem !== null && (
        <Notice tone="bad" title="The stored settings cannot be read">
          <p class="break-words" dir="auto">{data.problem}</p>
        </Notice>
      )}
      <div class="two-columns">
        <div class="column">
          <Overlaps name={manifest.name} until={data.retiringUntil} />
          <Settings data={data} />
        </div>
        <div class="column">
          <section class="card">
            <details open={!configured || !enabled}>
              <summary>
                <h2>How to set up {manifest.name}</h2>
              </summary>
              <Guide html={guide.steps} />
              <p class="mt-3">
                <a href={manifest.documentationUrl} rel="noreferrer">Documentation of {manifest.name}</a>
              </p>
            </details>
            {guide.more !== "" && (
              <details class="mt-2">
                <summary>
                  <h2>Test, repair and what to know</h2>
                </summary>
                <Guide html={guide.more} />
              </details>
            )}
          </section>
          {poller === null
            ? <Test data={data} />
            : <Polling name={manifest.name} enabled={enabled} poller={poller} now={now} />}
        </div>
      </div>
      {poller === null && <Recent data={data} />}
    </>
  );
}

function Head({ data: { manifest, enabled, activity, now } }: { data: ConnectorPageData }): JSX.Element {
  return (
    <div class="page-head">
      <div class="min-w-0 flex-1 basis-80">
        <p class="muted">
          <a href="/dashboard/connectors">Connectors</a>
        </p>
        <h1 class="flex flex-wrap items-center gap-2">
          {manifest.name}
          {enabled ? <Badge tone="good">On</Badge> : <Badge tone="muted">Off</Badge>}
        </h1>
        <p class="muted">
          {manifest.description} <a href={`/dashboard/events?source=${manifest.id}`}>What can come of it</a>
        </p>
      </div>
      {activity !== undefined && (
        <div class="connector-numbers">
          <Sparkline perMinute={activity.perMinute} />
          <span class="muted">
            {activity.lastEventAt === null ? "No event yet" : (
              <>
                Last event <Time date={activity.lastEventAt} now={now} />
              </>
            )}
          </span>
        </div>
      )}
    </div>
  );
}

function Settings(
  { data: { manifest, form, webhookUrl, webhooksAreLocal } }: { data: ConnectorPageData },
): JSX.Element {
  const here = `/dashboard/connectors/${manifest.id}`;
  const [turnOn, off] = manifest.type === "poller"
    ? ["Poll it", "Off, the settings are kept, and so is where the last poll ended."]
    : ["Take deliveries", "Off, the settings are kept, and what the source sends is refused."];
  return (
    <form method="post" action={here} novalidate class="card form" aria-label={`Settings of ${manifest.name}`}>
      <WorkspaceField />
      {manifest.type === "webhook" && webhookUrl === null && (
        <p class="muted">The webhook URL is made when you save for the first time.</p>
      )}
      {webhookUrl !== null && (
        <div>
          <WebhookUrl url={webhookUrl} name={manifest.name} isLocal={webhooksAreLocal} />
          <p class="muted mt-1">
            <a href={`${here}/url`}>Make a new URL</a>, if others know this one
          </p>
        </div>
      )}
      <ConnectorFields form={form} />
      <div class="flex items-start gap-2">
        <input type="checkbox" class="check mt-1" id="enabled" name="enabled" checked={form.enabled} />
        <div>
          <label for="enabled" class="font-medium">{turnOn}</label>
          <p class="muted">{off}</p>
        </div>
      </div>
      <button type="submit" class="button button-primary">Save</button>
    </form>
  );
}

function Test({ data: { enabled, manifest, examples } }: { data: ConnectorPageData }): JSX.Element {
  return (
    <section class="card">
      <h2>Send a test event</h2>
      <p class="muted mb-2">
        An example, signed with your secret as {manifest.name} signs, goes the way of a real event: it is published.
      </p>
      {enabled ? <TestForm examples={examples} /> : <p>Turn {manifest.name} on first.</p>}
    </section>
  );
}

function Recent({ data: { recent, keepsDeliveries, now, manifest } }: { data: ConnectorPageData }): JSX.Element {
  return (
    <section class="card mt-4">
      <div class="mb-2 flex flex-wrap items-baseline justify-between gap-2">
        <h2>Last deliveries</h2>
        {recent.length > 0 && <a href={`/dashboard/deliveries?connector=${manifest.id}`}>All deliveries</a>}
      </div>
      {recent.length > 0 ? <DeliveryTable deliveries={recent} now={now} /> : (
        <p class="muted">
          {keepsDeliveries ? "Nothing has arrived yet." : "Deliveries are not kept (DELIVERY_RETENTION is 0)."}
        </p>
      )}
    </section>
  );
}
