/** How a cookie is to be kept. */
export interface CookieOptions {
  /** Gone after this time; `undefined`: with the browser. */
  readonly expires?: Date;
}

/** Whether the browser asks over HTTPS, also where a proxy ends it: of several, the first one says so first. */
export function isOverHttps({ url, headers }: Request): boolean {
  const [forwarded = ""] = (headers.get("x-forwarded-proto") ?? "").split(",");
  return url.startsWith("https:") || forwarded.trim().toLowerCase() === "https";
}

/**
 * A `Set-Cookie` header (RFC 6265) that no script reads and no other site sends. Over HTTPS, it is for HTTPS only.
 */
export function setCookie(request: Request, name: string, value: string, { expires }: CookieOptions = {}): string {
  const parts = [`${name}=${value}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (expires !== undefined) parts.push(`Expires=${expires.toUTCString()}`);
  if (isOverHttps(request)) parts.push("Secure");
  return parts.join("; ");
}

/** The value of a request's cookie. */
export function cookieOf(request: Request, name: string): string | undefined {
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}
