/** Context blocks that accompany a message, each once: the project at first, the mode when it changes. Stored bytes. */
import { iterateBackward } from "@/lib/view/chunks";
import { type Block, imageBlocks, type ImageRef } from "@/lib/events/content";
import type { Mode } from "@/lib/permissions/policy";
import { limits } from "@/lib/settings/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { formatFileName } from "@/lib/text/format-file-name";
import type { SessionView } from "@/lib/view/view";
import { lastContextText } from "../../agent/context/compile";
import { contextBudget, snapshotMaxTokens } from "../../agent/context/context-budget";
import { promptFile } from "../../prompts/prompts";
import type { SessionServices } from "../core/services";

export type MessageContextBlock = Extract<Block, { type: "context" }>;

type ProjectContextServices = Pick<SessionServices, "projectSnapshot" | "projectTree" | "modelFacts">;

/** Builds the blocks of a user's message. Notices that the compiled context still contains are not repeated. */
export function contextForMessage(
  view: SessionView,
  text: string,
  services: ProjectContextServices,
  images: readonly ImageRef[] = [],
): readonly Block[] {
  const project = projectNotice(view, text, services);
  const tree = project.length > 0 ? [] : treeNotice(view, services);
  return [
    ...project,
    ...tree,
    ...modeNotice(view),
    ...filesNotice(view),
    { type: "text", text },
    ...imageBlocks(images),
  ];
}

/** Window in tokens of our own estimate. */
const estimatedWindow = (view: SessionView, services: Pick<SessionServices, "modelFacts">): number =>
  view.model === null ? limits.windowMinTokens : contextBudget(services.modelFacts(view.model)).estimatedWindow;

/**
 * Project snapshot for the first request. If the message takes more than half of the window, at most a quarter of the
 * rest.
 */
function projectNotice(
  view: SessionView,
  message: string,
  services: ProjectContextServices,
): readonly MessageContextBlock[] {
  if (lastContextText(view, "project") !== null) return [];
  const window = estimatedWindow(view, services);
  const own = snapshotMaxTokens({ tokens: window });
  const left = window - estimateTokens(message);
  const maxTokens = left >= window / 2 ? own : Math.min(own, Math.max(0, Math.floor(left / 4)));
  const snapshot = services.projectSnapshot(view.projectId, maxTokens);
  if (snapshot === null) return [];
  return [
    { type: "context", kind: "snapshot", topic: "project", text: snapshot.text },
    ...(snapshot.isTreePending ? [pendingTreeNotice] : []),
  ];
}

const pendingTreeNotice: MessageContextBlock = {
  type: "context",
  kind: "notice",
  topic: "tree",
  text: "The files of the project are still being listed; the list follows. Until then use ls and find.",
};

/** The tree of a project that was not yet listed when the session began, once it is. */
export function treeNotice(view: SessionView, services: ProjectContextServices): readonly MessageContextBlock[] {
  if (lastContextText(view, "tree") !== pendingTreeNotice.text) return [];
  const maxTokens = Math.floor(snapshotMaxTokens({ tokens: estimatedWindow(view, services) }) / 2);
  const text = services.projectTree(view.projectId, maxTokens);
  if (text === null) return [];
  return [
    { type: "context", kind: "notice", topic: "tree", text: text === "" ? "The project has no files to list." : text },
  ];
}

const modeTexts: Record<Mode, string> = {
  ask: "Mode: ask. The user is asked before anything is changed or run.",
  edits: "Mode: accept edits. Edits run at once; the user is asked before other commands.",
  plan: "Mode: plan. Read only: do not try to change or run anything; describe a plan.",
  full: "Mode: full access. Calls run without asking.",
};

/** Ask is the default; a notice is sent only when the mode leaves or returns to Ask. */
export function modeNotice(view: SessionView): readonly MessageContextBlock[] {
  const last = lastContextText(view, "mode") ?? modeTexts.ask;
  const text = modeTexts[view.mode];
  return last === text ? [] : [{ type: "context", kind: "notice", topic: "mode", text }];
}

/** Restored files listed by name in the notice; the others are counted. */
const maxNamedFiles = 30;

/** Files the user restored since their last message, in log order; a rewind hides none of them. */
function filesNotice(view: SessionView): readonly MessageContextBlock[] {
  const paths = new Set<string>();
  for (const entry of iterateBackward(view.entries)) {
    if (entry.kind === "message" && entry.role === "user") break;
    if (entry.kind === "restore") for (const { path } of entry.files) paths.add(path);
  }
  if (paths.size === 0) return [];
  const named = [...paths].sort().slice(0, maxNamedFiles).map(formatFileName);
  const others = paths.size - named.length;
  const files = [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
  const text = promptFile("files-restored.md").replace("{{files}}", () => files);
  return [{ type: "context", kind: "notice", topic: "files", text }];
}

/** After a restart: the folder is in the log, exported variables were in memory only (they may be secrets). */
export const shellNotice: MessageContextBlock = {
  type: "context",
  kind: "notice",
  topic: "shell",
  text: "The shell was started anew: its folder was kept, variables exported before are gone.",
};

/** After the user restarted the shell. */
export const restartNotice: MessageContextBlock = {
  type: "context",
  kind: "notice",
  topic: "shell",
  text: "The user restarted the shell: it is in the project folder, and variables exported before are gone.",
};
