/**
 * A messenger in memory, and the channel that connects to it: the second implementation of `Channel`. The messenger outlives the
 * program: it repeats updates that were not confirmed, and retains the messages. For tests.
 */
import { fail, ok } from "@/lib/events/error";
import { untilAborted } from "@/server/base/abort";
import type { MakeChannel } from "./channel-list";
import type {
  ChannelMessage,
  ChannelReceiver,
  ReceivedFile,
  ReceivedMessage,
  ReceivedUpdate,
  Sender,
  SentFile,
} from "./channel";

/** A message as the person sees it. */
export interface ShownMessage {
  readonly id: string;
  readonly chatId: string;
  text: string;
  buttons: readonly { readonly label: string; readonly value: string }[];
  readonly file?: SentFile;
}

const testLimits = {
  messageMaxChars: 800,
  cardMaxChars: 600,
  receivedFileMaxBytes: 1_000,
  sentFileMaxBytes: 1_000,
} as const;

export function makeTestMessenger(now: () => number) {
  const messages: ShownMessage[] = [];
  const shown: { readonly chatId: string; readonly text: string | null }[] = [];
  const acknowledged: (string | undefined)[] = [];
  const files = new Map<string, Uint8Array | Promise<Uint8Array>>();
  const listeners = new Set<() => void>();
  let connection: ChannelReceiver | null = null;
  let [updates, ids, sends] = [0, 0, 0];
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  /** Replacements of `send`, by the number of the call; absent = it sends. */
  const faults = new Map<number, (message: ChannelMessage) => ReturnType<typeof fail>>();

  const put = ({ chatId, text, buttons = [], replaces, file }: ChannelMessage): string => {
    const flat = buttons.flat();
    const earlier = messages.find(({ id, chatId: chat }) => id === replaces && chat === chatId);
    if (earlier !== undefined) {
      earlier.text = text;
      earlier.buttons = flat;
      return earlier.id;
    }
    ids += 1;
    messages.push({ id: `m${ids}`, chatId, text, buttons: flat, ...(file === undefined ? {} : { file }) });
    return `m${ids}`;
  };

  /** Each start of the program makes another one; a killed one does nothing any more. */
  const makeChannel =
    (isKilled: () => boolean): MakeChannel =>
    () => ({
      capabilities: testLimits,
      async start(receiver, signal) {
        if (signal.aborted) return;
        connection = receiver;
        receiver.stateChanged({ kind: "online", name: "Test", address: "https://chat.test/?start=" });
        changed();
        await untilAborted(signal);
        if (connection === receiver) connection = null;
      },
      async send(message, signal) {
        if (isKilled()) return new Promise(() => {});
        if (signal.aborted) return fail("aborted");
        const limit = message.buttons === undefined ? testLimits.messageMaxChars : testLimits.cardMaxChars;
        if (message.text.length > limit) throw new Error(`a message of ${message.text.length} characters`);
        sends += 1;
        const fault = faults.get(sends);
        if (fault !== undefined) {
          changed();
          return fault(message);
        }
        const messageId = put(message);
        changed();
        return ok({ messageId });
      },
      show(chatId, text) {
        if (isKilled()) return;
        shown.push({ chatId, text });
        changed();
      },
      async load({ reference }) {
        const bytes = await files.get(reference);
        return bytes === undefined ? fail("not_found") : ok(bytes);
      },
    });

  const newUpdate = (sender: Sender, fields: { readonly sentAt?: number; readonly isPrivate?: boolean } = {}) => {
    updates += 1;
    return { updateId: `${updates}`, sentAt: now(), chatId: sender.id, isPrivate: true, sender, ...fields };
  };
  return {
    messages,
    shown,
    acknowledged,
    files,
    faults,
    changed,
    makeChannel,
    /** Gives an update to the program; rejects when it could not be stored. */
    async deliver(update: ReceivedUpdate): Promise<void> {
      if (connection === null) throw new Error("the channel is not online");
      await connection.received(update);
    },
    /** Messages that the program sent, refused ones too. */
    sends: (): number => sends,
    isOnline: (): boolean => connection !== null,
    /** The program was killed. */
    disconnect(): void {
      connection = null;
    },
    message: (
      sender: Sender,
      text: string,
      fields: { sentAt?: number; isPrivate?: boolean; files?: readonly ReceivedFile[]; chatId?: string } = {},
    ): ReceivedMessage => ({ ...newUpdate(sender), kind: "message", text, files: [], ...fields }),
    pressOf: (sender: Sender, value: string, chatId = sender.id): ReceivedUpdate => ({
      ...newUpdate(sender),
      chatId,
      kind: "press",
      value,
      messageId: "",
      async acknowledge(text) {
        acknowledged.push(text);
        changed();
      },
    }),
    textsOf: (chatId: string): readonly string[] =>
      messages.flatMap((one) => (one.chatId === chatId ? [one.text] : [])),
    /** Resolves with what `find` finds, now or after something was sent, shown or acknowledged. */
    when<T>(find: () => T | undefined | false): Promise<T> {
      return new Promise((resolve) => {
        const look = (): void => {
          const found = find();
          if (found === undefined || found === false) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
      });
    },
  };
}
