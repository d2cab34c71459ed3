/** Describes the whole effect of an approval as text. */
import type { CallPreview } from "../events/tool-kind";
import type { Hunk } from "../text/diff";
import { escapeInvisible } from "../text/escape-invisible";
import type { CallView } from "./view";

/** The first lines of approvals in one language; names and paths are already escaped. */
export interface ApprovalWords {
  /** `network` undefined = the command does not run in the sandbox. */
  run(folder: string, network: boolean | undefined): string;
  create(path: string): string;
  change(path: string): string;
  /** `files` undefined = it is no folder. */
  delete(path: string, files: number | undefined): string;
  callOf(tool: string, source: string): string;
}

interface ApprovalText {
  readonly head: string;
  /** The command, the diff or the input; "" = the head says everything. */
  readonly body: string;
}

/** Returns the complete effect to decide on, in which no character is invisible. */
export function approvalText(
  { name, target }: Pick<CallView, "name" | "target">,
  preview: CallPreview | undefined,
  words: ApprovalWords,
): ApprovalText {
  switch (preview?.kind) {
    case "command":
      return {
        head: words.run(escapeInvisible(preview.cwd), preview.sandbox?.network),
        body: escapeInvisible(preview.command),
      };
    case "diff": {
      const path = escapeInvisible(preview.path);
      const head = preview.created ? words.create(path) : words.change(path);
      return { head: `${head}, +${preview.added} -${preview.removed}`, body: formatDiff(preview.hunks) };
    }
    case "delete":
      return {
        head: words.delete(escapeInvisible(preview.path), preview.folder ? preview.files : undefined),
        body: "",
      };
    case "external":
      return {
        head: words.callOf(escapeInvisible(preview.tool), escapeInvisible(preview.source)),
        body: escapeInvisible(JSON.stringify(preview.input, null, 2)),
      };
    case undefined:
      return { head: `${escapeInvisible(name)} ${escapeInvisible(target)}`, body: "" };
  }
}

const diffSigns = { same: " ", add: "+", remove: "-" } as const;

const formatDiff = (hunks: readonly Hunk[]): string =>
  hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) => {
      const rows = lines.map(({ kind, text }) => `${diffSigns[kind]}${escapeInvisible(text.replace(/\r$/, ""))}`);
      return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...rows].join("\n");
    })
    .join("\n");
