/** Files the user restored since their last message, in log order; a rewind hides none of them. */
import { formatFileName } from "@/lib/text/format-file-name";
import { iterateBackward } from "@/lib/view/chunks";
import { findUserCommand } from "@/lib/events/user-command";
import type { SessionView } from "@/lib/view/view";
import type { ContextSource } from "@/server/agent/context/context-source";
import { promptFile } from "@/server/prompts/prompts";

/** Restored files listed by name in the notice; the others are counted. */
const maxNamedFiles = 30;

export const restoredFilesSource: ContextSource = {
  topic: "files",
  kind: "notice",
  order: { message: 40 },
  resend: "when_due",
  text({ view }) {
    const paths = restoredPaths(view);
    if (paths.size === 0) return null;
    const named = [...paths].sort().slice(0, maxNamedFiles).map(formatFileName);
    const omitted = paths.size - named.length;
    const files = [...named, ...(omitted > 0 ? [`${omitted} more`] : [])].join(", ");
    return promptFile("files-restored.md").replace("{{files}}", () => files);
  },
};

function restoredPaths(view: SessionView): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const entry of iterateBackward(view.entries)) {
    if (entry.kind === "message" && entry.role === "user" && findUserCommand(entry) === null) break;
    if (entry.kind === "restore") for (const { path } of entry.files) paths.add(path);
  }
  return paths;
}
