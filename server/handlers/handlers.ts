/** The table of all commands: parsed input in, a Result out. Shared by the socket and HTTP. */
import type * as z from "zod/mini";
import {
  type CommandInput,
  type CommandName,
  type CommandOutput,
  commands,
  isCommandName,
} from "@/lib/protocol/command";
import { type AgentError, type ErrorCode, errorCodes, type Result, makeError } from "@/lib/events/error";
import { asId, type SessionId } from "@/lib/events/id";
import type { SessionClient } from "@/server/session/service/session-service";
import type { TopicName } from "@/lib/protocol/topics";
import { neverAborted } from "@/server/base/abort";

/** The caller: a tab, the command line, or a request. */
export interface CommandClient extends SessionClient {
  readonly access: "owner" | "viewer";
  /** Id of the signed-in browser; absent = authenticated by the bearer token, or a viewer. */
  readonly device?: string;
  /** Subscribes the client to what a topic reports about the subject. */
  join(topic: TopicName, subject: string): void;
  leave(topic: TopicName, subject: string): void;
}

/** The origin of a client by how it was authenticated: the bearer token of server.json is the command line's. */
export const clientOrigin = (access: string | null): Pick<CommandClient, "origin"> =>
  access === "bearer" ? { origin: { kind: "cli" } } : {};

export type Handler<N extends CommandName> = (
  input: CommandInput<N>,
  client: CommandClient,
) => Result<CommandOutput<N>> | Promise<Result<CommandOutput<N>>>;
export type HandlerTable = { readonly [N in CommandName]: Handler<N> };

export interface Handlers {
  /** A command missing from the table is not allowed. */
  readonly table: Partial<HandlerTable>;
  /**
   * Resolves when a command about this session may run; null = at once. Commands about one session resume in order of
   * arrival.
   */
  ready?(id: SessionId, name: CommandName, signal: AbortSignal): Promise<void> | null;
  /** Releases what the client subscribed to, after it has disconnected. */
  clientDisconnected(client: CommandClient): void;
  /** Reports an unexpected error to the server's log. */
  reportBug(name: string, error: unknown): void;
}

/** The command table typed so that a name and its input correspond. */
const commandInputs: { readonly [N in CommandName]: { readonly input: z.ZodMiniType<CommandInput<N>> } } = commands;

/** Checks name, permission and input, then calls the handler. Never throws. */
export async function executeCommand(
  handlers: Handlers,
  name: unknown,
  input: unknown,
  client: CommandClient,
): Promise<Result<unknown>> {
  if (typeof name !== "string" || !isCommandName(name)) return { ok: false, error: { code: "unknown_command" } };
  if (client.access === "viewer" && commands[name].access !== "viewer")
    return { ok: false, error: { code: "not_allowed" } };
  try {
    return await parseAndRun(handlers, name, input, client);
  } catch (error) {
    const agentError = toAgentError(error);
    if (agentError.code === "internal") handlers.reportBug(name, error);
    return { ok: false, error: agentError };
  }
}

async function parseAndRun<N extends CommandName>(
  { table, ready }: Handlers,
  name: N,
  input: unknown,
  client: CommandClient,
): Promise<Result<unknown>> {
  const handler: Handler<N> | undefined = table[name];
  if (handler === undefined) return { ok: false, error: { code: "not_allowed" } };
  const parsed = commandInputs[name].input.safeParse(input);
  if (parsed.success) {
    const id = sessionIdIn(parsed.data);
    const waiting = id === null ? null : ready?.(id, name, client.disconnected ?? neverAborted);
    if (waiting) await waiting;
    return handler(parsed.data, client);
  }
  const issue = parsed.error.issues[0];
  const detail = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`.slice(0, 300);
  return { ok: false, error: { code: issue?.code === "too_big" ? "too_large" : "bad_input", detail } };
}

/** The session a command is about; null = it has no session id. */
const sessionIdIn = (input: object): SessionId | null =>
  "sessionId" in input && typeof input.sessionId === "string" ? asId<SessionId>(input.sessionId) : null;

/** Keeps our error codes, maps timeouts and aborts to theirs; every other error is internal. */
export function toAgentError(error: unknown): AgentError {
  if (!(error instanceof Error)) return { code: "internal", detail: String(error) };
  const stopped = abortCode(error);
  if (stopped !== undefined) return makeError(stopped);
  const errorCode = "code" in error ? error.code : undefined;
  return makeError(errorCodes.find((code) => code === errorCode) ?? "internal", { detail: error.message });
}

/** Names of DOMException to error codes. */
const codeByAbortName: Readonly<Record<string, ErrorCode>> = { TimeoutError: "timeout", AbortError: "aborted" };
const abortCode = (error: Error): ErrorCode | undefined =>
  error instanceof DOMException ? codeByAbortName[error.name] : undefined;
