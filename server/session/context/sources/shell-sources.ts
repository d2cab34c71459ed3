/** Notices about the shell: the user restarted it, or a new process replaced it. */
import { isCommandKind } from "@/lib/events/tool-presentations";
import type { ContextSource } from "@/server/agent/context/context-source";

export const shellRestartText =
  "The user restarted the shell: it is in the project folder, and variables exported before are gone.";
export const shellReplacedText = "The shell was started anew: its folder was kept, variables exported before are gone.";

/** After the user restarted the shell. */
export const shellRestartSource: ContextSource = {
  topic: "shell",
  kind: "notice",
  order: { result: 20 },
  resend: "when_due",
  text: ({ shell }) => (shell.isRestarted ? shellRestartText : null),
};

/** After a restart: the folder is in the log, exported variables were in memory only (they may be secrets). */
export const shellReplacedSource: ContextSource = {
  topic: "shell",
  kind: "notice",
  order: { result: 30 },
  resend: "when_due",
  text: ({ shell, tool }) => (tool !== null && isCommandKind(tool) && shell.isReplaced ? shellReplacedText : null),
};
