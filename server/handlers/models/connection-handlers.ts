/** Commands of the connections family. */
import { ok } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { planConnectionWindow } from "@/server/models/connection-window";
import { listedWindow } from "@/server/models/notes/window-plan";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const connectionHandlers = ({ access, store, config }: CoreServices) => {
  const { connections } = access;
  const { known } = access.models;
  return {
    "connections.list": () => ok({ connections: connections.list(), presets: connections.presets() }),
    "connections.save": (input) => connections.save(input),
    "connections.remove": async ({ id }) => {
      const removed = connections.remove(id);
      // Removing the default connection makes Ollama the default for new sessions again.
      if (removed.ok && store.settings.read().connection === id) await config.write({ connection: "" });
      return removed;
    },
    "connections.models": async (reference) => {
      const listed = await connections.models(reference);
      if (!listed.ok) return listed;
      const provider = reference.draft?.id ?? reference.id;
      // Ollama lists its models with their notes.
      if (provider === undefined || connections.live().get(provider)?.ollama !== undefined)
        return ok({ models: listed.value });
      const live = connections.live().get(provider);
      const numCtx = live?.toConnection().numCtx ?? 0;
      const noted = (model: ModelInfo): ModelInfo => {
        const note = known.note({ provider, name: model.name, digest: model.digest });
        const window = listedWindow(model, planConnectionWindow(model, note, numCtx, live?.memoryBytes));
        return { ...model, ...(window === undefined ? {} : { window }), note };
      };
      return ok({ models: listed.value.map(noted) });
    },
    "connections.test": (reference) => connections.test(reference),
  } satisfies Partial<HandlerTable>;
};
