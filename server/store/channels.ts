/** Messengers: their settings, the paired persons, what came from them and what is to be sent to them. Loaded late. */
import type Database from "better-sqlite3";
import { and, count, eq, isNotNull, lt, ne, type SQL } from "drizzle-orm";
import * as z from "zod/mini";
import type { ApprovalId, BlobId, ProjectId, SessionId } from "@/lib/events/id";
import { type RemoteRight, remoteRights } from "@/lib/permissions/remote-rights";
import { brandedId } from "@/lib/protocol/command-input";
import { parseJson } from "@/server/base/parse-json";
import { channelDeliveries, channelPeople, channels, channelUpdates } from "./channel-schema";
import { makeQueries, type Queries } from "./core/typed-database";

interface StoredChannel {
  readonly isOn: boolean;
  /** "" = the messenger's own. */
  readonly apiAddress: string;
  /** null = the personal workspace. */
  readonly projectId: ProjectId | null;
}

/** A paired person with his chat. */
export interface StoredPerson {
  readonly id: string;
  readonly name: string;
  readonly right: RemoteRight;
  readonly isPaused: boolean;
  readonly pairedAt: number;
  readonly chatId: string;
  /** Project of the next session; null = that of the channel. */
  readonly projectId: ProjectId | null;
  readonly sessionId: SessionId | null;
  /** Deliveries were made of the runs of that session that ended up to this seq. */
  readonly seenSeq: number;
  readonly mode: "ask" | "plan";
}

const updateBody = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("message"),
    text: z.string(),
    files: z.array(
      z.object({
        reference: z.string(),
        name: z.string(),
        mediaType: z.string(),
        size: z.exactOptional(z.number()),
        isPhoto: z.boolean(),
      }),
    ),
  }),
  z.object({ kind: z.literal("press"), value: z.string(), messageId: z.string() }),
]);
/** Content of an update: a message, or a press of a button. */
export type UpdateBody = z.infer<typeof updateBody>;

/** waiting = for its turn; old = for the answer whether to run it. */
type UpdateState = "waiting" | "old" | "done";

export interface StoredUpdate {
  readonly updateId: string;
  readonly state: Exclude<UpdateState, "done">;
  readonly body: UpdateBody;
}

const channelCard = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("approval"),
    sessionId: brandedId<SessionId>(),
    approvalId: brandedId<ApprovalId>(),
    hasButtons: z.boolean(),
    /** The next message is the reason of the denial. */
    awaitsReason: z.boolean(),
  }),
  /** Whether to run the oldest `count` old updates. */
  z.object({ kind: z.literal("old_updates"), count: z.number() }),
]);
/** Decision that the buttons of a message make. */
export type ChannelCard = z.infer<typeof channelCard>;
export type ApprovalCard = Extract<ChannelCard, { readonly kind: "approval" }>;

const deliveredFile = z.object({ name: z.string(), blob: brandedId<BlobId>() });
type DeliveredFile = z.infer<typeof deliveredFile>;

interface NewDelivery {
  readonly personId: string;
  readonly text: string;
  readonly card?: ChannelCard;
  /** A file that goes with it. */
  readonly file?: DeliveredFile;
  /** Changes the message of this delivery, whose row is deleted with this one. */
  readonly replaces?: number;
}

export interface StoredDelivery extends NewDelivery {
  readonly id: number;
  /** sending = the messenger was asked to; it may have been sent. */
  readonly state: "waiting" | "sending" | "sent";
  readonly messageId?: string;
}

type DeliveryChange = Partial<Pick<StoredDelivery, "state" | "messageId">> & {
  /** null = its buttons have no effect any more. */
  readonly card?: ChannelCard | null;
  readonly nonce?: string | null;
};

