/** A session in Gopi's format with our own events: it becomes exactly what it was. Used by import.ts. */
import type { DurableEvent } from "@/lib/event";
import { type AgentError, ok, type Result } from "@/lib/error";
import { type ApprovalId, asId, type BlobId, type ClientId } from "@/lib/id";
import type { EventRow } from "../store/events";
import { judgeEvent } from "./import-events";
import { badLine, type ImportFile, type ImportLine, SlicedWork, timeOf } from "./import-lines";

export interface Imported {
  readonly rows: readonly EventRow[];
  /** Empty = none is told. */
  readonly title: string;
  readonly model: string;
  /** Lines of types that are not known here. */
  readonly unknown: number;
}

/** What the import needs of the store and the project. */
export interface ImportTarget {
  readonly start: Extract<DurableEvent, { type: "session_start" }>;
  /** ms epoch */
  readonly now: number;
  putBlob(bytes: Uint8Array): BlobId;
  hasBlob(id: BlobId): boolean;
}

export const formatVersion = 1;

/** The lines carry our events; without them the file is a plain conversation, see import-plain.ts. */
export const hasEvents = ({ lines }: ImportFile): boolean => lines.some(({ value }) => "event" in value);

/** null = the header's version is one we can read. */
export function versionProblem({ line, value }: ImportLine) {
  const { version = formatVersion } = value;
  return version === formatVersion ? null : badLine(line, "version", { version: String(version).slice(0, 40) });
}

export const titleIn = ({ value }: ImportLine): string => (typeof value.title === "string" ? value.title : "");

export async function readGopi({ header, lines }: ImportFile, target: ImportTarget): Promise<Result<Imported>> {
  return versionProblem(header) ?? (await readOurs(titleIn(header), lines, target));
}

/** Events keep their seqs: places in the log name one another by them. What cannot be kept leaves a gap that is told. */
async function readOurs(title: string, lines: readonly ImportLine[], target: ImportTarget): Promise<Result<Imported>> {
  const rows: EventRow[] = [];
  let model = "";
  let unknown = 0;
  let failed: { readonly ok: false; readonly error: AgentError } | null = null;
  const work = new SlicedWork();
  for (const { line, chars, value } of lines) {
    if (work.spend(chars)) await work.pause();
    if (value.type === "blob") {
      if (typeof value.data !== "string") return badLine(line, "blob");
      target.putBlob(Buffer.from(value.data, "base64"));
      continue;
    }
    if (!("event" in value)) {
      unknown += 1;
      continue;
    }
    const at = timeOf(value.timestamp);
    const judged = judgeEvent(withContent(value));
    if (at === null || judged.kind === "wrong") failed = badLine(line, at === null ? "timestamp" : "event");
    else if (value.seq !== rows.length + 1) failed = badLine(line, "seq");
    if (failed !== null || at === null) return failed ?? badLine(line, "timestamp");
    if (judged.kind !== "event") unknown += 1;
    const event = judged.kind === "event" ? kept(judged.event, target) : gap;
    if (event.type === "model_change") model = event.model;
    rows.push({ seq: rows.length + 1, at, event });
  }
  if (rows.length > 0 && rows[0]?.event.type !== "session_start")
    return badLine(lines[0]?.line ?? 1, "no session_start");
  return rows.length === 0 ? badLine(1, "no events") : ok({ rows, title, model, unknown });
}

const gap: DurableEvent = { type: "hidden" };
/** The same on the path: an answer to a card that nobody showed. */
const pathGap: DurableEvent = {
  type: "approval_response",
  approvalId: asId<ApprovalId>("none"),
  option: "deny",
  by: asId<ClientId>("import"),
};

/** There was something, and it cannot be had again: what is on this disk is neither written nor removed for it. */
const notKept = { before: null, after: null, mode: 0o644 } as const;

/** A message or a tool result of one text has it as the line's content alone. */
function withContent(value: ImportLine["value"]): unknown {
  const { event, content } = value;
  if (typeof event !== "object" || event === null || !("type" in event) || typeof content !== "string") return event;
  const blocks = [{ type: "text", text: content }];
  if (event.type === "message_end" && !("blocks" in event)) return { ...event, blocks };
  return event.type === "tool_call_end" && !("output" in event) ? { ...event, output: blocks } : event;
}

/** The project and its folder are those of here; states of files before belong to the machine they were kept on. */
function kept(event: DurableEvent, target: ImportTarget): DurableEvent {
  if (event.type === "session_start") return target.start;
  if (event.type === "file_change") return pathGap;
  if (event.type === "restore") return { ...event, files: event.files.map((file) => ({ ...file, ...notKept })) };
  if (event.type === "model_change" && !target.hasBlob(event.prompt)) return gap;
  return event;
}
