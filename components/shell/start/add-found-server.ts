/** Adds an OpenAI-compatible server that was found at an address, with the model that it has. */
import type { AgentError } from "@/lib/events/error";
import { canChat } from "@/lib/models/can-chat";
import type { ModelInfo } from "@/lib/models/models";
import type { AppClient } from "../../state/client";

/**
 * New sessions use the connection. Its model is the only one of the server, or the only one in memory; of several, the
 * user chooses one on the start page. Resolves with the error of the save; null = it was saved.
 */
export async function addFoundServer({ call }: Pick<AppClient, "call">, baseUrl: string): Promise<AgentError | null> {
  const draft = { name: new URL(baseUrl).host, preset: "custom", baseUrl, model: "", numCtx: 0 };
  const listed = await call("connections.models", { draft });
  const model = listed.ok ? onlyModel(listed.value.models) : "";
  const saved = await call("connections.save", { ...draft, model });
  if (!saved.ok) return saved.error;
  const used = await call("settings.write", { patch: { connection: saved.value.id } });
  return used.ok ? null : used.error;
}

/** Returns its name; "" = there is none, or more than one. */
function onlyModel(models: readonly ModelInfo[]): string {
  const chat = models.filter(canChat);
  const loaded = chat.filter(({ load }) => load?.state === "loaded");
  const [model, ...others] = loaded.length === 1 ? loaded : chat;
  return model === undefined || others.length > 0 ? "" : model.name;
}
