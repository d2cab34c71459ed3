/** Imports a session in Gopi's format with our own events: the result equals the exported session. */
import type { DurableEvent } from "@/lib/events/event";
import { type AgentError, ok, type Result } from "@/lib/events/error";
import { type ApprovalId, asId, type BlobId, type ClientId } from "@/lib/events/id";
import type { CallFacts } from "@/lib/events/tool-kind";
import { limits } from "@/lib/settings/settings";
import { beginTimeSlice } from "@/server/base/steps";
import type { EventRow } from "@/server/store/sessions/events";
import { checkEvent } from "./import-events";
import { badLine, type ImportFile, type ImportLine, parseTime } from "./import-lines";

export interface ImportedSession {
  readonly rows: readonly EventRow[];
  /** Empty = the file has no title. */
  readonly title: string;
  readonly model: string;
  /** Lines of unknown types. */
  readonly unknown: number;
  /** Pinned files beyond the limit, which are not imported. */
  readonly droppedPins?: number;
}

/** Store and project functions the import needs. */
export interface ImportTarget {
  readonly start: Extract<DurableEvent, { type: "session_start" }>;
  /** ms epoch */
  readonly now: number;
  putBlob(bytes: Uint8Array): BlobId;
  hasBlob(id: BlobId): boolean;
}

export const formatVersion = 1;

/** True when the lines carry our events; otherwise the file is a plain conversation, see import-plain.ts. */
export const hasEvents = ({ lines }: ImportFile): boolean => lines.some(({ value }) => "event" in value);

/** Error of an unsupported header version; null = supported. */
export function versionProblem({ line, value }: ImportLine) {
  const { version = formatVersion } = value;
  return version === formatVersion ? null : badLine(line, "version", { version: String(version).slice(0, 40) });
}

export const headerTitle = ({ value }: ImportLine): string => (typeof value.title === "string" ? value.title : "");

export async function importGopi(
  { header, lines }: ImportFile,
  target: ImportTarget,
): Promise<Result<ImportedSession>> {
  return versionProblem(header) ?? (await importEvents(headerTitle(header), lines, target));
}

/**
 * Events keep their seqs, since log positions refer to each other by seq. An event that cannot be kept leaves a gap
 * event.
 */
async function importEvents(
  title: string,
  lines: readonly ImportLine[],
  target: ImportTarget,
): Promise<Result<ImportedSession>> {
  const rows: EventRow[] = [];
  let model = "";
  let unknown = 0;
  let droppedPins = 0;
  let failed: { readonly ok: false; readonly error: AgentError } | null = null;
  const turn = beginTimeSlice();
  for (const { line, value } of lines) {
    if (turn.isOver()) await turn.next();
    if (value.type === "blob") {
      if (typeof value.data !== "string") return badLine(line, "blob");
      target.putBlob(Buffer.from(value.data, "base64"));
      continue;
    }
    if (!("event" in value)) {
      unknown += 1;
      continue;
    }
    const at = parseTime(value.timestamp);
    const judged = checkEvent(restoreContent(value));
    if (at === null || judged.kind === "wrong") failed = badLine(line, at === null ? "timestamp" : "event");
    else if (value.seq !== rows.length + 1) failed = badLine(line, "seq");
    if (failed !== null || at === null) return failed ?? badLine(line, "timestamp");
    if (judged.kind !== "event") unknown += 1;
    const event = judged.kind === "event" ? localizeEvent(judged.event, target) : gapEvent;
    if (event.type === "model_change") model = event.model;
    if (judged.kind === "event" && judged.event.type === "session_update" && judged.event.pins !== undefined)
      droppedPins = Math.max(0, judged.event.pins.length - limits.pinnedFiles);
    rows.push({ seq: rows.length + 1, at, event });
  }
  if (rows.length > 0 && rows[0]?.event.type !== "session_start")
    return badLine(lines[0]?.line ?? 1, "no session_start");
  return rows.length === 0 ? badLine(1, "no events") : ok({ rows, title, model, unknown, droppedPins });
}

const gapEvent: DurableEvent = { type: "hidden" };
/** A gap on the active path: an answer to an approval that was never shown. */
const pathGapEvent: DurableEvent = {
  type: "approval_response",
  approvalId: asId<ApprovalId>("none"),
  option: "deny",
  by: asId<ClientId>("import"),
};

/** State of a file whose content is not available: nothing on this disk is written or removed for it. */
const unavailableState = { before: null, after: null, mode: 0o644 } as const;

/** Restores the blocks of a message or result whose single text is stored in the line's `content`. */
function restoreContent(value: ImportLine["value"]): unknown {
  const { event, content } = value;
  if (typeof event !== "object" || event === null || !("type" in event) || typeof content !== "string") return event;
  const blocks = [{ type: "text", text: content }];
  if (event.type === "message_end" && !("blocks" in event)) return { ...event, blocks };
  return event.type === "tool_call_end" && !("output" in event) ? { ...event, output: blocks } : event;
}

/**
 * Replaces project and folder by the local ones; states of files belong to the machine that stored them. Drops calls
 * and commands that the user could still run: a file could have any of them, with any target.
 */
function localizeEvent(event: DurableEvent, target: ImportTarget): DurableEvent {
  if (event.type === "session_start") return target.start;
  if (event.type === "message_end") {
    const { unrun: _unrun, ...end } = event;
    return end;
  }
  if (event.type === "tool_call_start" || event.type === "tool_call_end")
    return { ...event, facts: withoutOffers(event.facts) };
  if (event.type === "file_change") return pathGapEvent;
  // Only the user allows the network to a session, never a file.
  if (event.type === "approval_response" && event.option === "network") return { ...event, option: "once" };
  if (event.type === "review") return { type: "review", files: [] };
  if (event.type === "review_wait") return gapEvent;
  if (event.type === "restore")
    return { ...event, files: event.files.map((file) => ({ ...file, ...unavailableState })) };
  if (event.type === "session_update" && event.pins !== undefined)
    return { ...event, pins: event.pins.slice(-limits.pinnedFiles) };
  if (event.type === "model_change" && !target.hasBlob(event.prompt)) return gapEvent;
  return event;
}

/** Returns the facts without those by which the user may run the command as his own, or take back a note of the memory. */
function withoutOffers(facts: CallFacts): CallFacts {
  const { rule, sandboxFailure: _failure, startFolder: _folder, memoryFile: _memory, ...others } = facts;
  return rule === undefined || rule === "blocked_word" ? others : { ...others, rule };
}
