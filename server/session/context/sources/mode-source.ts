/** The permission mode. Ask is the default; a notice is sent only when the mode leaves or returns to Ask. */
import type { Mode } from "@/lib/permissions/policy";
import type { ContextSource } from "@/server/agent/context/context-source";

const modeTexts: Record<Mode, string> = {
  ask: "Mode: ask. The user is asked before anything is changed or run.",
  edits: "Mode: accept edits. Edits run at once; the user is asked before other commands.",
  plan: "Mode: plan. Read only: do not try to change or run anything; describe a plan.",
  full: "Mode: full access. Calls run without asking.",
};

export const modeSource: ContextSource = {
  topic: "mode",
  kind: "notice",
  order: { message: 30, result: 10, compaction: 20 },
  resend: "when_changed",
  assumed: modeTexts.ask,
  text: ({ view }) => modeTexts[view.mode],
};
