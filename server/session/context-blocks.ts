/** What the model is told beside the user's words, once: the project at first, the mode when it changes. Stored bytes. */
import { eachBack } from "@/lib/chunks";
import { type Block, imageBlocks, type ImageRef } from "@/lib/content";
import type { Mode } from "@/lib/policy";
import { limits } from "@/lib/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { shownName } from "@/lib/text/shown-name";
import type { SessionView } from "@/lib/view";
import { toldAbout } from "../agent/context/compile";
import { roomOf, snapshotTokens } from "../agent/window";
import { promptFile } from "../prompts/prompts";
import type { SessionServices } from "./services";

export type ContextBlock = Extract<Block, { type: "context" }>;

type ProjectServices = Pick<SessionServices, "snapshot" | "tree" | "modelFacts">;

/** The blocks of a user's message. What the compiled context still contains is not told again. */
export function tellUser(
  view: SessionView,
  text: string,
  services: ProjectServices,
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

/** In our own estimate. */
const windowOf = (view: SessionView, services: Pick<SessionServices, "modelFacts">): number =>
  view.model === null ? limits.windowMinTokens : roomOf(services.modelFacts(view.model)).estimated;

/** In the first request, always. A message that takes half of the window leaves it a quarter of the rest. */
function projectNotice(view: SessionView, said: string, services: ProjectServices): readonly ContextBlock[] {
  if (toldAbout(view, "project") !== null) return [];
  const window = windowOf(view, services);
  const own = snapshotTokens({ tokens: window });
  const left = window - estimateTokens(said);
  const maxTokens = left >= window / 2 ? own : Math.min(own, Math.max(0, Math.floor(left / 4)));
  const snapshot = services.snapshot(view.projectId, maxTokens);
  if (snapshot === null) return [];
  return [
    { type: "context", kind: "snapshot", topic: "project", text: snapshot.text },
    ...(snapshot.isTreePending ? [pendingTree] : []),
  ];
}

const pendingTree: ContextBlock = {
  type: "context",
  kind: "notice",
  topic: "tree",
  text: "The files of the project are still being listed; the list follows. Until then use ls and find.",
};

/** The tree of a project that was not listed yet when the session began, as soon as it is. */
export function treeNotice(view: SessionView, services: ProjectServices): readonly ContextBlock[] {
  if (toldAbout(view, "tree") !== pendingTree.text) return [];
  const maxTokens = Math.floor(snapshotTokens({ tokens: windowOf(view, services) }) / 2);
  const text = services.tree(view.projectId, maxTokens);
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

/** Ask is what a model takes for granted; every other mode, and the way back, is told. */
export function modeNotice(view: SessionView): readonly ContextBlock[] {
  const told = toldAbout(view, "mode") ?? modeTexts.ask;
  const text = modeTexts[view.mode];
  return told === text ? [] : [{ type: "context", kind: "notice", topic: "mode", text }];
}

/** Names of files put back that the model is told; of the others it hears how many. */
const namedFiles = 30;

/** Files the user put back since the last message of theirs, in the order of the log: a rewind hides none of it. */
function filesNotice(view: SessionView): readonly ContextBlock[] {
  const paths = new Set<string>();
  for (const entry of eachBack(view.entries)) {
    if (entry.kind === "message" && entry.role === "user") break;
    if (entry.kind === "restore") for (const { path } of entry.files) paths.add(path);
  }
  if (paths.size === 0) return [];
  const named = [...paths].sort().slice(0, namedFiles).map(shownName);
  const others = paths.size - named.length;
  const files = [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
  const text = promptFile("files-restored.md").replace("{{files}}", () => files);
  return [{ type: "context", kind: "notice", topic: "files", text }];
}

/** After a restart: the folder is in the log, exported variables were in memory only (they may be secrets). */
export const shellNotice: ContextBlock = {
  type: "context",
  kind: "notice",
  topic: "shell",
  text: "The shell was started anew: its folder was kept, variables exported before are gone.",
};

/** After the user restarted the shell. */
export const restartNotice: ContextBlock = {
  type: "context",
  kind: "notice",
  topic: "shell",
  text: "The user restarted the shell: it is in the project folder, and variables exported before are gone.",
};
