/** Step of `gopi-web init`: the model server of new sessions. */
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection } from "@/lib/models/models";
import { ollamaPreset } from "@/lib/models/ollama-connection";
import { isServerAddress } from "@/lib/models/server-address";
import { printable } from "../arguments/options";
import { RunFailure } from "../cli-error-text";
import { downloadEngineModel } from "./engine-download";
import { findServerChoices, type ServerChoice } from "./server-choices";
import type { Setup } from "./setup";

/** Asks again after a failure, until one is used or the user skips. */
export async function chooseServer(setup: Setup): Promise<void> {
  const { terminal } = setup;
  terminal.say("Looking for model servers …");
  for (;;) {
    const choice = await terminal.choose(await findServerChoices(setup));
    if (choice === null) return;
    try {
      const used = await useServer(setup, choice);
      if (used === null) continue;
      return terminal.say(`New sessions use ${used}.`);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      terminal.say(`That didn't work: ${error.message}`);
    }
  }
}

/** Returns the name of the server that is used now; null = none was chosen. Throws RunFailure. */
async function useServer(setup: Setup, choice: ServerChoice): Promise<string | null> {
  const { call, terminal } = setup;
  switch (choice.kind) {
    case "start":
      await call("models.start", {});
      return useConnection(setup, "");
    case "ollama":
      return useConnection(setup, "");
    case "connection":
      return useConnection(setup, choice.id);
    case "found":
      return useConnection(setup, (await save(setup, choice)).id);
    case "engine":
      terminal.say(`Downloading ${printable(choice.model.name)}. Ctrl+C pauses; what has arrived is kept.`);
      await downloadEngineModel(setup, choice.model);
      return useConnection(setup, engineConnectionId);
    case "address":
      return useAddress(setup);
  }
}

/** `id` of a connection, "" = Ollama. The model is the server's own again. */
async function useConnection({ call }: Setup, id: string): Promise<string> {
  const { connection } = await call("settings.write", { patch: { connection: id } });
  if (connection === "") return `Ollama at ${printable((await call("models.refresh", {})).host)}`;
  const { connections } = await call("connections.list", {});
  return printable(connections.find((one) => one.id === connection)?.name ?? connection);
}

const save = (
  { call }: Setup,
  { name, preset, address }: { readonly name: string; readonly preset: string; readonly address: string },
): Promise<Connection> => call("connections.save", { name, preset, baseUrl: address, model: "", numCtx: 0 });

/** Tries the address as Ollama, and as a server with the API of OpenAI. Throws RunFailure with why none answers. */
async function useAddress(setup: Setup): Promise<string | null> {
  const { call, terminal } = setup;
  const typed = await terminal.ask("Address, such as gpu:11434 or http://gpu:8000/v1, or Enter: ");
  if (typed === "") return null;
  if (!isServerAddress(typed)) throw new RunFailure("that is not the address of a model server");
  const address = /^https?:\/\//i.test(typed) ? typed : `http://${typed}`;
  const list = (preset: string, baseUrl: string) =>
    call("connections.models", { draft: { name: "server", preset, baseUrl, model: "", numCtx: 0 } });
  // Ollama has its own API beside that of OpenAI.
  const ollama = address.replace(/\/v1\/?$/, "");
  try {
    await list(ollamaPreset, ollama);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const isBare = URL.canParse(address) && new URL(address).pathname === "/";
    const base = isBare ? new URL("/v1", address).href : address;
    await list("custom", base).catch((cause: unknown) => {
      throw cause instanceof RunFailure && cause.code === "server_unreachable"
        ? new RunFailure(`no model server responds at ${printable(address)}`)
        : cause;
    });
    return useConnection(setup, (await save(setup, { name: new URL(base).host, preset: "custom", address: base })).id);
  }
  await call("settings.write", { patch: { ollamaHost: ollama } });
  return useConnection(setup, "");
}
