/** The user's commands since the last message, as references of the next one: the model gets them as stored bytes. */
import { joinTextBlocks, type ReferenceBlock } from "@/lib/events/content";
import { settingsDefaults } from "@/lib/settings/settings";
import { findUserCommand, formatUserCommand } from "@/lib/events/user-command";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { fitText, resultShareTokens } from "@/server/agent/tools/fit-result";

/** Longest command in the name of its reference, UTF-16 units. */
const labelMaxChars = 1_000;

/**
 * References of the commands that ended since the user's last message, oldest first, each cut to its share of the
 * window.
 */
export function addedCommands(view: SessionView, windowTokens: () => number): readonly ReferenceBlock[] {
  const ended = endedCommands(view);
  if (ended.length === 0) return [];
  const maxTokens = resultShareTokens(windowTokens(), ended.length);
  return ended.map(({ label, output, hasFailed }) => ({
    type: "reference",
    kind: "text",
    label: label.length > labelMaxChars ? `${label.slice(0, labelMaxChars)}…` : label,
    command: true,
    text: fitText(output, { bytes: settingsDefaults.bashOutputBytes, keep: hasFailed ? "failure" : "both" }, maxTokens)
      .text,
  }));
}

interface EndedCommand {
  readonly label: string;
  readonly output: string;
  readonly hasFailed: boolean;
}

/** Commands whose output goes with the next message, oldest first. */
function endedCommands(view: SessionView): readonly EndedCommand[] {
  const commands: EndedCommand[] = [];
  for (const entry of pathEntriesBackward(view)) {
    // A run that was continued without a message has answers only.
    if (entry.kind !== "message" || entry.role !== "user") continue;
    const found = findUserCommand(entry);
    if (found === null) break;
    if (found.isAdded && found.call.output !== undefined)
      commands.push({
        label: formatUserCommand(found),
        output: joinTextBlocks(found.call.output),
        hasFailed: found.call.state === "error",
      });
  }
  return commands.reverse();
}
