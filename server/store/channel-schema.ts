/** Tables of channels in gopi.db, beside those of `schema.ts`. The JSON columns are validated by channels.ts. */
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ProjectId, SessionId } from "@/lib/events/id";

/** Messengers that are or were used. */
export const channels = sqliteTable("channels", {
  kind: text("kind").primaryKey(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  /** Empty = the messenger's own. */
  apiAddress: text("api_address").notNull(),
  /** Null = the personal workspace. */
  projectId: text("project_id").$type<ProjectId>(),
});

/** Paired persons, each with the one private chat that he has with the program. */
export const channelPeople = sqliteTable(
  "channel_people",
  {
    kind: text("kind").notNull(),
    /** In the messenger. */
    id: text("id").notNull(),
    name: text("name").notNull(),
    right: text("right").notNull(),
    isPaused: integer("is_paused", { mode: "boolean" }).notNull(),
    pairedAt: integer("paired_at").notNull(),
    chatId: text("chat_id").notNull(),
    /** Null = that of the channel. */
    projectId: text("project_id").$type<ProjectId>(),
    sessionId: text("session_id").$type<SessionId>(),
    /** Deliveries were made of the runs of that session that ended up to this seq. */
    seenSeq: integer("seen_seq").notNull(),
    mode: text("mode").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

/** Updates of paired persons: each has its row before it is confirmed, and as long as it may be repeated. */
export const channelUpdates = sqliteTable(
  "channel_updates",
  {
    position: integer("position").primaryKey({ autoIncrement: true }),
    kind: text("kind").notNull(),
    updateId: text("update_id").notNull(),
    personId: text("person_id").notNull(),
    receivedAt: integer("received_at").notNull(),
    state: text("state").notNull(),
    /** Null = done. */
    body: text("body"),
  },
  (table) => [uniqueIndex("channel_updates_id").on(table.kind, table.updateId)],
);

/** Messages that are to be sent. A row is deleted when it was sent, but that of a card when the card was answered. */
export const channelDeliveries = sqliteTable("channel_deliveries", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  kind: text("kind").notNull(),
  personId: text("person_id").notNull(),
  text: text("text").notNull(),
  state: text("state").notNull(),
  /** In the messenger; null = not sent. */
  messageId: text("message_id"),
  /** Changes the message of this delivery. */
  replaces: integer("replaces"),
  /** The decision of its buttons; null = it has none. */
  card: text("card"),
  /** Hash of the value of its buttons; null = they have no effect. */
  nonce: text("nonce"),
  /** Name and blob of a file that goes with it. */
  file: text("file"),
});
