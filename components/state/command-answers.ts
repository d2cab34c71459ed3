/** Applies the answers of commands: replaces queries and state, and marks queries that are out of date afterwards. */
import type { Result } from "@/lib/events/error";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { CommandFamily } from "@/lib/protocol/command-family";
import { invalidateCommands } from "./command-query";
import type { AppClient } from "./client";
import type { ServerState } from "./server-state";

/** The commands with the same answer. */
type SameAnswer<N extends CommandName> = {
  [M in CommandName]: [CommandOutput<N>, CommandOutput<M>] extends [CommandOutput<M>, CommandOutput<N>] ? M : never;
}[CommandName];

/** The query whose data the answer of a command is, for the same project if it is about one. */
const answeredQueries: { readonly [N in CommandName]?: SameAnswer<N> } = {
  "engine.add": "engine.state",
  "engine.download": "engine.state",
  "engine.remove": "engine.state",
  "engine.uninstall": "engine.state",
  "extensions.disable": "extensions.list",
  "extensions.enable": "extensions.list",
  "mcp.accept": "mcp.state",
  "mcp.add": "mcp.state",
  "mcp.approve": "mcp.state",
  "mcp.disable": "mcp.state",
  "mcp.remove": "mcp.state",
  "mcp.set_tool": "mcp.state",
  "mcp.set_value": "mcp.state",
  "mcp.sign_out": "mcp.state",
  "mcp.stop": "mcp.state",
  "mcp.stop_pin": "mcp.state",
  "project.trust": "project.open",
  "skills.set": "skills.list",
  "web.set": "web.state",
  "web.set_key": "web.state",
};

type QueryData = { [M in CommandName]: readonly [query: M, data: CommandOutput<M>] }[CommandName];

/** The query and its data in an answer that has more than these data. */
const answeredParts: { readonly [N in CommandName]?: (answer: CommandOutput<N>) => QueryData } = {
  "extensions.create": ({ state }) => ["extensions.list", state],
  "mcp.pin": ({ state }) => ["mcp.state", state],
};

/** The state of the server that the answer of a command is. */
const answeredState: { readonly [N in CommandName]?: (answer: CommandOutput<N>) => Partial<ServerState> } = {
  "models.refresh": (models) => ({ models }),
  "models.start": (models) => ({ models }),
  "network.close": (network) => ({ network }),
  "settings.write": (settings) => ({ settings }),
};

/** Queries that are out of date after a command, also after one that failed. */
const outdatedQueries: { readonly [N in CommandName]?: readonly CommandFamily[] } = {
  "devices.revoke": ["devices.list"],
  "extensions.disable": ["extensions.commands"],
  "extensions.enable": ["extensions.commands"],
  "openapi.accept": ["openapi."],
  "openapi.add": ["openapi."],
  "openapi.confirm": ["openapi."],
  "openapi.enable": ["openapi."],
  "openapi.reload": ["openapi."],
  "openapi.remove": ["openapi."],
  "openapi.set_key": ["openapi."],
  "openapi.set_tool": ["openapi."],
  "rules.remove": ["rules.list"],
  "rules.save": ["rules.list"],
};

/** Performs a command that changes something. Resolves once the queries and the state have what it changed. */
export async function performCommand<N extends CommandName>(
  client: Pick<AppClient, "call" | "cache" | "serverState">,
  name: N,
  input: CommandInput<N>,
): Promise<Result<CommandOutput<N>>> {
  const answer = await client.call(name, input);
  if (answer.ok) await storeAnswer(client, name, input, answer.value);
  const outdated = outdatedQueries[name];
  if (outdated !== undefined) await invalidateCommands(client.cache, outdated, projectOf(input));
  return answer;
}

async function storeAnswer<N extends CommandName>(
  { cache, serverState }: Pick<AppClient, "cache" | "serverState">,
  name: N,
  input: CommandInput<N>,
  value: CommandOutput<N>,
): Promise<void> {
  const toState: ((answer: CommandOutput<N>) => Partial<ServerState>) | undefined = answeredState[name];
  if (toState !== undefined) serverState.merge(toState(value));
  const toPart: ((answer: CommandOutput<N>) => QueryData) | undefined = answeredParts[name];
  const [query, data] = toPart?.(value) ?? [answeredQueries[name], value];
  if (query === undefined) return;
  const queryKey = [query, projectOf(input)];
  // An answer that is on its way is older.
  await cache.cancelQueries({ queryKey, exact: true });
  cache.setQueryData(queryKey, data);
}

const projectOf = (input: CommandInput<CommandName>): object =>
  "projectId" in input ? { projectId: input.projectId } : {};
