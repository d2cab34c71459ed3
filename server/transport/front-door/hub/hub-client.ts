/**
 * Requests of this server to JupyterHub's API. Answers are bounded in size and time; redirects are not followed, so that no
 * token reaches another address. A hub that does not answer is "unreachable", never an exception.
 */
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import * as z from "zod/mini";
import { timeLimit } from "@/server/base/abort";
import type { HubVariables } from "@/server/base/hub-variables";
import { parseJson } from "@/server/base/parse-json";

/** Time for an answer of the hub, ms. */
const answerMs = 10_000;
/** The model of a person includes the groups and servers. */
const answerMaxBytes = 1_000_000;

/** A token of a person that the hub refuses, and a hub that gives no usable answer. */
type HubFailure = "refused" | "unreachable";

export interface HubPerson {
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface HubClient {
  /** Version of the hub; null = it does not answer. */
  version(signal: AbortSignal): Promise<string | null>;
  /** Exchanges the code of a sign-in, once, for a token of the person. */
  exchangeCode(code: string, signal: AbortSignal): Promise<{ readonly token: string } | HubFailure>;
  /** The person to whom a token belongs. */
  person(token: string, signal: AbortSignal): Promise<HubPerson | HubFailure>;
  /** Reports when this server was last used, ms epoch. */
  reportActivity(at: number, signal: AbortSignal): Promise<"done" | HubFailure>;
}

const versionSchema = z.object({ version: z.string().check(z.regex(/^[\w.+-]{1,100}$/)) });
const tokenSchema = z.object({ access_token: z.string().check(z.regex(/^[\x21-\x7e]{1,1000}$/)) });
const personSchema = z.object({ name: z.string(), scopes: z.array(z.string()) });

export function makeHubClient(hub: HubVariables): HubClient {
  return {
    async version(signal) {
      const answer = await ask(`${hub.apiUrl}/`, {}, signal);
      return parseAnswer(versionSchema, answer)?.version ?? null;
    },
    async exchangeCode(code, signal) {
      const form = new URLSearchParams({
        client_id: hub.clientId,
        client_secret: hub.token,
        grant_type: "authorization_code",
        code,
        redirect_uri: hub.callbackUrl,
      });
      const body = { type: "application/x-www-form-urlencoded", text: form.toString() };
      const answer = await ask(`${hub.apiUrl}/oauth2/token`, { body }, signal);
      if (answer !== null && [400, 401, 403].includes(answer.status)) return "refused";
      const parsed = parseAnswer(tokenSchema, answer);
      return parsed === null ? "unreachable" : { token: parsed.access_token };
    },
    async person(token, signal) {
      const answer = await ask(`${hub.apiUrl}/user`, { token }, signal);
      return isRefusal(answer) ? "refused" : (parseAnswer(personSchema, answer) ?? "unreachable");
    },
    async reportActivity(at, signal) {
      const last_activity = new Date(at).toISOString();
      const text = JSON.stringify({ servers: { [hub.server]: { last_activity } }, last_activity });
      const body = { type: "application/json", text };
      const answer = await ask(hub.activityUrl, { token: hub.token, body }, signal);
      // 400 is of a moment that lies more than an hour ahead by the hub's clock.
      if (isRefusal(answer) || answer?.status === 400) return "refused";
      return answer !== null && answer.status < 300 ? "done" : "unreachable";
    },
  };
}

interface HubAnswer {
  readonly status: number;
  readonly text: string;
}

const isRefusal = (answer: HubAnswer | null): boolean => answer !== null && [401, 403, 404].includes(answer.status);

function parseAnswer<T>(schema: z.ZodMiniType<T>, answer: HubAnswer | null): T | null {
  if (answer?.status !== 200) return null;
  const parsed = schema.safeParse(parseJson(answer.text));
  return parsed.success ? parsed.data : null;
}

interface HubQuestion {
  readonly token?: string;
  /** Makes it a POST. */
  readonly body?: { readonly type: string; readonly text: string };
}

/** null = no whole answer within `answerMs` and `answerMaxBytes`. */
function ask(url: string, { token, body }: HubQuestion, signal: AbortSignal): Promise<HubAnswer | null> {
  const headers = {
    ...(token === undefined ? {} : { Authorization: `token ${token}` }),
    ...(body === undefined
      ? {}
      : { "Content-Type": body.type, "Content-Length": Buffer.byteLength(body.text).toString() }),
  };
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve) => {
    // Without an agent: that of NODE_USE_ENV_PROXY does not reach the hub.
    const sent = send(url, { method, headers, agent: false, signal: timeLimit(answerMs, signal) }, (answer) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      answer.on("data", (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > answerMaxBytes) answer.destroy();
        else pieces.push(piece);
      });
      answer.on("error", () => {});
      answer.on("close", () => {
        const text = Buffer.concat(pieces).toString("utf8");
        resolve(answer.complete && bytes <= answerMaxBytes ? { status: answer.statusCode ?? 0, text } : null);
      });
    });
    sent.on("error", () => resolve(null));
    sent.end(body?.text);
  });
}
