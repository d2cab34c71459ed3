/** Finds the model servers that `gopi-web init` offers: those that are set up, those that answer here, and the built-in engine. */
import { engineConnectionId, type EngineState, type SuggestedModel } from "@/lib/models/engine";
import { openSuggestions } from "@/lib/models/open-suggestions";
import type { Connection, ModelInfo } from "@/lib/models/models";
import type { CommandOutput } from "@/lib/protocol/command";
import { abortable, timeLimit } from "@/server/base/abort";
import { printable } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";
import { formatBytes } from "../output/format-bytes";
import { fetchWelcome } from "../resolve-model";
import type { EngineModelOffer } from "./engine-download";
import type { Setup } from "./setup";
import type { SetupChoice } from "./setup-terminal";

/** Use of a server in new sessions. */
export type ServerChoice =
  /** The main model server. */
  | { readonly kind: "ollama" }
  /** It is installed, and not running. */
  | { readonly kind: "start" }
  | { readonly kind: "connection"; readonly id: string }
  /** It answers here, and is not set up. */
  | { readonly kind: "found"; readonly preset: string; readonly name: string; readonly address: string }
  | { readonly kind: "engine"; readonly model: EngineModelOffer }
  | { readonly kind: "address" };

/** Maximum wait for a server's models, ms. */
const listMs = 3_000;

/** Returns the choices, the ones that answer first. */
export async function findServerChoices(setup: Setup): Promise<readonly SetupChoice<ServerChoice>[]> {
  const { call } = setup;
  const welcome = await fetchWelcome(call);
  const [ollama, connections, found, engine] = await Promise.all([
    describeOllama(setup, welcome),
    Promise.all(welcome.connections.map((connection) => describeConnection(setup, connection, welcome))),
    findLocalServers(setup, welcome),
    call("engine.state", {}),
  ]);
  return [
    ...ollama,
    ...connections,
    ...found,
    ...engineChoices(engine),
    { label: "another server, by its address", value: { kind: "address" } },
  ];
}

type Welcome = Pick<CommandOutput<"app.welcome">, "connections" | "settings" | "models">;

const inUse = (isUsed: boolean): string => (isUsed ? ", used now" : "");

async function describeOllama({ call }: Setup, { settings }: Welcome): Promise<readonly SetupChoice<ServerChoice>[]> {
  const { status, host, models, canStart, openAi } = await call("models.refresh", {});
  const used = inUse(settings.connection === "");
  if (status === "ready")
    return [{ label: `Ollama at ${printable(host)}, ${countModels(models)}${used}`, value: { kind: "ollama" } }];
  if (openAi !== undefined)
    return [
      {
        label: `a model server at ${printable(openAi)}`,
        value: { kind: "found", preset: "custom", name: new URL(openAi).host, address: openAi },
      },
    ];
  return canStart ? [{ label: "Ollama, which is installed and not running: start it", value: { kind: "start" } }] : [];
}

async function describeConnection(
  setup: Setup,
  { id, name, baseUrl, local }: Connection,
  { settings }: Welcome,
): Promise<SetupChoice<ServerChoice>> {
  const place = id === engineConnectionId ? "" : ` at ${printable(baseUrl)}`;
  // An online service is asked when it is used.
  const state = local ? await listText(setup, id) : "online: what you write is sent there";
  const label = `${printable(name)}${place}, ${state}${inUse(settings.connection === id)}`;
  return { label, value: { kind: "connection", id } };
}

async function listText({ link, signal }: Setup, id: string): Promise<string> {
  const listed = await abortable(link.call("connections.models", { id }), timeLimit(listMs, signal)).catch(() => null);
  signal.throwIfAborted();
  if (listed === null) return "not responding";
  return listed.ok ? countModels(listed.value.models) : cliErrorText(listed.error);
}

/** Asks the usual addresses of model servers on this machine that are not set up. */
async function findLocalServers(
  { call, link, signal }: Setup,
  { connections, models }: Welcome,
): Promise<readonly SetupChoice<ServerChoice>[]> {
  const { presets } = await call("connections.list", {});
  const listed = [models.host, ...connections.map(({ baseUrl }) => baseUrl)].map(originOf);
  const local = presets
    .filter(({ local, baseUrl }) => local && baseUrl !== "")
    .flatMap((preset) => [preset, ...(preset.otherBaseUrls ?? []).map((baseUrl) => ({ ...preset, baseUrl }))])
    .filter(({ baseUrl }) => !listed.includes(originOf(baseUrl)));
  const answers = await Promise.all(
    local.map(async ({ id, name, baseUrl }): Promise<readonly SetupChoice<ServerChoice>[]> => {
      const draft = { name, preset: id, baseUrl, model: "", numCtx: 0 };
      const answer = await abortable(link.call("connections.models", { draft }), timeLimit(listMs, signal)).catch(
        () => null,
      );
      if (answer === null || !answer.ok || answer.value.models.length === 0) return [];
      const label = `${name} at ${baseUrl}, ${countModels(answer.value.models)}`;
      return [{ label, value: { kind: "found", preset: id, name, address: baseUrl } }];
    }),
  );
  signal.throwIfAborted();
  return answers.flat();
}

const originOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).origin.replace("//localhost", "//127.0.0.1") : address;

/** Unfinished downloads, then the smallest and the best model for this machine. */
function engineChoices(state: EngineState): readonly SetupChoice<ServerChoice>[] {
  const { program, offer, downloads, hubProblem } = state;
  const build = program === null ? offer?.builds[0] : undefined;
  if ((program === null && build === undefined) || hubProblem !== undefined) return [];
  const withProgram = build === undefined ? "" : `, and llama.cpp, ${formatBytes(build.bytes)}`;
  const toChoice = (label: string, model: EngineModelOffer): SetupChoice<ServerChoice> => ({
    label: `built-in engine: ${label}${withProgram}`,
    value: { kind: "engine", model: { ...model, ...(build === undefined ? {} : { build: build.kind }) } },
  });
  const open = openSuggestions(state).filter(({ fit }) => fit !== "too_large");
  const best = open[0];
  const small = open.toSorted((one, other) => one.bytes - other.bytes)[0];
  const describe = (model: SuggestedModel, note: string): SetupChoice<ServerChoice> => {
    const { name, reference, bytes, memoryBytes } = model;
    const facts = `${formatBytes(bytes)}, needs ${formatBytes(memoryBytes)} of memory`;
    return toChoice(`download ${printable(name)}, ${note}, ${facts}`, { name, reference });
  };
  return [
    ...downloads.map(({ name, reference }) =>
      toChoice(`continue the download of ${printable(name)}`, { name, reference }),
    ),
    ...(small === undefined || small === best ? [] : [describe(small, "small")]),
    ...(best === undefined ? [] : [describe(best, "the best that fits this machine")]),
  ];
}

const countModels = (models: readonly ModelInfo[]): string => `${models.length} model${models.length === 1 ? "" : "s"}`;
