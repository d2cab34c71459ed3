/** Speed of the newest run, as its line in the conversation shows it. Pure. */
import type { Usage } from "@/lib/events/content";
import { generationSpeed } from "@/lib/view/run-speed";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";

/** Returns the speed of the newest run that has one, so that a stopped run keeps that of the run before; null = none. */
export function newestRunSpeed(view: SessionView): number | null {
  let usages: Usage[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "message" && entry.usage !== undefined) usages.push(entry.usage);
    if (entry.kind !== "run_start") continue;
    const speed = generationSpeed(usages);
    if (speed !== null) return speed;
    usages = [];
  }
  return generationSpeed(usages) ?? (view.usage === null ? null : generationSpeed([view.usage]));
}
