/** The session's input to the context sources, and the blocks of a user's message. */
import { type Attachments, type Block, userBlocks } from "@/lib/events/content";
import { asId, type MessageId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { SessionView } from "@/lib/view/view";
import { dueContext } from "@/server/agent/context/context-blocks";
import { contextBudget } from "@/server/agent/context/context-budget";
import type { ContextBlock, ContextFacts, ProjectTexts } from "@/server/agent/context/context-source";
import { dueBlocks, type PinnedFilePlan } from "@/server/agent/context/pinned-files";
import type { SessionServices } from "../core/services";
import { appendToView } from "../loading/load";
import { promptedCatalogue, usedTools } from "../core/session-prompt";
import { templateMarkNotes } from "@/server/tools/toolbox/foreign-text";
import { addedCommands } from "../user-commands/added-commands";

/**
 * Builds the blocks of a user's message. Notices that the compiled context still contains, or that are in `start`, are not
 * repeated.
 */
export function contextForMessage(
  view: SessionView,
  text: string,
  services: SessionServices,
  pins: PinnedFilePlan,
  attachments: Attachments = {},
  start: readonly ContextBlock[] = [],
): readonly Block[] {
  const facts = { ...contextFacts(withStart(view, start), services, () => pins), message: text };
  const due = dueContext(services.contextSources(view.projectId), "message", facts);
  const references = [...addedCommands(view, facts.window), ...(attachments.references ?? [])];
  const blocks = [...start, ...due, ...dueBlocks(pins), ...userBlocks(text, { ...attachments, references })];
  return blocks.map(withMarkNote);
}

/** Adds the note about template marks to an added text, which keeps its bytes. The output of a command has it already. */
function withMarkNote(block: Block): Block {
  if (block.type !== "reference" || block.command === true) return block;
  const [note] = templateMarkNotes(block.text);
  return note === undefined ? block : { ...block, note };
}

/** The view as if the blocks had been sent in a message of their own. */
function withStart(view: SessionView, start: readonly ContextBlock[]): SessionView {
  const messageId = asId<MessageId>("start");
  return start.length === 0
    ? view
    : appendToView(view, view.updatedAt, [
        { type: "message_start", messageId, role: "user" },
        { type: "message_end", messageId, blocks: start, stop: "done" },
      ]);
}

/** Returns the facts outside a message and a result, without news of the shell. */
export const contextFacts = (
  view: SessionView,
  services: SessionServices,
  pins: () => PinnedFilePlan,
): ContextFacts => ({
  view,
  message: "",
  tool: null,
  window: () =>
    view.model === null ? serverLimits.windowMinTokens : contextBudget(services.modelFacts(view.model)).estimatedWindow,
  project: projectTexts(view, services),
  catalogue: () => promptedCatalogue(view, services),
  usedTools: () => usedTools(view, services),
  guides: [],
  evictedPins: () => pins().states.flatMap(({ path, state }) => (state === "evicted" ? [path] : [])),
  shell: { isRestarted: false, isReplaced: false },
});

function projectTexts({ projectId }: SessionView, services: SessionServices): ProjectTexts {
  let isTreePending = false;
  return {
    snapshot(maxTokens) {
      const snapshot = services.projectSnapshot(projectId, maxTokens);
      isTreePending = snapshot?.isTreePending === true;
      return snapshot?.text ?? null;
    },
    isTreePending: () => isTreePending,
    tree: (maxTokens) => services.projectTree(projectId, maxTokens),
  };
}
