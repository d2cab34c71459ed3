/**
 * A session in Gopi's format: one header line, then one line a row of the log. Messages, model changes and compactions have the
 * fields of the format, and every line our event as it is, so that an import gives the same session. Used by export.ts.
 */
import { type Block, textOf } from "@/lib/content";
import type { DurableEvent } from "@/lib/event";
import type { BlobId, MessageId } from "@/lib/id";
import type { SessionRow } from "@/lib/session-row";
import type { EventRow } from "../store/events";
import { formatVersion } from "./import-gopi";

/** `blob` reads what pictures and prompts are kept in; undefined = it is gone. */
export function exportJsonl(
  row: SessionRow,
  rows: readonly EventRow[],
  blob: (id: BlobId) => Uint8Array | undefined,
): string {
  const header = {
    type: "header",
    id: row.id,
    cwd: row.cwd,
    timestamp: iso(row.createdAt),
    title: row.title,
    program: "gopi-web",
    version: formatVersion,
  };
  const blobs = [...new Set(rows.flatMap(({ event }) => blobsOf(event)))].flatMap((id) => {
    const bytes = blob(id);
    return bytes === undefined ? [] : [{ type: "blob", id, data: Buffer.from(bytes).toString("base64") }];
  });
  const roles = new Map<MessageId, string>();
  const lines = rows.map((one) => {
    if (one.event.type === "message_start") roles.set(one.event.messageId, one.event.role);
    return lineOf(one, roles);
  });
  return `${[header, ...blobs, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

const iso = (at: number): string => new Date(at).toISOString();

function lineOf({ seq, at, event }: EventRow, roles: ReadonlyMap<MessageId, string>): object {
  const place = { timestamp: iso(at), seq };
  switch (event.type) {
    case "message_end": {
      const role = roles.get(event.messageId) ?? "assistant";
      const [only] = event.blocks;
      // A message of one text has its words here alone.
      if (event.blocks.length === 1 && only?.type === "text") {
        const { blocks: _blocks, ...rest } = event;
        return { type: "message", role, content: only.text, ...place, event: rest };
      }
      return { type: "message", role, content: textOf(event.blocks), ...place, event };
    }
    case "model_change":
      return { type: "model_change", model: event.model, ...place, event };
    case "compaction_end":
      return { type: "compaction", summary: event.summary, ...place, event };
    default:
      return { type: "event", ...place, event };
  }
}

const pictures = (blocks: readonly Block[]): readonly BlobId[] =>
  blocks.flatMap((block) => (block.type === "image" ? [block.blob] : []));

function blobsOf(event: DurableEvent): readonly BlobId[] {
  if (event.type === "model_change") return [event.prompt];
  if (event.type === "message_end") return pictures(event.blocks);
  return event.type === "tool_call_end" ? pictures(event.output) : [];
}
