/** HTTP client for the server running in a home. */
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { type CallRequest, toCallRequest } from "@/lib/protocol/call-request";
import type { CommandInput, CommandName } from "@/lib/protocol/command";
import { fail } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import type { CommandAnswer } from "@/lib/protocol/socket";
import { timeLimit } from "@/server/base/abort";
import { machineName } from "@/server/base/machine-name";
import { isProcessAlive } from "@/server/base/is-process-alive";
import { takeHomeLock } from "@/server/store/core/home-lock";
import { readServerFile, type ServerFile } from "@/server/store/core/server-file";
import * as z from "zod/mini";

/**
 * The server running in a home; null = none, or it does not listen yet. Trusts only a holder of the home's lock: a
 * killed server leaves its file behind, and its port may be in use by another program.
 */
export function findServer(home: string): ServerFile | null {
  const server = findServerFile(home);
  // Takes the lock as rarely as possible: a starting server must not find it taken by a check.
  if (server === null) return null;
  const lock = takeHomeLock(home);
  if (!lock.ok) return lock.error.code === "store_locked" ? server : null;
  lock.value.release();
  return null;
}

/** The file of a home's server whose process exists; it may be of a killed one whose id another process has now. null = none. */
export function findServerFile(home: string): ServerFile | null {
  const server = readServerFile(home);
  return server !== undefined && !isElsewhere(server) && isProcessAlive(server.pid) ? server : null;
}

/** Whether the server runs on another machine, which shares the home: its address and its process are of that machine. */
export const isElsewhere = ({ machine }: ServerFile): boolean => {
  const own = machineName();
  return machine !== undefined && own !== undefined && machine !== own;
};

/** Origin at which this program reaches the server, without a final slash: in plain http also beside https, on this machine only. */
export const serverOrigin = ({ address, port }: Pick<ServerFile, "address" | "port">): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}`;

const healthSchema = z.object({ ok: z.literal(true), version: z.string() });

/** Whether the server answers within `holderAnswerMs` with its store open. Rejects only with the signal's reason. */
export async function isHealthy(server: ServerFile, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await send(server, { path: "/api/health" }, withAnswerTimeout(signal));
    return answer.status === 200 && healthSchema.safeParse(JSON.parse(answer.body)).success;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/**
 * Sends one command over HTTP. Fails with connection_lost when the server has gone; rejects only with the signal's
 * reason.
 */
export async function callServer<N extends CommandName>(
  server: ServerFile,
  name: N,
  input: CommandInput<N>,
  signal: AbortSignal,
): Promise<CommandAnswer<N>> {
  return post(server, toCallRequest(name, input), signal);
}

const linkSchema = z.object({ ok: z.literal(true), value: z.object({ token: z.string() }) });

/** One-time sign-in link for a browser. null = the server does not answer; rejects only with the signal's reason. */
export async function requestSignInLink(
  server: ServerFile,
  files: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const answer = linkSchema.safeParse(
    await post(server, { path: "/api/link", type: "application/json", body: "{}" }, withAnswerTimeout(signal)),
  );
  signal.throwIfAborted();
  if (!answer.success) return null;
  return signInUrl(server.origin ?? `http://localhost:${server.port}`, answer.data.value.token, files);
}

/**
 * Sign-in URL at an origin without a final slash; the token is in the fragment, which is never sent. The page pins `files`,
 * relative to the project, to a new session.
 */
export function signInUrl(origin: string, token: string, files: readonly string[] = []): string {
  const pins = new URLSearchParams(files.map((file) => ["pin", file])).toString();
  return `${origin}/${pins === "" ? "" : `?${pins}`}#token=${token}`;
}

/** Returns the server's answer unvalidated: it is the same program, and its type follows from the command. */
async function post(server: ServerFile, call: CallRequest, signal: AbortSignal) {
  try {
    const answer = await send(server, call, signal);
    return JSON.parse(answer.body);
  } catch (error) {
    signal.throwIfAborted();
    return fail("connection_lost", error instanceof Error ? error.message : undefined);
  }
}

/**
 * Sends a request, POST if it has a body. Neither `fetch` nor the common agent: with NODE_USE_ENV_PROXY both use the proxy of
 * the environment, which does not reach this machine.
 */
function send(
  server: ServerFile,
  { path, type, body }: Pick<CallRequest, "path"> & Partial<CallRequest>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  const headers = { "Content-Type": type, Authorization: `Bearer ${server.token}` };
  const options = { signal, agent: false, ...(body === undefined ? {} : { method: "POST", headers }) };
  return new Promise((resolve, reject) => {
    const sent = request(`${serverOrigin(server)}${path}`, options, (response) => {
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const withAnswerTimeout = (signal: AbortSignal): AbortSignal => timeLimit(serverLimits.holderAnswerMs, signal);
