/** Queries by commands: the key and the type of a query follow from the name and the input of its command. */
import {
  partialMatchKey,
  type QueryClient,
  queryOptions,
  type SkipToken,
  skipToken,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { AgentError } from "@/lib/events/error";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { ServerConnection } from "./connection/server-connection";

type Call = ServerConnection["call"];

declare module "@tanstack/react-query" {
  interface Register {
    /** Of all queries of a client: how they call the server. */
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
  readonly gcTime?: number;
  readonly retry?: false;
  readonly refetchOnWindowFocus?: true;
  readonly refetchInterval?: number;
}

/** Data that pushes update: never fetched again automatically. */
export const pushed = { staleTime: Number.POSITIVE_INFINITY, retry: false } as const;
/** Files that are edited in other programs: read again on each mount, and whenever the window gets the focus. */
const edited = { refetchOnWindowFocus: true } as const;
const unrepeated = { retry: false } as const;
const unkept = { retry: false, gcTime: 0 } as const;

/** How long the answers of a command are used; absent = fetched on each mount, again after errors, and kept five minutes. */
const policies: { readonly [N in CommandName]?: QueryPolicy } = {
  "automations.draft": unrepeated,
  "automations.list": pushed,
  "automations.preview": { retry: false, staleTime: 60_000 },
  "automations.rehearsed_rules": unrepeated,
  "channels.list": pushed,
  "config.read": pushed,
  "config.read_models": pushed,
  /** For its presets, which are constant for the program version. */
  "connections.list": pushed,
  "connections.models": pushed,
  "devices.list": pushed,
  "evals.list": unrepeated,
  "extensions.commands": { staleTime: 10_000 },
  "extensions.file": { gcTime: 0 },
  "extensions.list": edited,
  "extensions.log": { gcTime: 0 },
  "files.existing": unkept,
  "history.models": unrepeated,
  "history.statistics": unrepeated,
  "mcp.log": { gcTime: 0 },
  "mcp.offers": { staleTime: 30_000 },
  /** The server watches the files only for ten minutes after a query. */
  "mcp.state": { ...edited, refetchInterval: 300_000 },
  /** With the window plan, which depends on the other models in memory. */
  "models.show": pushed,
  "models.window": unrepeated,
  "project.changes": unrepeated,
  "project.folders": unkept,
  "project.marks": unrepeated,
  "project.open": pushed,
  "prompts.read": edited,
  "rules.list": pushed,
  "rules.test": unkept,
  "server.status": unrepeated,
  "session.changes": unrepeated,
  /** Never changes. */
  "session.full_output": { ...pushed, gcTime: 0 },
  "session.pins": unrepeated,
  "session.preview_pins": unrepeated,
  "session.restore_preview": unkept,
  "session.tree": unrepeated,
  "settings.sandbox": unrepeated,
  "skills.list": edited,
  "skills.read": unkept,
  "terminal.list": pushed,
  "tools.offers": { staleTime: 30_000 },
  "web.state": edited,
  "workflows.draft": unkept,
  "workflows.list": edited,
  "workflows.read": unkept,
};

/** The last member is the state of something else that the answer depends on. */
type CommandKey<N extends CommandName> = readonly [name: N, input: CommandInput<N> | null, stamp?: unknown];

type CommandQueryOptions<N extends CommandName, T> = Omit<
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

/** The answer of a command as a query. */
export const useCommandQuery = <N extends CommandName, T = CommandOutput<N>>(
  name: N,
  input: CommandInput<N> | SkipToken,
  options?: CommandQueryOptions<N, T>,
): UseQueryResult<T> => useQuery(commandQuery<N, T>(name, input, options));

/** Whether a query has its first answer or error. */
export const isAnswered = ({ isPending, failureCount }: Pick<UseQueryResult, "isPending" | "failureCount">): boolean =>
  !isPending || failureCount > 0;

/** A command, or all commands of a family: `"mcp."`. */
export type QueryFamily = CommandName | (CommandName extends `${infer F}.${string}` ? `${F}.` : never);

/**
 * Lets queries be fetched again: now if they are shown, else when they are shown again. `part` = the part of the inputs that they
 * have in common.
 */
export const invalidateCommands = (
  cache: QueryClient,
  families: readonly QueryFamily[],
  part: object = {},
  refetchType: "active" | "none" = "active",
): Promise<void> =>
  cache.invalidateQueries({
    refetchType,
    predicate: ({ queryKey: [name, input] }) =>
      families.some((family) => (family.endsWith(".") ? String(name).startsWith(family) : name === family)) &&
      partialMatchKey([input], [part]),
  });
