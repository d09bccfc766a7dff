import { DOMParser, type Element } from "@xmldom/xmldom";
import { PollError } from "../kit/mod.ts";

const DAV = "DAV:";
const CALDAV = "urn:ietf:params:xml:ns:caldav";
const CALENDAR_SERVER = "http://calendarserver.org/ns/";

/** One response of a multistatus, RFC 4918 section 14.24: of its properties, those that were found. */
export interface DavResource {
  /** Absolute, without what leads to another server's path. */
  readonly url: URL;
  /** Status of the resource itself; `null` where its properties have one each. */
  readonly status: number | null;
  readonly etag: string | null;
  readonly data: string | null;
  readonly name: string | null;
  readonly ctag: string | null;
  readonly syncToken: string | null;
  readonly isCalendar: boolean;
  /** Where the user's calendars are. */
  readonly home: URL | null;
  readonly principal: URL | null;
}

/** A multistatus. */
export interface Multistatus {
  readonly resources: readonly DavResource[];
  /** RFC 6578: stands for what the collection holds now. */
  readonly syncToken: string | null;
}

/**
 * Reads a multistatus by its namespaces, whatever prefixes the server chose.
 *
 * @throws {PollError} if it is not one
 */
export function parseMultistatus(text: string, base: URL): Multistatus {
  const root = rootOf(text);
  if (root === null || root.namespaceURI !== DAV || root.localName !== "multistatus") {
    throw new PollError(`Cannot read the calendar: ${base.host} does not speak CalDAV at this address`);
  }
  const responses = childrenOf(root).filter(({ localName, namespaceURI }) =>
    namespaceURI === DAV && localName === "response"
  );
  return {
    resources: responses.map((response) => resourceOf(response, base)),
    syncToken: own(root, DAV, "sync-token"),
  };
}

function rootOf(text: string): Element | null {
  try {
    const onError = (level: string) => {
      if (level !== "warning") throw new Error("malformed");
    };
    return new DOMParser({ onError }).parseFromString(text.trim(), "text/xml").documentElement;
  } catch {
    return null;
  }
}

function resourceOf(response: Element, base: URL): DavResource {
  const found = childrenOf(response).filter((child) =>
    child.localName === "propstat" && statusOf(own(child, DAV, "status")) === 200
  ).flatMap((propstat) => childrenOf(propstat).filter(({ localName }) => localName === "prop").flatMap(childrenOf));
  const property = (namespace: string, name: string) =>
    found.find(({ localName, namespaceURI }) => localName === name && namespaceURI === namespace);
  const text = (namespace: string, name: string) => property(namespace, name)?.textContent?.trim() || null;
  const link = (namespace: string, name: string) => {
    const element = property(namespace, name);
    const href = element === undefined ? null : own(element, DAV, "href");
    return href === null ? null : urlOf(href, base);
  };
  const types = property(DAV, "resourcetype");
  return {
    url: urlOf(own(response, DAV, "href") ?? "", base),
    status: statusOf(own(response, DAV, "status")),
    etag: text(DAV, "getetag"),
    data: property(CALDAV, "calendar-data")?.textContent ?? null,
    name: text(DAV, "displayname"),
    ctag: text(CALENDAR_SERVER, "getctag"),
    syncToken: text(DAV, "sync-token"),
    isCalendar: types !== undefined && childrenOf(types).some(isCalendar) && takesEvents(property),
    home: link(CALDAV, "calendar-home-set"),
    principal: link(DAV, "current-user-principal"),
  };
}

function isCalendar({ localName, namespaceURI }: Element): boolean {
  return localName === "calendar" && namespaceURI === CALDAV;
}

// Without the property, RFC 4791 section 5.2.3, a calendar takes all kinds of entries.
function takesEvents(property: (namespace: string, name: string) => Element | undefined): boolean {
  const kinds = property(CALDAV, "supported-calendar-component-set");
  return kinds === undefined || childrenOf(kinds).some((kind) => kind.getAttribute("name")?.toUpperCase() === "VEVENT");
}

function childrenOf(parent: Element): Element[] {
  const children: Element[] = [];
  for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
    if (isElement(child)) children.push(child);
  }
  return children;
}

function isElement(node: { readonly nodeType: number }): node is Element {
  return node.nodeType === 1;
}

function own(parent: Element, namespace: string, name: string): string | null {
  const child = childrenOf(parent).find((child) => child.localName === name && child.namespaceURI === namespace);
  return child?.textContent?.trim() || null;
}

function statusOf(line: string | null): number | null {
  const status = /^HTTP\/[\d.]+\s+(\d{3})/.exec(line ?? "")?.[1];
  return status === undefined ? null : Number(status);
}

function urlOf(href: string, base: URL): URL {
  return URL.canParse(href, base) ? new URL(href, base) : base;
}

/** Writes text into XML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
