/** Mails for tests. */

/** A small mail with its number in the subject and in the message identifier. */
export function plainMail(number: number, text = "Hello"): string {
  return [
    "From: Ann <ann@example.com>",
    "To: ben@example.org",
    `Subject: Mail ${number}`,
    `Message-ID: <${number}@example.com>`,
    "Date: Mon, 02 Mar 2026 10:41:08 +0000",
    "",
    text,
    "",
  ].join("\r\n");
}

/** Mails with the numbers from `first` to `last`. */
export function plainMails(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => plainMail(first + index));
}
