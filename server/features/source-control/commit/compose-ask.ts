/** Composes the instruction to write the message of a commit: names of all changed files, and as much of their patches as fits. Pure. */
import { estimateTokens, type TokenScale } from "@/lib/text/estimate-tokens";
import { renderReference } from "@/server/agent/context/render-reference";
import { promptSection } from "@/server/prompts/prompts";
import type { MessageChange, MessageChanges } from "@/server/workspace/git/commit/message-changes";

/** Share of the room for the list of files. */
const listShare = 1 / 3;
/** Without room for this many tokens of changes no message can be written. */
const minChangeTokens = 100;
/** Tokens of tags and notes around the changes. */
const frameTokens = 80;
/** Characters of an earlier first line. */
const maxSubjectChars = 120;

/** Returns an instruction of at most `maxTokens` tokens of this scale; null = there is no room for one. */
export function composeMessageAsk(changes: MessageChanges, maxTokens: number, scale: TokenScale): string | null {
  const ask = formatAsk(changes.subjects);
  const room = maxTokens - frameTokens - estimateTokens(ask, scale);
  if (room < minChangeTokens) return null;
  const list = takeWithin(changes.files.map(formatFile), room * listShare, scale);
  const left = room - estimateTokens(list.join("\n"), scale);
  const { shown, missing } = choosePatches(changes.files, left, scale);
  const unnamed = changes.files.length - list.length + changes.hidden;
  const text = [
    [...list, ...(unnamed === 0 ? [] : [`… and ${countFiles(unnamed)} more`])].join("\n"),
    ...shown,
    ...(missing === 0 ? [] : [`The changes of ${countFiles(missing)} are not shown.`]),
  ].join("\n\n");
  return `${ask}\n\n${renderReference({ type: "reference", kind: "text", label: "changes", text })}`;
}

function formatAsk(subjects: readonly string[]): string {
  const lines = subjects.map((line) => `  ${[...line].slice(0, maxSubjectChars).join("")}`).join("\n");
  const style = promptSection("commit-message.md", lines === "" ? "first" : "as-before", { subjects: lines });
  return promptSection("commit-message.md", "ask", { style });
}

const countFiles = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;

const formatFile = ({ path, added, removed }: MessageChange): string =>
  `${JSON.stringify(path).slice(1, -1)} ${added === null || removed === null ? "(not text)" : `+${added} -${removed}`}`;

/** Returns the first texts that fit together. */
function takeWithin(texts: readonly string[], maxTokens: number, scale: TokenScale): readonly string[] {
  let left = maxTokens;
  const more = texts.findIndex((text) => (left -= estimateTokens(`${text}\n`, scale)) < 0);
  return more < 0 ? texts : texts.slice(0, more);
}

/** Chooses the shortest patches, and the start of the next one, in the order of the files. */
function choosePatches(files: readonly MessageChange[], maxTokens: number, scale: TokenScale) {
  const patches = files.flatMap(({ patch }, index) => (patch === null ? [] : [{ index, patch }]));
  const shown = new Map<number, string>();
  let left = maxTokens;
  for (const { index, patch } of patches.toSorted((one, other) => one.patch.length - other.patch.length)) {
    const tokens = estimateTokens(patch, scale) + 1;
    const lines = tokens <= left ? null : takeWithin(patch.split("\n"), left - frameTokens, scale);
    if (lines !== null && lines.length < minPatchLines) break;
    const count = patch.split("\n").length - (lines?.length ?? 0);
    shown.set(index, lines === null ? patch : `${lines.join("\n")}\n(${count} more lines of this file are not shown)`);
    left -= tokens;
    if (lines !== null) break;
  }
  const inOrder = patches.flatMap(({ index }) => shown.get(index) ?? []);
  return { shown: inOrder, missing: files.length - shown.size };
}

/** Lines of a patch below which its start says nothing: four of its head, and one. */
const minPatchLines = 7;
