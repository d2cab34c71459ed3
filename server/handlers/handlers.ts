/** The table of all commands: parsed input in, a Result out. One road for the socket and for HTTP. */
import type * as z from "zod/mini";
import { type CommandInput, type CommandName, type CommandOutput, commands, isCommandName } from "@/lib/command";
import { type AgentError, type ErrorCode, errorCodes, type Result } from "@/lib/error";
import { asId, type ClientId, type SessionId } from "@/lib/id";

/** Who calls: a tab, the command line, or a request. */
export interface Client {
  readonly id: ClientId;
  readonly access: "owner" | "viewer";
  /** It came with the bearer of server.json: the user's own command line. */
  readonly bearer?: boolean;
  /** The signed-in browser it is; absent = it came with the bearer token, or only looks. */
  readonly device?: string;
  /** Fires when its connection ends; absent = what it asks for is carried out to the end. */
  readonly gone?: AbortSignal;
  /** From this moment on the client gets the session's envelopes. */
  join(id: SessionId): void;
  leave(id: SessionId): void;
}

export type Handler<N extends CommandName> = (
  input: CommandInput<N>,
  client: Client,
) => Result<CommandOutput<N>> | Promise<Result<CommandOutput<N>>>;
export type HandlerTable = { readonly [N in CommandName]: Handler<N> };

export interface Handlers {
  /** Of a door that has not all of them, what is missing is not allowed. */
  readonly table: Partial<HandlerTable>;
  /** What a command about this session waits for; null = nothing. Commands about one session go on in the order of their arrival. */
  ready?(id: SessionId, name: CommandName, signal: AbortSignal): Promise<void> | null;
  /** The client has gone: what it watched is let go. */
  gone(client: Client): void;
  /** An error that is a bug: for the server's own log. */
  bug(name: string, error: unknown): void;
}

/** The same table in a shape in which a name and its input belong together. */
const inputs: { readonly [N in CommandName]: { readonly input: z.ZodMiniType<CommandInput<N>> } } = commands;

/** Known name, parsed input, allowed, then the handler. Never throws. */
export async function callCommand(
  handlers: Handlers,
  name: unknown,
  input: unknown,
  client: Client,
): Promise<Result<unknown>> {
  if (typeof name !== "string" || !isCommandName(name)) return { ok: false, error: { code: "unknown_command" } };
  if (client.access === "viewer" && commands[name].access !== "viewer")
    return { ok: false, error: { code: "not_allowed" } };
  try {
    return await parseAndRun(handlers, name, input, client);
  } catch (error) {
    const told = errorOf(error);
    if (told.code === "internal") handlers.bug(name, error);
    return { ok: false, error: told };
  }
}

async function parseAndRun<N extends CommandName>(
  { table, ready }: Handlers,
  name: N,
  input: unknown,
  client: Client,
): Promise<Result<unknown>> {
  const handler: Handler<N> | undefined = table[name];
  if (handler === undefined) return { ok: false, error: { code: "not_allowed" } };
  const parsed = inputs[name].input.safeParse(input);
  if (parsed.success) {
    const id = sessionIn(parsed.data);
    const waiting = id === null ? null : ready?.(id, name, client.gone ?? new AbortController().signal);
    if (waiting) await waiting;
    return handler(parsed.data, client);
  }
  const issue = parsed.error.issues[0];
  const detail = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`.slice(0, 300);
  return { ok: false, error: { code: issue?.code === "too_big" ? "too_large" : "bad_input", detail } };
}

/** The session a command is about; null = it names none. */
const sessionIn = (input: object): SessionId | null =>
  "sessionId" in input && typeof input.sessionId === "string" ? asId<SessionId>(input.sessionId) : null;

/** Errors that carry a code of ours keep it, a wait that took too long or was stopped has one; everything else is a bug. */
export function errorOf(error: unknown): AgentError {
  if (!(error instanceof Error)) return { code: "internal", detail: String(error) };
  const stopped = stopOf(error);
  if (stopped !== undefined) return { code: stopped };
  const given = "code" in error ? error.code : undefined;
  return { code: errorCodes.find((code) => code === given) ?? "internal", detail: error.message };
}

/** The platform's own reasons of a signal. */
const stops: Readonly<Record<string, ErrorCode>> = { TimeoutError: "timeout", AbortError: "aborted" };
const stopOf = (error: Error): ErrorCode | undefined => (error instanceof DOMException ? stops[error.name] : undefined);