/** The rows of one kind of channel. Throws StoreError. The people are read once, so there is one such object in a process. */
export interface ChannelRows {
  /** Runs `work` as one transaction. */
  atomically<T>(work: () => T): T;
  channel(): StoredChannel;
  saveChannel(channel: StoredChannel): void;
  /** In the order in which they were paired. */
  people(): readonly StoredPerson[];
  person(id: string): StoredPerson | undefined;
  savePerson(person: StoredPerson): void;
  /** Deletes the updates of a person and the deliveries to him. */
  clearPerson(id: string): void;
  /** Deletes a person, with the above. */
  removePerson(id: string): void;
  /** false = the update is stored already. One that is done is stored without its body. */
  addUpdate(personId: string, update: StoredUpdate | { updateId: string; state: "done" }, receivedAt: number): boolean;
  /** The oldest updates of a person that are not done. */
  updates(personId: string, limit: number): readonly StoredUpdate[];
  countUpdates(personId: string): number;
  setUpdate(updateId: string, state: UpdateState): void;
  /** Deletes all updates, or those that are done and were received before a time (ms epoch). */
  forgetUpdates(before?: number): void;
  addDelivery(delivery: NewDelivery): void;
  delivery(id: number): StoredDelivery | undefined;
  /** The oldest delivery that is not sent. */
  nextDelivery(personId: string): StoredDelivery | undefined;
  countDeliveries(personId: string): number;
  /** Deliveries to a person whose cards are not answered. */
  cards(personId: string): readonly StoredDelivery[];
  /** The delivery whose buttons have a nonce with this hash. */
  findCard(nonce: string): StoredDelivery | undefined;
  changeDelivery(id: number, change: DeliveryChange): void;
  removeDelivery(id: number): void;
}

export function channelRows(database: Database.Database, kind: string): ChannelRows {
  const query = makeQueries(database);
  const people = peopleRows(query, kind);
  return {
    channel: () =>
      query((db) =>
        db
          .select({ isOn: channels.isOn, apiAddress: channels.apiAddress, projectId: channels.projectId })
          .from(channels)
          .where(eq(channels.kind, kind))
          .get(),
      ) ?? { isOn: false, apiAddress: "", projectId: null },
    saveChannel: (set) =>
      void query((db) =>
        db
          .insert(channels)
          .values({ kind, ...set })
          .onConflictDoUpdate({ target: channels.kind, set })
          .run(),
      ),
    ...people.rows,
    ...updateRows(query, kind),
    ...deliveryRows(query, kind),
    atomically<T>(work: () => T): T {
      try {
        return query(() => database.transaction(work).immediate());
      } catch (error) {
        people.forget();
        throw error;
      }
    },
  };
}

function peopleRows(query: Queries, kind: string) {
  let people: readonly StoredPerson[] | null = null;
  const is = (id: string) => and(eq(channelPeople.kind, kind), eq(channelPeople.id, id));
  const read = (): readonly StoredPerson[] =>
    (people ??= query((db) =>
      db
        .select()
        .from(channelPeople)
        .where(eq(channelPeople.kind, kind))
        .orderBy(channelPeople.pairedAt, channelPeople.id)
        .all(),
    ).map(({ kind: _kind, ...row }) => ({
      ...row,
      // A right of another version is the least.
      right: remoteRights.find((right) => right === row.right) ?? "look",
      mode: row.mode === "plan" ? "plan" : "ask",
    })));
  const forget = (): void => {
    people = null;
  };
  const clearPerson = (id: string): void =>
    query((db) => {
      db.update(channelUpdates)
        .set({ state: "done", body: null })
        .where(and(eq(channelUpdates.kind, kind), eq(channelUpdates.personId, id)))
        .run();
      db.delete(channelDeliveries)
        .where(and(eq(channelDeliveries.kind, kind), eq(channelDeliveries.personId, id)))
        .run();
    });
  const rows = {
    people: read,
    person: (id) => read().find((person) => person.id === id),
    savePerson(set) {
      query((db) =>
        db
          .insert(channelPeople)
          .values({ kind, ...set })
          .onConflictDoUpdate({ target: [channelPeople.kind, channelPeople.id], set })
          .run(),
      );
      forget();
    },
    clearPerson,
    removePerson(id) {
      clearPerson(id);
      query((db) => db.delete(channelPeople).where(is(id)).run());
      forget();
    },
  } satisfies Partial<ChannelRows>;
  return { rows, forget };
}

