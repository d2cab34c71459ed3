/** Shows the answer of a session while it is written, masked: a secret is held back until it is complete. */
import type { Envelope, LiveEvent } from "@/lib/events/event";
import { isDurable } from "@/lib/events/event";
import type { MessageId, SessionId } from "@/lib/events/id";
import type { RedactStream } from "@/server/security/redaction/redact-stream";
import type { ChannelContext } from "../channel-context";
import { openRunText } from "./run-text";
import { splitMessage } from "./split-message";

interface WrittenBlock {
  readonly stream: RedactStream;
  /** UTF-16 units of the block that were fed. */
  length: number;
  text: string;
}

/** The message that is being written. */
interface Written {
  /** Text about the run before this message. */
  before: string;
  messageId: MessageId | null;
  readonly blocks: Map<number, WrittenBlock>;
}

interface Progress {
  /** An event of a session that has chats. */
  follow(envelope: Envelope): void;
}

export function makeProgress({ channel, rows, host, mask, sessionsOf }: ChannelContext): Progress {
  const sessions = new Map<SessionId, Written>();
  const show = (sessionId: SessionId, text: string | null): void => {
    for (const person of rows.people()) {
      if (person.sessionId !== sessionId || person.isPaused) continue;
      // The project of the session may not be the person's any more.
      if (text === null || sessionsOf(person).get(sessionId).ok) channel.show(person.chatId, text);
    }
  };
  return {
    follow(envelope) {
      const { sessionId, event } = envelope;
      let written = sessions.get(sessionId);
      if (written === undefined) {
        written = { before: "", messageId: null, blocks: new Map() };
        sessions.set(sessionId, written);
      }
      if (event.type === "agent_end") {
        sessions.delete(sessionId);
        return show(sessionId, null);
      }
      if (event.type === "message_delta") {
        if (event.kind !== "text" || !feed(written, event, () => mask().stream(false))) return;
      } else if (isDurable(envelope) && (event.type === "message_end" || event.type === "tool_call_end")) {
        const session = host.sessions.get(sessionId);
        if (!session.ok || session.value.view.run === null) return;
        written.before = openRunText(session.value.view, (text) => mask().text(text));
        written.messageId = null;
      } else return;
      const blocks = written.messageId === null ? [] : [...written.blocks.values()].map(({ text }) => text);
      const text = [written.before, ...blocks].filter((part) => part.trim() !== "").join("\n\n");
      const last = splitMessage(text, channel.capabilities.messageMaxChars).at(-1);
      if (last !== undefined) show(sessionId, last);
    },
  };
}

/** Adds a piece of a block; false = the chat sees nothing new. */
function feed(
  written: Written,
  { messageId, block, offset, text }: Extract<LiveEvent, { type: "message_delta" }>,
  makeStream: () => RedactStream,
): boolean {
  if (written.messageId !== messageId) {
    written.messageId = messageId;
    written.blocks.clear();
  }
  const current = written.blocks.get(block) ?? { stream: makeStream(), length: 0, text: "" };
  written.blocks.set(block, current);
  // A gap: what follows it may be the rest of a secret.
  if (offset > current.length) return false;
  const fresh = text.slice(current.length - offset);
  current.length += fresh.length;
  const shown = current.stream.feed(fresh);
  current.text += shown;
  return shown !== "";
}
