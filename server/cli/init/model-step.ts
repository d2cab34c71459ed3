/** Step of `gopi-web init`: the model of new sessions on the chosen server. */
import { canChat } from "@/lib/models/can-chat";
import { environmentConnectionId } from "@/lib/models/default-connection";
import { engineConnectionId } from "@/lib/models/engine";
import { isSameModelName } from "@/lib/models/model-names";
import type { Connection, ModelInfo, PullState } from "@/lib/models/models";
import { suggestedModels } from "@/lib/models/suggested-models";
import type { CommandOutput } from "@/lib/protocol/command";
import { printable } from "../arguments/options";
import { cliErrorText, RunFailure } from "../cli-error-text";
import { fetchWelcome, resolveReplacement } from "../resolve-model";
import { pullLine } from "./download-lines";
import type { Setup } from "./setup";
import type { SetupChoice } from "./setup-terminal";

/** Throws RunFailure if no server answers, or what was chosen cannot be used. */
export async function chooseDefaultModel(setup: Setup): Promise<void> {
  const { call } = setup;
  const welcome = await fetchWelcome(call);
  const id = welcome.settings.connection;
  const connection =
    welcome.connections.find((one) => one.id === id) ?? (await resolveReplacement(call, welcome))?.connection;
  return connection === undefined ? chooseOllamaModel(setup, welcome) : chooseConnectionModel(setup, connection);
}

const toChoices = (models: readonly ModelInfo[], used: string): readonly SetupChoice<string>[] =>
  models.filter(canChat).map(({ name }) => ({
    label: `${printable(name)}${isSameModelName(name, used) ? ", used now" : ""}`,
    name,
    value: name,
  }));

async function chooseOllamaModel(
  setup: Setup,
  { settings }: Pick<CommandOutput<"app.welcome">, "settings">,
): Promise<void> {
  const { call, terminal } = setup;
  const { status, models, error } = await call("models.refresh", {});
  if (status !== "ready")
    throw new RunFailure(error === undefined ? "no model server responds" : cliErrorText(error), error?.code);
  const choices = toChoices(models, settings.model);
  if (choices.length === 0) terminal.say("Ollama has no model yet. Download one:");
  const model = await (choices.length > 0 ? terminal.choose(choices) : pullModel(setup));
  if (model === null) return;
  await call("settings.write", { patch: { model, connection: "" } });
  terminal.say(`New sessions use ${printable(model)}.`);
}

/** Has Ollama download a model; returns its name, null = skipped. */
async function pullModel({ call, pushes, terminal, signal }: Setup): Promise<string | null> {
  const choices = suggestedModels.map(({ name, downloadGb, memoryGb, note }) => ({
    label: `${name}, ${note}, ${downloadGb} GB, needs ${memoryGb} GB of memory`,
    name,
    value: name,
  }));
  const name = await terminal.choose(choices);
  if (name === null) return null;
  const check = (pull: PullState): PullState | null => {
    terminal.progress(pullLine(pull));
    return pull.status === "done" || pull.status === "failed" || pull.status === "cancelled" ? pull : null;
  };
  const end = new AbortController();
  const following = pushes.until(
    (push) => (push.type === "pull" && push.pull.name === name ? check(push.pull) : null),
    AbortSignal.any([signal, end.signal]),
  );
  following.catch(() => {});
  try {
    const { status, error } = check(await call("models.pull", { name })) ?? (await following);
    if (status === "done") return name;
    throw new RunFailure(error === undefined ? "the download was stopped" : cliErrorText(error), error?.code);
  } catch (error) {
    if (signal.aborted) await call("models.cancel_pull", { name }).catch(() => {});
    throw error;
  } finally {
    end.abort();
    terminal.progress(null);
  }
}

async function chooseConnectionModel({ call, terminal }: Setup, connection: Connection): Promise<void> {
  const { id, name, preset, baseUrl, temperature, numCtx, keyUse } = connection;
  const { models } = await call("connections.models", { id });
  const choices = toChoices(models, connection.model);
  // Their first model is the one of new sessions.
  const isFixed = id === engineConnectionId || id === environmentConnectionId;
  const [only] = choices;
  if (only === undefined) throw new RunFailure(`${printable(name)} has no model`);
  if (isFixed || choices.length === 1) {
    const others = choices.length === 1 ? "" : `; --model ${id}/NAME selects another one`;
    return terminal.say(`New sessions use ${printable(connection.model || only.value)}${others}.`);
  }
  const model = await terminal.choose(choices);
  if (model === null) return;
  const options = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(keyUse === undefined ? {} : { keyUse }),
  };
  await call("connections.save", { id, name, preset, baseUrl, model, numCtx, ...options });
  await call("settings.write", { patch: { connection: id } });
  terminal.say(`New sessions use ${printable(model)}.`);
}