function updateRows(query: Queries, kind: string) {
  const isOpen = (personId: string) =>
    and(eq(channelUpdates.kind, kind), eq(channelUpdates.personId, personId), ne(channelUpdates.state, "done"));
  return {
    addUpdate: (personId, { updateId, state, ...update }, receivedAt) => {
      const body = "body" in update ? JSON.stringify(update.body) : null;
      const row = { kind, updateId, personId, receivedAt, state, body };
      return query((db) => db.insert(channelUpdates).values(row).onConflictDoNothing().run()).changes === 1;
    },
    updates: (personId, limit) =>
      query((db) =>
        db.select().from(channelUpdates).where(isOpen(personId)).orderBy(channelUpdates.position).limit(limit).all(),
      ).flatMap(({ updateId, state, body }) => {
        const read = updateBody.safeParse(parseJson(body ?? ""));
        return read.success ? [{ updateId, state: state === "old" ? "old" : "waiting", body: read.data }] : [];
      }),
    countUpdates: (personId) =>
      query((db) => db.select({ count: count() }).from(channelUpdates).where(isOpen(personId)).get())?.count ?? 0,
    setUpdate: (updateId, state) =>
      void query((db) =>
        db
          .update(channelUpdates)
          .set({ state, ...(state === "done" ? { body: null } : {}) })
          .where(and(eq(channelUpdates.kind, kind), eq(channelUpdates.updateId, updateId)))
          .run(),
      ),
    forgetUpdates: (before) => {
      const isOld =
        before === undefined ? undefined : and(eq(channelUpdates.state, "done"), lt(channelUpdates.receivedAt, before));
      query((db) =>
        db
          .delete(channelUpdates)
          .where(and(eq(channelUpdates.kind, kind), isOld))
          .run(),
      );
    },
  } satisfies Partial<ChannelRows>;
}

function deliveryRows(query: Queries, kind: string) {
  const { id: idColumn, personId: person, state, card: cardColumn, nonce: nonceColumn } = channelDeliveries;
  const is = (id: number) => and(eq(channelDeliveries.kind, kind), eq(idColumn, id));
  const find = (where: SQL | undefined, limit = -1): readonly StoredDelivery[] =>
    query((db) =>
      db
        .select()
        .from(channelDeliveries)
        .where(and(eq(channelDeliveries.kind, kind), where))
        .orderBy(idColumn)
        .limit(limit)
        .all(),
    ).map(readDelivery);
  const isUnsent = (personId: string) => and(eq(person, personId), ne(state, "sent"));
  return {
    addDelivery: ({ card = null, file = null, ...delivery }) =>
      void query((db) =>
        db
          .insert(channelDeliveries)
          .values({ kind, ...delivery, state: "waiting", card: toJsonOrNull(card), file: toJsonOrNull(file) })
          .run(),
      ),
    delivery: (id) => find(eq(idColumn, id))[0],
    nextDelivery: (personId) => find(isUnsent(personId), 1)[0],
    countDeliveries: (personId) => find(isUnsent(personId)).length,
    cards: (personId) => find(and(eq(person, personId), isNotNull(cardColumn))),
    findCard: (nonce) => find(and(eq(nonceColumn, nonce), isNotNull(cardColumn)))[0],
    changeDelivery(id, { card, ...change }) {
      const set = { ...change, ...(card === undefined ? {} : { card: toJsonOrNull(card) }) };
      query((db) => db.update(channelDeliveries).set(set).where(is(id)).run());
    },
    removeDelivery: (id) => void query((db) => db.delete(channelDeliveries).where(is(id)).run()),
  } satisfies Partial<ChannelRows>;
}

const toJsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

function readDelivery(row: typeof channelDeliveries.$inferSelect): StoredDelivery {
  const { id, personId, text, state, messageId, replaces, card, file } = row;
  const read = card === null ? null : channelCard.safeParse(parseJson(card));
  const readFile = file === null ? null : deliveredFile.safeParse(parseJson(file));
  return {
    id,
    personId,
    text,
    state: state === "sent" || state === "sending" ? state : "waiting",
    ...(messageId === null ? {} : { messageId }),
    ...(replaces === null ? {} : { replaces }),
    ...(read?.success === true ? { card: read.data } : {}),
    ...(readFile?.success === true ? { file: readFile.data } : {}),
  };
}
