/**
 * Exports a session in Gopi's format: one header line, then one line per row of the log. Messages, tool results, model
 * changes and compactions have the fields of the format, and every line has our event unchanged, so that an import
 * gives the same session. Files in results of other programs are included up to a limit; the header counts the others.
 */
import { type Block, joinTextBlocks } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import type { BlobId, CallId, MessageId } from "@/lib/events/id";
import type { ResultFile } from "@/lib/events/tool-kind";
import type { SessionRow } from "@/lib/protocol/session-row";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Steps } from "@/lib/async/steps";
import type { EventRow, EventStore } from "@/server/store/sessions/events";
import { formatVersion } from "../import/import-gopi";

/** Bytes of all files in results of other programs: an import takes no longer text than `importMaxChars`. */
const resultFilesMaxBytes = 24_000_000;

/** `blob` reads stored images and prompts; undefined = the blob is missing. */
export function* exportJsonl(
  row: SessionRow,
  events: Pick<EventStore, "read">,
  blob: (id: BlobId) => Uint8Array | undefined,
): Steps<string> {
  const head = {
    type: "header",
    id: row.id,
    cwd: row.cwd,
    timestamp: toIso(row.createdAt),
    title: row.title,
    program: "gopi-web",
    version: formatVersion,
  };
  const seen: RowContext = { roles: new Map(), tools: new Map(), tokensBefore: 0 };
  const ids = new Set<BlobId>();
  const files = new Map<BlobId, number>();
  const lines: string[] = [];
  // Up to the last event at the time of the request.
  for (let seq = 0; seq < row.lastSeq; ) {
    yield;
    const rows = events.read(row.id, { afterSeq: seq, limit: Math.min(serverLimits.loadEvents, row.lastSeq - seq) });
    if (rows.length === 0) break;
    for (const one of rows) {
      for (const id of referencedBlobs(one.event)) ids.add(id);
      for (const file of resultFiles(one.event)) files.set(file.blob, file.bytes);
      recordContext(one.event, seen);
      lines.push(JSON.stringify(toJsonlLine(one, seen)));
    }
    seq = rows.at(-1)?.seq ?? row.lastSeq;
  }
  const blobs: string[] = [];
  const leftOut = addFiles(ids, files);
  const header = { ...head, ...(leftOut === 0 ? {} : { filesLeftOut: leftOut }) };
  for (const id of ids) {
    yield;
    const bytes = blob(id);
    if (bytes === undefined) continue;
    blobs.push(JSON.stringify({ type: "blob", id, data: Buffer.from(bytes).toString("base64") }));
  }
  yield;
  return `${[JSON.stringify(header), ...blobs, ...lines].join("\n")}\n`;
}

const toIso = (at: number): string => new Date(at).toISOString();

/** Facts of earlier rows that later rows need. */
interface RowContext {
  readonly roles: Map<MessageId, string>;
  /** Tool names of the calls. */
  readonly tools: Map<CallId, string>;
  tokensBefore: number;
}

function recordContext(event: DurableEvent, seen: RowContext): void {
  if (event.type === "message_start") seen.roles.set(event.messageId, event.role);
  else if (event.type === "compaction_start") seen.tokensBefore = event.tokensBefore;
  else if (event.type === "message_end")
    for (const block of event.blocks) if (block.type === "call") seen.tools.set(block.callId, block.name);
}

function toJsonlLine({ seq, at, event }: EventRow, { roles, tools, tokensBefore }: RowContext): object {
  const place = { timestamp: toIso(at), seq };
  switch (event.type) {
    case "message_end": {
      const role = roles.get(event.messageId) ?? "assistant";
      if (isSinglePlainText(event.blocks)) {
        const { blocks, ...rest } = event;
        return { type: "message", role, content: joinTextBlocks(blocks), ...place, event: rest };
      }
      const calls = event.stop === "done" ? event.blocks.flatMap(toToolCalls) : [];
      return {
        type: "message",
        role,
        content: joinTextBlocks(event.blocks),
        ...(calls.length === 0 ? {} : { tool_calls: calls }),
        ...place,
        event,
      };
    }
    case "tool_call_end": {
      const name = tools.get(event.callId);
      const { output, ...rest } = event;
      return {
        type: "message",
        role: "tool",
        tool_call_id: event.callId,
        name,
        content: joinTextBlocks(output),
        ...(event.outcome === "ok" ? {} : { is_error: true }),
        ...place,
        event: isSinglePlainText(output) ? rest : event,
      };
    }
    case "model_change":
      return { type: "model_change", model: event.model, ...place, event };
    case "compaction_end":
      return { type: "compaction", summary: event.summary, token_before: tokensBefore, ...place, event };
    default:
      return { type: "event", ...place, event };
  }
}

/** True when `content` alone holds the text of the line. Text with colours stays in the event, which stores them. */
const isSinglePlainText = ([first, ...more]: readonly Block[]): boolean =>
  more.length === 0 && first?.type === "text" && first.styles === undefined;

/** A call in the format of OpenAI-compatible messages. */
const toToolCalls = (block: Block): readonly object[] =>
  block.type === "call"
    ? [
        {
          id: block.callId,
          type: "function",
          function: {
            name: block.name,
            arguments: typeof block.input === "string" ? block.input : JSON.stringify(block.input),
          },
        },
      ]
    : [];

const imageBlobs = (blocks: readonly Block[]): readonly BlobId[] =>
  blocks.flatMap((block) => (block.type === "image" ? [block.blob] : []));

/** Adds the files to the blobs as long as there is room for them; returns the number of the others. */
function addFiles(blobs: Set<BlobId>, files: ReadonlyMap<BlobId, number>): number {
  let room = resultFilesMaxBytes;
  let leftOut = 0;
  for (const [id, bytes] of files) {
    if (blobs.has(id)) continue;
    if (bytes > room) leftOut += 1;
    else {
      room -= bytes;
      blobs.add(id);
    }
  }
  return leftOut;
}

const resultFiles = (event: DurableEvent): readonly ResultFile[] =>
  event.type === "tool_call_end" ? (event.facts.files ?? []) : [];

function referencedBlobs(event: DurableEvent): readonly BlobId[] {
  if (event.type === "model_change") return [event.prompt];
  if (event.type === "queue_change") return event.queued.flatMap(({ images = [] }) => images.map(({ blob }) => blob));
  if (event.type === "message_end") return imageBlobs(event.blocks);
  return event.type === "tool_call_end" ? imageBlobs(event.output) : [];
}
