import assert from "node:assert/strict";
import { renderToString } from "preact-render-to-string";
import { WebhookUrl } from "./WebhookUrl.tsx";

Deno.test("WebhookUrl says so where no other machine reaches the URL", () => {
  for (const host of ["localhost:3200", "inlet.localhost", "127.0.0.1:3200", "127.1.2.3", "[::1]:3200"]) {
    assert.match(
      renderToString(<WebhookUrl url={`http://${host}/webhooks/a/b`} name="A" />),
      /Only this machine/,
      host,
    );
  }
  for (const host of ["inlet.example.com", "192.0.2.1", "localhost.example.com", "127.example.com", "[2001:db8::1]"]) {
    assert.doesNotMatch(renderToString(<WebhookUrl url={`https://${host}/webhooks/a/b`} name="A" />), /Only/, host);
  }
});
