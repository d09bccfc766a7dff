import { z } from "zod";

/** A mailbox that a header names: free text, proven by nobody. */
export const emailAddressSchema = z.object({
  name: z.string().nullable().meta({ description: "Display name, decoded; null if there is none" }),
  address: z.string().meta({ description: "As the header has it; need not be a valid address" }),
});

/** A mailbox that a header names. */
export type EmailAddress = z.output<typeof emailAddressSchema>;

/** A part of a mail that is not its text. */
export const emailAttachmentSchema = z.object({
  name: z.string().nullable().meta({ description: "File name, decoded; null if the part has none" }),
  contentType: z.string().meta({ description: "Media type in lower case, as the sender declares it" }),
  size: z.int().meta({ description: "Bytes as transferred; base64 takes about 4/3 of the file's own size" }),
  inline: z.boolean().meta({ description: "Whether it is shown within the text, such as an image of an HTML mail" }),
});

/** A part of a mail that is not its text. */
export type EmailAttachment = z.output<typeof emailAttachmentSchema>;

const messageIdSchema = z.string().meta({ description: "Message identifier with its angle brackets (RFC 5322)" });
const addresses = (description: string) => z.array(emailAddressSchema).meta({ description });
const time = (description: string) => z.iso.datetime({ precision: 3 }).meta({ description });

/** Payload of `email.message.received`. */
export const emailMessagePayloadSchema = z.object({
  mailbox: z.string().meta({ description: "The mailbox that the mail lies in, such as INBOX" }),
  uidValidity: z.int().meta({ description: "The mailbox's UIDVALIDITY: the uid means a mail only together with it" }),
  uid: z.int().meta({ description: "The mail's UID in the mailbox (RFC 3501): fetch the whole mail by it" }),
  receivedAt: time("When the mail server received it (INTERNALDATE): RFC 3339, UTC, milliseconds"),
  size: z.int().meta({ description: "Bytes of the whole mail" }),
  messageId: messageIdSchema.nullable(),
  inReplyTo: z.array(messageIdSchema).meta({ description: "Message identifiers of the mails that this one answers" }),
  references: z.array(messageIdSchema).meta({ description: "Message identifiers of the thread, the oldest first" }),
  from: addresses("The authors; none in a mail without the header"),
  replyTo: addresses("Where answers should go, if elsewhere than to the authors"),
  to: addresses("Recipients"),
  cc: addresses("Recipients of copies"),
  subject: z.string().nullable().meta({ description: "Subject, decoded; null if there is none" }),
  date: time("When the sender says it was sent, in UTC").nullable(),
  preview: z.string().meta({ description: "The beginning of the text, from the HTML if there is no plain text" }),
  previewTruncated: z.boolean().meta({ description: "Whether the text goes on after the preview" }),
  attachments: z.array(emailAttachmentSchema).meta({ description: "Attached files, the first hundred" }),
});

/** Payload of `email.message.received`. */
export type EmailMessagePayload = z.output<typeof emailMessagePayloadSchema>;
