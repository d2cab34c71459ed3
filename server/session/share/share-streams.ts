/**
 * Streamed text of one share: each open block and each running call has its own redactor and offsets, since released
 * text differs in length from the input.
 */
import type { LiveEvent } from "@/lib/events/event";
import type { CallId, MessageId } from "@/lib/events/id";
import type { Redactor } from "@/server/security/redaction/redact";
import type { RedactStream } from "@/server/security/redaction/redact-stream";

/** Text for viewers, with its offset in what they have received. */
interface ReleasedText {
  readonly offset: number;
  readonly text: string;
}

export interface ShareStreams {
  /** null = nothing is released yet. */
  call(callId: CallId, mask: Redactor, offset: number, text: string): ReleasedText | null;
  block(
    messageId: MessageId,
    block: number,
    kind: "text" | "thinking",
    mask: Redactor,
    offset: number,
    text: string,
  ): ReleasedText | null;
  /** true the first time a block is named. */
  isNew(messageId: MessageId, block: number): boolean;
  /** Blocks are written one after the other: releases what the block before `block` still holds. */
  endBlock(messageId: MessageId, block: number): readonly LiveEvent[];
  /** The known output of this call starts in its middle. */
  markTruncated(callId: CallId): void;
  messageEnded(messageId: MessageId): void;
  callEnded(callId: CallId): void;
}

interface StreamedText {
  readonly stream: RedactStream;
  /** UTF-16 units of the raw text so far; null = unknown until the first delta. */
  raw: number | null;
  sent: number;
}

interface OpenMessage {
  index: number;
  kind: "text" | "thinking" | null;
  text: StreamedText | null;
}

export function makeShareStreams(): ShareStreams {
  const calls = new Map<CallId, StreamedText>();
  const messages = new Map<MessageId, OpenMessage>();
  const cut = new Set<CallId>();

  const messageOf = (id: MessageId): OpenMessage => {
    const message = messages.get(id) ?? { index: -1, kind: null, text: null };
    messages.set(id, message);
    return message;
  };

  return {
    call(callId, mask, offset, text) {
      const streamed = calls.get(callId);
      const own = streamed ?? { stream: mask.stream(cut.has(callId)), raw: null, sent: 0 };
      calls.set(callId, own);
      return feedText(own, offset, text, streamed === undefined);
    },
    block(messageId, block, kind, mask, offset, text) {
      const open = messageOf(messageId);
      const isFirst = open.index < block;
      if (isFirst) {
        open.index = block;
        open.kind = kind;
        open.text = { stream: mask.stream(false), raw: 0, sent: 0 };
      }
      if (open.index !== block || open.text === null) return null;
      return feedText(open.text, offset, text, isFirst);
    },
    isNew(messageId, block) {
      const open = messageOf(messageId);
      if (open.index >= block) return false;
      open.index = block;
      open.kind = null;
      open.text = null;
      return true;
    },
    endBlock(messageId, block) {
      const open = messages.get(messageId);
      if (open === undefined || open.index >= block || open.kind === null || open.text === null) return [];
      const text = open.text.stream.end(false);
      if (text === "") return [];
      const { index, kind } = open;
      const offset = open.text.sent;
      open.text = null;
      return [{ type: "message_delta", messageId, block: index, kind, offset, text }];
    },
    markTruncated: (callId) => void cut.add(callId),
    messageEnded: (messageId) => void messages.delete(messageId),
    callEnded(callId) {
      calls.delete(callId);
      cut.delete(callId);
    },
  };
}

/** Text released after this delta; null = nothing yet. */
function feedText(text: StreamedText, offset: number, piece: string, isFirst: boolean): ReleasedText | null {
  const have = text.raw ?? offset;
  // Lost text is not requested again: the end of the message has all of it.
  if (offset > have) return null;
  const added = piece.slice(have - offset);
  text.raw = have + added.length;
  const released = text.stream.feed(added);
  if (released === "" && !isFirst) return null;
  const at = text.sent;
  text.sent += released.length;
  return { offset: at, text: released };
}
