/**
 * The interface of a messenger. It transports texts, buttons and files between persons and the sessions, at the pace that the
 * messenger allows; who may do what, and what a text means, is decided outside of it. Each start makes another `Channel`.
 */
import type { AgentError, Result } from "@/lib/events/error";

/** Limits that differ between messengers. */
export interface ChannelCapabilities {
  /** Longest text of one message, characters. */
  readonly messageMaxChars: number;
  /** Longest text of a message with buttons, characters. */
  readonly cardMaxChars: number;
  /** Largest files, bytes. */
  readonly receivedFileMaxBytes: number;
  readonly sentFileMaxBytes: number;
}

/** Author of an update. Rights are bound to `id`, which never changes; `name` is what the person calls himself. */
export interface Sender {
  readonly id: string;
  readonly name: string;
}

interface UpdateBase {
  /** Unique in the channel, also across restarts. */
  readonly updateId: string;
  /** Time at which it was sent, ms epoch. */
  readonly sentAt: number;
  readonly chatId: string;
  /** Whether the chat has no members but the sender and the program. */
  readonly isPrivate: boolean;
  readonly sender: Sender;
}

/** A file that came with a message, not loaded yet. */
export interface ReceivedFile {
  /** For `Channel.load`. */
  readonly reference: string;
  readonly name: string;
  readonly mediaType: string;
  /** undefined = the messenger does not tell. Bytes. */
  readonly size?: number;
  readonly isPhoto: boolean;
}

export interface ReceivedMessage extends UpdateBase {
  readonly kind: "message";
  /** With the code of a pairing link it is `/start CODE`. */
  readonly text: string;
  readonly files: readonly ReceivedFile[];
}

/** A button was pressed. */
export interface ReceivedPress extends UpdateBase {
  readonly kind: "press";
  /** `MessageButton.value` */
  readonly value: string;
  readonly messageId: string;
  /** Ends the sign of waiting at the button; a text is shown for a moment. Never rejects. */
  acknowledge(text?: string): Promise<void>;
}

export type ReceivedUpdate = ReceivedMessage | ReceivedPress;

interface MessageButton {
  readonly label: string;
  /** At most 64 bytes. */
  readonly value: string;
}

export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A message to one chat. Links in it are never previewed. */
export interface ChannelMessage {
  readonly chatId: string;
  /** Markdown. At most `messageMaxChars` characters, with buttons `cardMaxChars`. */
  readonly text: string;
  readonly buttons?: readonly (readonly MessageButton[])[];
  readonly file?: SentFile;
  /** Changes this earlier message instead, also its buttons. */
  readonly replaces?: string;
}

export type ChannelState =
  | { readonly kind: "connecting" }
  /** `name` of the program in the messenger, `address` that a pairing code is appended to. */
  | { readonly kind: "online"; readonly name: string; readonly address: string }
  /** It tries again at `retryAt`, ms epoch. */
  | { readonly kind: "waiting"; readonly error: AgentError; readonly retryAt: number }
  /** It needs the owner. */
  | { readonly kind: "stopped"; readonly error: AgentError };

/** Receiver of a channel's updates. */
export interface ChannelReceiver {
  /** Resolves when the update is stored: the channel may confirm it to the messenger. Rejects if it could not be stored. */
  received(update: ReceivedUpdate): Promise<void>;
  stateChanged(state: ChannelState): void;
}

export interface Channel {
  readonly capabilities: ChannelCapabilities;
  /** Receives until the signal fires, or until it has stopped (`ChannelState`). Never rejects. */
  start(receiver: ChannelReceiver, signal: AbortSignal): Promise<void>;
  /**
   * Sends a message, in the order of the calls for each chat, and waits for the pace of the messenger; resolves with its id in the
   * chat. Tries again after network errors, until the signal fires. Fails with `aborted`, or for good with `not_allowed` (the person
   * blocked the program or the chat is gone) or `bad_input` (the messenger refuses this message; detail: its words).
   */
  send(message: ChannelMessage, signal: AbortSignal): Promise<Result<{ readonly messageId: string }>>;
  /**
   * Shows the answer that is being written, replacing what was shown before; null = it has ended, and what was shown goes away. Does not
   * wait and never fails: the channel skips what is too fast for the messenger.
   */
  show(chatId: string, text: string | null): void;
  /** Loads a received file. Fails with too_large, not_found, timeout, server_unreachable. */
  load(file: ReceivedFile, signal: AbortSignal): Promise<Result<Uint8Array>>;
}
