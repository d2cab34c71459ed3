/**
 * Sign-in by JupyterHub: the browser goes to the hub's page and returns with a code, which the hub exchanges for a token of
 * the person. Only the person for whom this server was started is let in, as long as the hub accepts that token.
 */
import type { HubVariables } from "@/server/base/hub-variables";
import { findCookie, secretHash, targetAllowed } from "../../auth/guard";
import type { FrontDoor, FrontDoorServices } from "../front-door";
import { startActivityReports } from "./activity-reports";
import { beginMs, makeBegunSignIns } from "./begun-sign-ins";
import type { HubClient, HubPerson } from "./hub-client";
import { makeHubDevices } from "./hub-devices";
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml } from "@/server/session/export/escape-html";

/** In English and in Chinese: this page has none of the catalogues of the interface. */
type Sentence = Readonly<Record<"en" | "zh-CN", string>>;

interface HubRefusal {
  readonly status: number;
  readonly sentence: Sentence;
  /** The next step. */
  readonly link: { readonly address: string; readonly text: Sentence };
}

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}";

/**
 * The page of a sign-in that failed, with the next step. `headers` are those of the request: the language that the
 * browser prefers.
 */
function sendHubRefusal(
  response: ServerResponse,
  { headers }: Pick<IncomingMessage, "headers">,
  { status, sentence, link }: HubRefusal,
): void {
  const language = /^\s*zh\b/i.test(headers["accept-language"] ?? "") ? "zh-CN" : "en";
  response.writeHead(status, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  response.end(
    `<!doctype html><html lang="${language}"><meta name="viewport" content="width=device-width"><title>gopi-web</title><style>${style}</style><p>${escapeHtml(sentence[language])}</p><p><a href="${escapeHtml(link.address)}">${escapeHtml(link.text[language])}</a></p></html>\n`,
  );
}

/** Longest address of a page to which a sign-in returns. */
const pageMaxChars = 2_048;

interface HubFrontDoorOptions {
  readonly hub: HubVariables;
  readonly client: Pick<HubClient, "exchangeCode" | "person" | "reportActivity">;
  readonly log: (line: string) => void;
  /** ms on a monotonic clock. */
  readonly elapsed: () => number;
  /** Time between two looks at the tokens, ms; default: five minutes. */
  readonly lookMs?: number;
}

export function makeHubFrontDoor({ hub, client, log, elapsed, lookMs }: HubFrontDoorOptions): Required<FrontDoor> {
  const { prefix } = hub.publicAddress;
  const begun = makeBegunSignIns(elapsed);
  const cookieName = (place: number): string => `gopi_hub_${secretHash(prefix).slice(0, 12)}_${place}`;
  const stop = new AbortController();
  const isAllowed = (person: HubPerson): boolean => personProblem(hub, person) === null;
  const devices = makeHubDevices({ client, isAllowed, lookMs, signal: stop.signal });
  let open = (_services: FrontDoorServices): void => {};
  const opened = new Promise<FrontDoorServices>((resolve) => {
    open = resolve;
  });
  return {
    refusal: () => null,
    signIn({ headers }, page) {
      const { state, place, cookie } = begun.begin(pagePath(page));
      const isEncrypted = headers.origin?.startsWith("https:") === true;
      return {
        kind: "elsewhere",
        address: authorizeAddress(hub, state),
        cookie: `${cookieName(place)}=${cookie}; Path=${prefix}/; HttpOnly; SameSite=Lax; Max-Age=${beginMs / 1_000}${isEncrypted ? "; Secure" : ""}`,
      };
    },
    async answer(request, response, path) {
      const { url = "", method, headers } = request;
      if (path !== hub.callbackPath || method !== "GET") return false;
      const { signIns } = await opened;
      const query = new URL(url, "http://localhost").searchParams;
      const page = begun.finish(query.get("state") ?? "", (place) => findCookie(headers.cookie, cookieName(place)));
      const result: Refusal | PersonToken =
        page === null ? refusals.state : await findToken({ hub, client }, query.get("code"), stop.signal);
      if ("sentence" in result) {
        const again = { address: `${prefix}${page ?? "/"}`, text: steps.again };
        const link = result.isFinal === true ? { address: hub.homeUrl, text: steps.home } : again;
        sendHubRefusal(response, request, { ...result, link });
        return true;
      }
      const link = signIns.freshLinkToken((device) => devices.add(device, result.token));
      response.writeHead(303, {
        Location: `${prefix}${page}#token=${link}`,
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
      });
      response.end();
      return true;
    },
    admits: devices.admits,
    begin(services) {
      const endDevices = devices.begin(services);
      const reports = { client, everyMs: hub.activityMs, now: Date.now, random: Math.random, log };
      const endReports = startActivityReports({ ...services, ...reports });
      open(services);
      return () => {
        stop.abort();
        endReports();
        endDevices();
      };
    },
  };
}

interface PersonToken {
  readonly token: string;
}

interface Refusal extends Pick<HubRefusal, "status" | "sentence"> {
  /** Another attempt of this person would end in the same way. */
  readonly isFinal?: boolean;
}

const steps = {
  again: { en: "Sign in again", "zh-CN": "重新登录" },
  home: { en: "Open JupyterHub", "zh-CN": "打开 JupyterHub" },
} as const;

const refusals = {
  state: {
    status: 400,
    sentence: {
      en: "This sign-in has expired, or was begun in another browser.",
      "zh-CN": "这次登录已过期，或是在另一个浏览器中发起的。",
    },
  },
  denied: {
    status: 403,
    sentence: { en: "JupyterHub didn't allow this sign-in.", "zh-CN": "JupyterHub 未允许这次登录。" },
  },
  code: {
    status: 403,
    sentence: {
      en: "JupyterHub didn't accept this sign-in. It may have expired.",
      "zh-CN": "JupyterHub 未接受这次登录，可能已过期。",
    },
  },
  right: {
    status: 403,
    sentence: {
      en: "JupyterHub doesn't allow you to use this server.",
      "zh-CN": "JupyterHub 不允许你使用这个服务器。",
    },
    isFinal: true,
  },
  unreachable: {
    status: 502,
    sentence: {
      en: "JupyterHub doesn't answer. Try again in a moment.",
      "zh-CN": "JupyterHub 没有响应，请稍后再试。",
    },
  },
} as const satisfies Record<string, Refusal>;

/** Exchanges the code for the token of the person for whom this server was started. */
async function findToken(
  { hub, client }: Pick<HubFrontDoorOptions, "hub" | "client">,
  code: string | null,
  signal: AbortSignal,
): Promise<PersonToken | Refusal> {
  if (code === null || code === "") return refusals.denied;
  const exchanged = await client.exchangeCode(code, signal);
  if (exchanged === "refused") return refusals.code;
  if (exchanged === "unreachable") return refusals.unreachable;
  const person = await client.person(exchanged.token, signal);
  if (person === "unreachable") return refusals.unreachable;
  return (person === "refused" ? refusals.right : personProblem(hub, person)) ?? exchanged;
}

/** Why this person may not use the server of another one; null = it is the one who may. */
function personProblem({ user, scopes }: HubVariables, person: HubPerson): Refusal | null {
  if (person.name !== user)
    return {
      status: 403,
      isFinal: true,
      sentence: {
        en: `This gopi-web belongs to ${user}. You are signed in to JupyterHub as ${person.name}.`,
        "zh-CN": `这个 gopi-web 属于 ${user}，而你在 JupyterHub 登录的用户是 ${person.name}。`,
      },
    };
  return scopes.some((scope) => person.scopes.includes(scope)) ? null : refusals.right;
}

function authorizeAddress({ authorizeUrl, clientId, callbackUrl }: HubVariables, state: string): string {
  const query = { client_id: clientId, redirect_uri: callbackUrl, response_type: "code", state };
  return `${authorizeUrl}?${new URLSearchParams(query).toString()}`;
}

/** The path of the page, or that of the first one if it is not one of this server's addresses. */
const pagePath = (page: string): string =>
  page.length <= pageMaxChars && targetAllowed(page) && /^[!-~]*$/.test(page) && !page.includes("#") ? page : "/";
