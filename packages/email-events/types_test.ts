import { deepEqual, equal, throws } from "node:assert/strict";
import {
  EmailEventType,
  emailEventTypes,
  type EmailMessagePayload,
  emailPayloadSchemas,
  isEmailEventType,
} from "./mod.ts";

const payload: EmailMessagePayload = {
  mailbox: "INBOX",
  uidValidity: 1_795_234_699,
  uid: 4_294_967_295,
  receivedAt: "2026-03-02T10:41:08.000Z",
  size: 1024,
  messageId: "<1@example.com>",
  inReplyTo: [],
  references: ["<0@example.com>"],
  from: [{ name: null, address: "ann@example.com" }],
  replyTo: [],
  to: [{ name: "Ben", address: "ben@example.com" }],
  cc: [],
  subject: null,
  date: null,
  preview: "Hello",
  previewTruncated: false,
  attachments: [{ name: "a.pdf", contentType: "application/pdf", size: 4, inline: false }],
};

Deno.test("every event type has a payload schema, and is known as one", () => {
  deepEqual(Object.keys(emailPayloadSchemas), [...emailEventTypes]);
  for (const type of emailEventTypes) equal(isEmailEventType(type), true);
  for (const type of ["email.message.sent", "github.pr.opened", ""]) equal(isEmailEventType(type), false);
});

Deno.test("a payload schema drops what it does not know, and keeps the rest as it is", () => {
  const schema = emailPayloadSchemas[EmailEventType.MESSAGE_RECEIVED];
  deepEqual(schema.parse({ ...payload, color: "red" }), payload);
});

Deno.test("a payload schema refuses times without milliseconds or zone, and what is missing", () => {
  const schema = emailPayloadSchemas["email.message.received"];
  for (const receivedAt of ["2026-03-02T10:41:08Z", "2026-03-02T10:41:08.000", "yesterday", undefined]) {
    throws(() => schema.parse({ ...payload, receivedAt }), { name: "ZodError" });
  }
});
