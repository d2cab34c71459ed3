/** Speaks to the server that runs for a home: how a second start and `run` reach it. */
import type { CommandInput, CommandName } from "@/lib/command";
import { fail } from "@/lib/error";
import { limits } from "@/lib/settings";
import type { Answer } from "@/lib/socket";
import { takeHomeLock } from "@/server/store/home-lock";
import { readServerFile, type ServerFile } from "@/server/store/server-file";
import * as z from "zod/mini";

/**
 * The server that lives in a home now; null when there is none, or it does not listen yet. Only a holder of the home's
 * lock is believed: a server that was killed leaves its file behind, and its port may be another program's by now.
 */
export function findServer(home: string): ServerFile | null {
  const server = readServerFile(home);
  // The lock is asked for as rarely as can be: who is just starting must not find it taken by somebody who only looks.
  if (server === undefined || !isAlive(server.pid)) return null;
  const lock = takeHomeLock(home);
  if (!lock.ok) return lock.error.code === "store_locked" ? server : null;
  lock.value.release();
  return null;
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Where a server is asked, without a slash at the end. */
export const originOf = ({ address, port }: Pick<ServerFile, "address" | "port">): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}`;

const healthSchema = z.object({ ok: z.literal(true), version: z.string() });

/** Whether the server answers and its store is open, within `holderAnswerMs`. Rejects only with the signal's reason. */
export async function isHealthy(server: ServerFile, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${originOf(server)}/api/health`, { signal: soon(signal), redirect: "error" });
    return response.ok && healthSchema.safeParse(await response.json()).success;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** One command over HTTP. Fails with connection_lost when the server has gone; rejects only with the signal's reason. */
export async function call<N extends CommandName>(
  server: ServerFile,
  name: N,
  input: CommandInput<N>,
  signal: AbortSignal,
): Promise<Answer<N>> {
  return post(server, "/api/call", { name, input }, signal);
}

const linkSchema = z.object({ ok: z.literal(true), value: z.object({ token: z.string() }) });

/** A link that signs one browser in, once. null when the server does not answer; rejects only with the signal's reason. */
export async function freshLink(server: ServerFile, signal: AbortSignal): Promise<string | null> {
  const answer = linkSchema.safeParse(await post(server, "/api/link", {}, soon(signal)));
  signal.throwIfAborted();
  return answer.success ? signInLink(server.port, answer.data.value.token) : null;
}

/** The page of a server on this machine; the token stands in the fragment, which is never sent. */
export const signInLink = (port: number, token: string): string => `http://localhost:${port}/#token=${token}`;

/** The server's answer as it is: it is the same program, and what it says is typed by the command. */
async function post(server: ServerFile, path: string, body: object, signal: AbortSignal) {
  try {
    const response = await fetch(`${originOf(server)}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${server.token}` },
      body: JSON.stringify(body),
      redirect: "error",
      signal,
    });
    return await response.json();
  } catch (error) {
    signal.throwIfAborted();
    return fail("connection_lost", error instanceof Error ? error.message : undefined);
  }
}

const soon = (signal: AbortSignal): AbortSignal =>
  AbortSignal.any([signal, AbortSignal.timeout(limits.holderAnswerMs)]);
