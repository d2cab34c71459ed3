/** Reads what a session began with. */
import type { AutomationStart } from "@/lib/automations/automation";
import { iterate } from "@/lib/view/chunks";
import type { SessionView } from "@/lib/view/view";

export function sessionStart({ projectId, entries, model }: SessionView): AutomationStart {
  let prompt = "";
  for (const entry of iterate(entries)) {
    if (entry.kind !== "message" || entry.role !== "user") continue;
    prompt = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    break;
  }
  const connection = model === null || model.provider === "ollama" ? {} : { connection: model.provider };
  return { projectId, prompt, ...(model === null ? {} : { model: model.model, ...connection }) };
}
