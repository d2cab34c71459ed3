/** Reads the updates of the Bot API that the channel handles; all others have only their number. */
import { z } from "zod/mini";
import type { ReceivedFile, ReceivedMessage, ReceivedPress, Sender } from "../channel";

const chatSchema = z.object({ id: z.number(), type: z.string() });
const userSchema = z.object({ id: z.number(), first_name: z.string(), last_name: z.optional(z.string()) });
const fileSchema = z.object({
  file_id: z.string(),
  file_name: z.optional(z.string()),
  mime_type: z.optional(z.string()),
  file_size: z.optional(z.number()),
});

const messageSchema = z.object({
  message_id: z.number(),
  date: z.number(),
  chat: chatSchema,
  from: userSchema,
  text: z.optional(z.string()),
  caption: z.optional(z.string()),
  photo: z.optional(z.array(fileSchema)),
  document: z.optional(fileSchema),
  audio: z.optional(fileSchema),
  video: z.optional(fileSchema),
  voice: z.optional(fileSchema),
});

const pressSchema = z.object({
  id: z.string(),
  from: userSchema,
  data: z.string(),
  message: z.object({ message_id: z.number(), chat: chatSchema }),
});

const updateSchema = z.object({
  update_id: z.number(),
  message: z.optional(z.unknown()),
  callback_query: z.optional(z.unknown()),
});

type TelegramMessage = z.infer<typeof messageSchema>;
type TelegramPress = z.infer<typeof pressSchema>;

/** A press without its reaction; `queryId` = the query to answer. */
export interface TelegramPressUpdate extends Omit<ReceivedPress, "acknowledge"> {
  readonly queryId: string;
}

export interface NumberedUpdate {
  readonly number: number;
  /** null = of a kind that is not handled. */
  readonly update: ReceivedMessage | TelegramPressUpdate | null;
}

/** Returns null for what has no number; `now` in ms epoch. */
export function readTelegramUpdate(input: unknown, now: number): NumberedUpdate | null {
  const read = updateSchema.safeParse(input);
  if (!read.success) return null;
  const { update_id: number, message, callback_query } = read.data;
  return { number, update: readMessage(String(number), message) ?? readPress(String(number), callback_query, now) };
}

function readMessage(updateId: string, input: unknown): ReceivedMessage | null {
  const message = messageSchema.safeParse(input);
  return message.success ? toReceivedMessage(updateId, message.data) : null;
}

function readPress(updateId: string, input: unknown, now: number): TelegramPressUpdate | null {
  const press = pressSchema.safeParse(input);
  return press.success ? toReceivedPress(updateId, press.data, now) : null;
}

const toSender = ({ id, first_name, last_name = "" }: TelegramMessage["from"]): Sender => ({
  id: String(id),
  name: `${first_name} ${last_name}`.trim(),
});

const toChat = ({ id, type }: TelegramMessage["chat"]) => ({ chatId: String(id), isPrivate: type === "private" });

function toReceivedMessage(updateId: string, message: TelegramMessage): ReceivedMessage | null {
  const { chat, from, date, text = message.caption ?? "" } = message;
  const files = toFiles(message);
  if (text === "" && files.length === 0) return null;
  return { kind: "message", updateId, sentAt: date * 1_000, ...toChat(chat), sender: toSender(from), text, files };
}

function toFiles({ message_id, photo = [], document, audio, video, voice }: TelegramMessage): readonly ReceivedFile[] {
  const sizes = photo.toSorted((a, b) => (a.file_size ?? 0) - (b.file_size ?? 0));
  const largest = sizes.at(-1);
  const others = [document, audio, video, voice].flatMap((file) => file ?? []);
  return [
    ...(largest === undefined
      ? []
      : [toFile({ mime_type: "image/jpeg", ...largest }, `photo-${message_id}.jpg`, true)]),
    ...others.map((file) => toFile(file, `file-${message_id}`, false)),
  ];
}

const toFile = (file: z.infer<typeof fileSchema>, name: string, isPhoto: boolean): ReceivedFile => ({
  reference: file.file_id,
  name: file.file_name ?? name,
  mediaType: file.mime_type ?? "application/octet-stream",
  ...(file.file_size === undefined ? {} : { size: file.file_size }),
  isPhoto,
});

/** The time of a press is not transmitted. */
const toReceivedPress = (updateId: string, press: TelegramPress, now: number): TelegramPressUpdate => ({
  kind: "press",
  updateId,
  sentAt: now,
  ...toChat(press.message.chat),
  sender: toSender(press.from),
  value: press.data,
  messageId: String(press.message.message_id),
  queryId: press.id,
});
