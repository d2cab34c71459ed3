/**
 * The guides of folders, at the end of the first result of a file tool below the folder: what is sent earlier never
 * changes. After a compaction or a rewind removed one, the next such result brings it again.
 */
import { posix } from "node:path";
import { contextTexts } from "@/server/agent/context/compile";
import type { ContextInput, ContextSource, FolderGuide } from "@/server/agent/context/context-source";
import { fitLeadingLines } from "@/server/agent/context/snapshot";

/** Most guides of folders in a context. */
const guidesMax = 4;
/** Share of the window that one guide may take. */
const guideShare = 1 / 32;

const heading = (name: string): string => `Instructions for the folder ${posix.dirname(name)}, from ${name}:`;

/** One source for each guide that a result may bring. */
export const folderGuideSources: readonly ContextSource[] = Array.from({ length: guidesMax }, (_, index) => ({
  topic: "guide",
  kind: "notice",
  order: { result: 60 + index },
  share: (window) => Math.floor(window * guideShare),
  resend: "when_due",
  text: folderGuideText,
}));

function folderGuideText(input: ContextInput): string | null {
  if (input.guides.length === 0) return null;
  const present = contextTexts(input.view, "guide");
  const before = input.before.filter((topic) => topic === "guide").length;
  if (present.length + before >= guidesMax) return null;
  const due = input.guides.filter(({ name }) => !present.some((text) => text.startsWith(heading(name))));
  const next = due[before];
  return next === undefined ? null : renderFolderGuide(next, input.maxTokens());
}

function renderFolderGuide({ name, text }: FolderGuide, maxTokens: number): string | null {
  const shown = fitLeadingLines(text.trim(), name, maxTokens);
  return shown === ""
    ? `${heading(name)} the file is too long to be shown here: read it.`
    : `${heading(name)}\n${shown}`;
}
