import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKeyStore, SessionStore, Tokens } from "../deps.ts";
import { ForbiddenError, TooManyRequestsError, UnauthorizedError } from "../errors.ts";
import type { Audit } from "../audit/audit.ts";
import { TokenBuckets } from "../token_buckets.ts";
import { actAs } from "./acting.ts";
import { adminCaller, type Caller, keyCaller, metricsCaller } from "./caller.ts";
import { foreignness } from "./local.ts";
import { isFromOtherSite } from "./other_site.ts";

/** A session of the dashboard that has just begun. */
export interface Session {
  /** The secret that the browser keeps in a cookie. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** Who may do what. */
export interface Access {
  /** Name of the cookie that holds a session's token. */
  readonly sessionCookie: string;
  /** Whether people sign in, with `ADMIN_TOKEN`; else only this machine is served. */
  readonly signsIn: boolean;
  /**
   * Tells who makes a request, by its bearer token or by the session cookie.
   *
   * @param peer The address that is connected; `undefined` where that is not known.
   * @throws {ForbiddenError} if another site's page sent it, or it does not come from this machine and must
   * @throws {UnauthorizedError} if it does not say who makes it, or says so wrongly
   * @throws {TooManyRequestsError} if its address has failed too often of late
   */
  identify(request: Request, peer: string | undefined): Promise<Caller>;
  /**
   * Begins a session.
   *
   * @throws {UnauthorizedError} if the token is not `ADMIN_TOKEN`
   * @throws {TooManyRequestsError} if the address has failed too often of late
   */
  signIn(adminToken: string, peer: string | undefined): Promise<Session>;
  /** Ends the session of a request, if it has one. */
  signOut(request: Request): Promise<void>;
  /** Whether the session whose token has this hash has neither ended nor expired. */
  hasSession(hash: string): Promise<boolean>;
}

/** What {@link createAccess} works with. */
export interface AccessParts {
  /** `undefined`: nobody signs in, and only this machine is served. */
  readonly adminToken: string | undefined;
  /** What a scraper sends to read the metrics; `undefined`: only `ADMIN_TOKEN` does. */
  readonly metricsToken?: string | undefined;
  readonly sessionLifetimeMs: number;
  readonly sessions: SessionStore;
  readonly apiKeys: ApiKeyStore;
  readonly tokens: Tokens;
  readonly audit: Audit;
  readonly now: () => Date;
}

const SESSION_COOKIE = "inlet_session";
/** The only path that `METRICS_TOKEN` opens. */
const METRICS_PATH = "/metrics";

const LOCAL_ONLY = "only requests from this machine are served while ADMIN_TOKEN is not set";

/** Slows down who guesses: each address has ten failures, and one more every ten seconds. */
const FAILURES = { burst: 10, perSecond: 0.1 } as const;

/** Makes the access rules. */
export function createAccess(parts: AccessParts): Access {
  const { adminToken, metricsToken, sessionLifetimeMs, sessions, apiKeys, tokens, audit, now } = parts;
  const failures = new TokenBuckets({ ...FAILURES, now });
  // A session ends when the token that opened it is replaced.
  const opener = adminToken === undefined ? "" : digest(adminToken).toString("base64url");

  function refuseImpatient(address: string): void {
    const waitMs = failures.waitMs(address);
    if (waitMs > 0) {
      throw new TooManyRequestsError("Cannot sign in: this address has failed too often, wait and try again", waitMs);
    }
  }

  async function fail(address: string, message: string): Promise<never> {
    failures.take(address);
    await audit.note({ action: "failed to sign in", workspaceId: null, subject: `from ${address}` });
    throw new UnauthorizedError(message);
  }

  const isAdminToken = (token: string) => isSame(token, adminToken);

  async function byBearer(token: string, address: string, pathname: string): Promise<Caller> {
    // A scraper comes every few seconds, and is to be let in whatever its address has guessed at.
    if (pathname === METRICS_PATH && isSame(token, metricsToken)) return metricsCaller();
    // Nobody guesses 256 random bits. Behind a proxy all share one address: who guesses must not shut out the consumers.
    const key = await apiKeys.find(tokens.hash(token));
    if (key !== undefined) return keyCaller(key);
    refuseImpatient(address);
    if (isAdminToken(token)) return adminCaller("admin");
    return await fail(
      address,
      "Cannot accept the bearer token: it is neither ADMIN_TOKEN nor an API key, or was revoked",
    );
  }

  async function hasSession(hash: string): Promise<boolean> {
    const session = await sessions.find(hash);
    return session !== undefined && session.opener === opener && session.expiresAt > now();
  }

  async function bySession(request: Request): Promise<Caller> {
    const token = cookieOf(request, SESSION_COOKIE);
    const hash = token === undefined ? undefined : tokens.hash(token);
    if (hash !== undefined && await hasSession(hash)) return adminCaller("admin", hash);
    throw new UnauthorizedError(
      "Cannot take the request: it does not say who makes it; send Authorization: Bearer with ADMIN_TOKEN or an API key, " +
        "or sign in at /dashboard/sign-in",
    );
  }

  return {
    sessionCookie: SESSION_COOKIE,
    signsIn: adminToken !== undefined,
    async identify(request, peer) {
      if (isFromOtherSite(request)) {
        throw new ForbiddenError(
          "Cannot take the request: a page of another site sent it; open the page here and try again",
        );
      }
      if (adminToken === undefined) {
        const reason = foreignness(request, peer);
        if (reason === undefined) return adminCaller("local");
        throw new ForbiddenError(`Cannot take the request: ${LOCAL_ONLY}, and ${reason}`);
      }
      const token = bearerOf(request);
      return token === undefined
        ? await bySession(request)
        : await byBearer(token, addressOf(peer), new URL(request.url).pathname);
    },
    async signIn(token, peer) {
      const address = addressOf(peer);
      refuseImpatient(address);
      if (!isAdminToken(token)) await fail(address, "Cannot sign in: that is not the value of ADMIN_TOKEN");
      const session = { token: tokens.issue(), expiresAt: new Date(now().getTime() + sessionLifetimeMs) };
      await sessions.create({ hash: tokens.hash(session.token), opener, expiresAt: session.expiresAt });
      const subject = `from ${address}`;
      await actAs(adminCaller("admin"), () => audit.note({ action: "signed in", workspaceId: null, subject }));
      return session;
    },
    async signOut(request) {
      const token = cookieOf(request, SESSION_COOKIE);
      if (token !== undefined) await sessions.remove(tokens.hash(token));
    },
    hasSession,
  };
}

/** Those whose address is not known share one. */
function addressOf(peer: string | undefined): string {
  return peer ?? "unknown";
}

/** Whether `token` is `expected`, compared in constant time. */
function isSame(token: string, expected: string | undefined): boolean {
  return expected !== undefined && timingSafeEqual(digest(token), digest(expected));
}

/** Equal in length whatever is hashed, so that the comparison tells nothing. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function bearerOf({ headers }: Request): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

function cookieOf({ headers }: Request, name: string): string | undefined {
  const cookies = (headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}
