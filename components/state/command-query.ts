/** Queries by commands: the key and the type of a query follow from the name and the input of its command. */
import {
  partialMatchKey,
  type QueryClient,
  queryOptions,
  type SkipToken,
  skipToken,
  type UseQueryOptions,
} from "@tanstack/react-query";
import type { AgentError } from "@/lib/events/error";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { type CommandFamily, isOfFamily } from "@/lib/protocol/command-family";
import type { ServerConnection } from "./connection/server-connection";

type Call = ServerConnection["call"];

declare module "@tanstack/react-query" {
  interface Register {
    /** Function with which all queries of a client call the server. */
    queryMeta: { readonly call: Call };
  }
}

/** Error of a call that was answered with an error, for react-query and other code that throws. */
export class CallError extends Error {
  readonly error: AgentError;
  constructor(error: AgentError) {
    super(error.detail ?? error.code);
    this.error = error;
  }
}

/** The part of the context of a query function by which it calls the server. */
export interface CallContext {
  readonly meta: { readonly call: Call } | undefined;
}

/** Returns the value of a call, in a query function; throws CallError. */
export async function callValue<N extends CommandName>(
  { meta }: CallContext,
  name: N,
  input: CommandInput<N>,
): Promise<CommandOutput<N>> {
  if (meta === undefined) throw new Error("A query outside createClient");
  const answer = await meta.call(name, input);
  if (!answer.ok) throw new CallError(answer.error);
  return answer.value;
}

/** Options of react-query; times in ms. */
interface QueryPolicy {
  readonly staleTime?: number;
  readonly retry?: false;
  readonly refetchOnWindowFocus?: true;
  readonly refetchInterval?: number;
}

/** Data that pushes update: never fetched again automatically. */
export const pushed = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;
/** Files that are edited in other programs: read again on each mount, and whenever the window gets the focus. */
const edited = { refetchOnWindowFocus: true } as const;

/**
 * Policies for the answers of commands that pushes update or several components read; a sole reader states its own. Absent =
 * fetched on each mount, again after errors, and kept five minutes.
 */
const policies: { readonly [N in CommandName]?: QueryPolicy } = {
  "automations.list": pushed,
  "channels.list": pushed,
  "config.read": pushed,
  "config.read_models": pushed,
  /** For its presets, which are constant for the program version. */
  "connections.list": pushed,
  "connections.models": pushed,
  "devices.list": pushed,
  "extensions.list": edited,
  "mcp.offers": { staleTime: 30_000 },
  /** The server watches the files only for ten minutes after a query. */
  "mcp.state": { ...edited, refetchInterval: 300_000 },
  /** With the window plan, which depends on the other models in memory. */
  "models.show": pushed,
  "project.open": pushed,
  "rules.list": pushed,
  "settings.sandbox": { retry: false },
  "skills.list": edited,
  "terminal.list": pushed,
  "workflows.list": edited,
};

/** The last member is the state of something else that the answer depends on. */
type CommandKey<N extends CommandName> = readonly [name: N, input: CommandInput<N> | null, stamp?: unknown];

export type CommandQueryOptions<N extends CommandName, T> = Omit<
  UseQueryOptions<CommandOutput<N>, Error, T, CommandKey<N>>,
  "queryKey" | "queryFn" | "initialData"
> & {
  /** State of something else that the answer depends on: another one is another query. */
  readonly stamp?: unknown;
};

/** Options of a query for the answer of a command. `skipToken` = it is not called. */
export function commandQuery<N extends CommandName, T = CommandOutput<N>>(
  name: N,
  input: CommandInput<N> | SkipToken,
  { stamp, ...options }: CommandQueryOptions<N, T> = {},
) {
  const called = input === skipToken ? null : input;
  return queryOptions<CommandOutput<N>, Error, T, CommandKey<N>>({
    ...policies[name],
    ...options,
    queryKey: stamp === undefined ? [name, called] : [name, called, stamp],
    queryFn: input === skipToken ? skipToken : (context) => callValue(context, name, input),
  });
}

/**
 * Lets queries be fetched again: now if they are shown, else when they are shown again. `part` = the part of the inputs that they
 * have in common.
 */
export const invalidateCommands = (
  cache: QueryClient,
  families: readonly CommandFamily[],
  part: object = {},
  refetchType: "active" | "none" = "active",
): Promise<void> =>
  cache.invalidateQueries({
    refetchType,
    predicate: ({ queryKey: [name, input] }) =>
      families.some((family) => isOfFamily(String(name), family)) && partialMatchKey([input], [part]),
  });
