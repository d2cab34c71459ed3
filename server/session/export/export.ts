/** Exports a session as a file for its owner; Markdown and HTML, which are meant for sharing, may be masked. */
import type { ExportFormat } from "@/lib/protocol/history";
import { runSteps, type Steps } from "@/lib/async/steps";
import type { SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { runStepsInSlices } from "@/server/base/steps";
import type { Redactor } from "@/server/security/redaction/redact";
import type { Store } from "@/server/store/open-store";
import { exportHtml } from "./export-html";
import { exportJsonl } from "./export-jsonl";
import { exportMarkdown } from "./export-markdown";
import { exportParts } from "./export-parts";
import { neverAborted } from "@/server/base/abort";

interface ExportedFile {
  readonly name: string;
  readonly mime: string;
  readonly text: string;
}

const mimes: Readonly<Record<ExportFormat, string>> = {
  md: "text/markdown;charset=utf-8",
  html: "text/html;charset=utf-8",
  jsonl: "application/x-ndjson;charset=utf-8",
};

type ExportStore = Pick<Store, "sessions" | "events" | "blobs">;

/** Exports in one step. undefined = no such session. Throws StoreError. */
export const exportSession = (
  store: ExportStore,
  view: SessionView,
  format: ExportFormat,
  mask: Redactor | null,
): ExportedFile | undefined => runSteps(exportSteps(store, view, format, mask));

/** Exports in slices, so that a long session does not block the event loop. */
export const exportInSlices = (...input: Parameters<typeof exportSession>): Promise<ExportedFile | undefined> =>
  runStepsInSlices(exportSteps(...input), neverAborted);

/** Steps of `exportSession`. */
export function* exportSteps(
  store: ExportStore,
  view: SessionView,
  format: ExportFormat,
  mask: Redactor | null,
): Steps<ExportedFile | undefined> {
  const row = store.sessions.get(view.sessionId);
  if (row === undefined) return undefined;
  const text = (raw: string): string => mask?.text(raw) ?? raw;
  const head = { title: text(row.title || row.id), model: row.model, cwd: text(row.cwd), createdAt: row.createdAt };
  const name = `${exportFileName(text(row.title), row.id)}.${format}`;
  const mime = mimes[format];
  switch (format) {
    case "md":
      return { name, mime, text: yield* exportMarkdown(head, exportParts(view, text)) };
    case "html":
      return { name, mime, text: yield* exportHtml(head, exportParts(view, text)) };
    case "jsonl":
      return { name, mime, text: yield* exportJsonl(row, store.events, (id) => store.blobs.get(id)) };
  }
}

const fileNameMaxChars = 60;

/** Title without characters that are invalid in file names on any system; the id if nothing is left. */
function exportFileName(title: string, id: SessionId): string {
  const plain = [...title.replace(/[^\p{L}\p{N}_-]+/gu, " ").trim()].slice(0, fileNameMaxChars).join("").trim();
  return plain.replaceAll(" ", "-") || id;
}
