/**
 * Sign-in by JupyterHub: the browser goes to the hub's page and returns with a code, which the hub exchanges for a token of
 * the person. Only the person for whom this server was started is let in, as long as the hub accepts that token.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { timeLimit } from "@/server/base/abort";
import type { HubVariables } from "@/server/base/hub-variables";
import { findCookie, secretHash, targetAllowed } from "../../auth/guard";
import type { SignIns } from "../../auth/sign-in";
import { sendHubRefusal } from "./hub-refusal";
import { beginMs, makeBegunSignIns } from "./begun-sign-ins";
import type { HubClient, HubPerson } from "./hub-client";

/** Time between two looks at the tokens of the browsers that are signed in, ms. */
const lookMs = 300_000;
/** A hub that does not answer keeps no one waiting for longer, ms. */
const connectMs = 2_000;
/** Longest address of a page to which a sign-in returns. */
const pageMaxChars = 2_048;

export interface HubFrontDoor {
  /** Begins the sign-in of a browser on a page: its address at the hub, and the cookie that belongs to it. */
  signIn(request: IncomingMessage, page: string): { readonly address: string; readonly cookie: string };
  /** Answers the browser that returns from the hub. */
  finishSignIn(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Whether the hub accepts the sign-in of this browser; true while the hub does not answer. */
  admits(device: string): Promise<boolean>;
  /** A browser was signed out. */
  forget(device: string): void;
  close(): void;
}

interface HubFrontDoorOptions {
  readonly hub: HubVariables;
  readonly client: Pick<HubClient, "exchangeCode" | "person">;
  readonly signIns: Pick<SignIns, "freshLinkToken">;
  /** Signs a browser out. */
  readonly revoke: (device: string) => void;
  /** ms on a monotonic clock. */
  readonly elapsed: () => number;
}

export function makeHubFrontDoor(options: HubFrontDoorOptions): HubFrontDoor {
  const { hub, client, signIns, revoke } = options;
  const { prefix } = hub.publicAddress;
  const begun = makeBegunSignIns(options.elapsed);
  const cookieName = `gopi_hub_${secretHash(prefix).slice(0, 12)}`;
  /** Tokens of the persons, by signed-in browser. */
  const tokens = new Map<string, string>();
  const stop = new AbortController();
  const isAllowed = ({ name, scopes }: HubPerson): boolean =>
    name === hub.user && hub.scopes.some((scope) => scopes.includes(scope));
  const isAccepted = async (token: string): Promise<boolean> => {
    const person = await client.person(token, stop.signal);
    return person === "unreachable" || (person !== "refused" && isAllowed(person));
  };
  const look = async (): Promise<void> => {
    for (const [device, token] of tokens) if (!(await isAccepted(token)) && !stop.signal.aborted) revoke(device);
  };
  const timer = setInterval(() => void look(), lookMs).unref();
  return {
    signIn({ headers }, page) {
      const { state, cookie } = begun.begin(pagePath(page), findCookie(headers.cookie, cookieName));
      const query = new URLSearchParams({
        client_id: hub.clientId,
        redirect_uri: hub.callbackUrl,
        response_type: "code",
        state,
      });
      const isEncrypted = headers.origin?.startsWith("https:") === true;
      return {
        address: `${hub.authorizeUrl}?${query.toString()}`,
        cookie: `${cookieName}=${cookie}; Path=${prefix}/; HttpOnly; SameSite=Lax; Max-Age=${beginMs / 1_000}${isEncrypted ? "; Secure" : ""}`,
      };
    },
    async finishSignIn({ url = "", headers }, response) {
      const query = new URL(url, "http://localhost").searchParams;
      const page = begun.finish(query.get("state") ?? "", findCookie(headers.cookie, cookieName));
      const refuse = (status: number, sentence: string): void =>
        sendHubRefusal(response, { status, sentence, again: `${prefix}/` });
      if (page === null) return refuse(400, "This sign-in has expired, or was begun in another browser.");
      const code = query.get("code") ?? "";
      if (code === "") return refuse(403, "JupyterHub didn't allow this sign-in.");
      const exchanged = await client.exchangeCode(code, stop.signal);
      if (exchanged === "refused") return refuse(403, "JupyterHub didn't accept this sign-in. It may have expired.");
      const person = exchanged === "unreachable" ? exchanged : await client.person(exchanged.token, stop.signal);
      if (exchanged === "unreachable" || person === "unreachable")
        return refuse(502, "JupyterHub doesn't answer. Try again in a moment.");
      if (person === "refused" || (person.name === hub.user && !isAllowed(person)))
        return refuse(403, "JupyterHub doesn't allow you to use this server.");
      if (person.name !== hub.user)
        return refuse(403, `This gopi-web belongs to ${hub.user}. You are signed in to JupyterHub as ${person.name}.`);
      const link = signIns.freshLinkToken((device) => tokens.set(device, exchanged.token));
      response.writeHead(303, {
        Location: `${prefix}${page}#token=${link}`,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      });
      response.end();
    },
    async admits(device) {
      const token = tokens.get(device);
      if (token === undefined) return false;
      const late = timeLimit(connectMs);
      const limit = new Promise<boolean>((resolve) => late.addEventListener("abort", () => resolve(true)));
      return Promise.race([isAccepted(token), limit]);
    },
    forget: (device) => void tokens.delete(device),
    close() {
      stop.abort();
      clearInterval(timer);
    },
  };
}

/** The path of the page, or that of the first one if it is not one of this server's addresses. */
const pagePath = (page: string): string =>
  page.length <= pageMaxChars && targetAllowed(page) && /^[\x21-\x7e]*$/.test(page) ? page : "/";
