import { respondWithProblem } from "../api/problem.ts";
import { ForbiddenError, UnauthorizedError } from "../errors.ts";
import type { Access } from "./access.ts";
import { actAs } from "./acting.ts";
import type { Caller } from "./caller.ts";

/** What is behind the gate. */
export interface Gated {
  readonly access: Access;
  /** Answers a request of `caller`; nobody was asked where that is `undefined`. */
  admit(request: Request, caller: Caller | undefined, info: Deno.ServeHandlerInfo | undefined): Promise<Response>;
  /** Whether a request is for a page, or from a person who would want one. */
  isForPage(request: Request): boolean;
  /** Whether a path is a script, a style or an image of the pages: the same for everybody. */
  isPagePart(pathname: string): boolean;
  /** Tells a person why they are not let in. */
  refusePage(request: Request, info: Deno.ServeHandlerInfo | undefined, reason: unknown): Promise<Response>;
}

/** Sources prove themselves by token and signature; supervisors ask for health; the sign-in page has to be reached. */
const OPEN = /^\/(?:webhooks\/|healthz$|readyz$)/;
/** Where people sign in. */
const SIGN_IN_PATH = "/dashboard/sign-in";
/** Every page shows and changes whichever workspace it is asked for, and some show all of them. */
const PAGES_ARE_THE_ADMINS =
  "Cannot show the page: an API key is for the API of one workspace; for the dashboard sign in with ADMIN_TOKEN";

/** Lets in who may come in: every request passes here, whether it is for the API or for a page. */
export function createGate(
  { access, admit, isForPage, isPagePart, refusePage }: Gated,
): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
  return async (request, info) => {
    const { pathname } = new URL(request.url);
    if (OPEN.test(pathname)) return await admit(request, undefined, info);
    const isOpenPage = access.signsIn && pathname === SIGN_IN_PATH && request.method === "GET";
    if (isOpenPage || isPagePart(pathname)) return await admit(request, undefined, info);
    const page = isForPage(request);
    let caller: Caller;
    try {
      caller = await access.identify(request, peerOf(info));
    } catch (error) {
      if (!page) return respondWithProblem(error);
      if (!(error instanceof UnauthorizedError) || !access.signsIn) return await refusePage(request, info, error);
      // Who posts the sign-in form does not say yet who they are; that another site's page did not post it is known.
      if (pathname === SIGN_IN_PATH) return await admit(request, undefined, info);
      return toSignIn(request);
    }
    if (page && !caller.isAdmin) return await refusePage(request, info, new ForbiddenError(PAGES_ARE_THE_ADMINS));
    return await actAs(caller, () => admit(request, caller, info));
  };
}

/** The address that is connected. */
function peerOf(info: Deno.ServeHandlerInfo | undefined): string | undefined {
  const address = info?.remoteAddr;
  return address !== undefined && "hostname" in address ? address.hostname : undefined;
}

function toSignIn({ method, url }: Request): Response {
  const { pathname, search } = new URL(url);
  // What was posted is not sent again by itself: it is said there, and the form's page is the one to come back to.
  const isForm = method === "POST" && !pathname.startsWith("/dashboard/sign-");
  const to = isForm ? pathname : method === "GET" && pathname !== "/" ? pathname + search : "";
  const query = to === "" ? "" : `?to=${encodeURIComponent(to)}${isForm ? "&unsent" : ""}`;
  return new Response(null, {
    status: 303,
    headers: { location: `${SIGN_IN_PATH}${query}`, "cache-control": "no-store" },
  });
}
