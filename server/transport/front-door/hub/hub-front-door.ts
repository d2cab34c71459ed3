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
import { sendHubRefusal } from "./hub-refusal";

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
    async answer({ url = "", method, headers }, response, path) {
      if (path !== hub.callbackPath || method !== "GET") return false;
      const { signIns } = await opened;
      const query = new URL(url, "http://localhost").searchParams;
      const page = begun.finish(query.get("state") ?? "", (place) => findCookie(headers.cookie, cookieName(place)));
      const result: Refusal | PersonToken =
        page === null ? refusals.state : await findToken({ hub, client }, query.get("code"), stop.signal);
      if ("sentence" in result) {
        const again = { address: `${prefix}/`, text: "Sign in again" };
        const link = result.isFinal === true ? { address: hub.homeUrl, text: "Open JupyterHub" } : again;
        sendHubRefusal(response, { ...result, link });
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

interface Refusal {
  readonly status: number;
  readonly sentence: string;
  /** Another attempt of this person would end in the same way. */
  readonly isFinal?: boolean;
}

const refusals = {
  state: { status: 400, sentence: "This sign-in has expired, or was begun in another browser." },
  denied: { status: 403, sentence: "JupyterHub didn't allow this sign-in." },
  code: { status: 403, sentence: "JupyterHub didn't accept this sign-in. It may have expired." },
  right: { status: 403, sentence: "JupyterHub doesn't allow you to use this server.", isFinal: true },
  unreachable: { status: 502, sentence: "JupyterHub doesn't answer. Try again in a moment." },
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
      sentence: `This gopi-web belongs to ${user}. You are signed in to JupyterHub as ${person.name}.`,
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
