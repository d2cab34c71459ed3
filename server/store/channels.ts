/**
 * Messengers: their settings, the paired persons, what came from them and what is to be sent to them. Statements are prepared
 * at first use: most homes have none.
 */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import type { ApprovalId, BlobId, ProjectId, SessionId } from "@/lib/events/id";
import { type RemoteRight, remoteRights } from "@/lib/permissions/remote-rights";
import { brandedId } from "@/lib/protocol/command-input";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "./core/store-error";

export interface StoredChannel {
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
/** What a person sent: a message, or a press of a button. */
export type UpdateBody = z.infer<typeof updateBody>;

/** waiting = for its turn; old = for the answer whether to run it. */
export type UpdateState = "waiting" | "old" | "done";

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
/** What the buttons of a message decide about. */
export type ChannelCard = z.infer<typeof channelCard>;
export type ApprovalCard = Extract<ChannelCard, { readonly kind: "approval" }>;

const deliveredFile = z.object({ name: z.string(), blob: brandedId<BlobId>() });
export type DeliveredFile = z.infer<typeof deliveredFile>;

export interface NewDelivery {
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

/** Throws StoreError. */
export interface ChannelStore {
  /** Whether a channel is switched on. */
  isAnyOn(): boolean;
  /** The rows of one kind of channel. The people are read once, so there is one such object in a process. */
  in(kind: string): ChannelRows;
}

/** Throws StoreError. */
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

type Values = Readonly<Record<string, string | number | null>>;
/** Runs statements; each has the kind of channel as `@kind`. */
interface Statements {
  /** Returns the number of changed rows. */
  run(sql: string, values?: Values): number;
  all<R>(sql: string, values?: Values): readonly R[];
}

export function createChannels(database: Database.Database): ChannelStore {
  const safely = <T>(work: () => T): T => withStoreErrors(database.name, work);
  return {
    isAnyOn: () =>
      safely(() => database.prepare<[], unknown>("SELECT 1 FROM channels WHERE is_on LIMIT 1").get() !== undefined),
    in(kind) {
      const statements: Statements = {
        run: (sql, values) => safely(() => database.prepare<[Values]>(sql).run({ kind, ...values }).changes),
        all: <R>(sql: string, values?: Values) =>
          safely(() => database.prepare<[Values], R>(sql).all({ kind, ...values })),
      };
      const people = peopleRows(statements);
      return {
        ...channelRow(statements),
        ...people.rows,
        ...updateRows(statements),
        ...deliveryRows(statements),
        atomically<T>(work: () => T): T {
          try {
            return safely(() => database.transaction(work).immediate());
          } catch (error) {
            people.forget();
            throw error;
          }
        },
      };
    },
  };
}

const channelRow = ({ run, all }: Statements) =>
  ({
    channel() {
      const [row] = all<Omit<StoredChannel, "isOn"> & { readonly isOn: number }>(
        "SELECT is_on AS isOn, api_address AS apiAddress, project_id AS projectId FROM channels WHERE kind = @kind",
      );
      return row === undefined ? { isOn: false, apiAddress: "", projectId: null } : { ...row, isOn: row.isOn === 1 };
    },
    saveChannel: (channel) =>
      void run("INSERT OR REPLACE INTO channels VALUES (@kind, @isOn, @apiAddress, @projectId)", {
        ...channel,
        isOn: channel.isOn ? 1 : 0,
      }),
  }) satisfies Partial<ChannelRows>;

type PersonRow = Omit<StoredPerson, "isPaused" | "right" | "mode"> & {
  readonly isPaused: number;
  readonly right: string;
  readonly mode: string;
};

function peopleRows({ run, all }: Statements) {
  let people: readonly StoredPerson[] | null = null;
  const read = (): readonly StoredPerson[] =>
    (people ??= all<PersonRow>(
      `SELECT id, name, "right", is_paused AS isPaused, paired_at AS pairedAt, chat_id AS chatId, project_id AS projectId,
         session_id AS sessionId, seen_seq AS seenSeq, mode FROM channel_people WHERE kind = @kind ORDER BY paired_at, id`,
    ).map((row) => ({
      ...row,
      isPaused: row.isPaused === 1,
      // A right of another version is the least.
      right: remoteRights.find((right) => right === row.right) ?? "look",
      mode: row.mode === "plan" ? "plan" : "ask",
    })));
  const forget = (): void => {
    people = null;
  };
  const clearPerson = (id: string): void => {
    run("UPDATE channel_updates SET state = 'done', body = NULL WHERE kind = @kind AND person_id = @id", { id });
    run("DELETE FROM channel_deliveries WHERE kind = @kind AND person_id = @id", { id });
  };
  const rows = {
    people: read,
    person: (id) => read().find((person) => person.id === id),
    savePerson(person) {
      run(
        `INSERT OR REPLACE INTO channel_people VALUES (@kind, @id, @name, @right, @isPaused, @pairedAt, @chatId, @projectId,
           @sessionId, @seenSeq, @mode)`,
        { ...person, isPaused: person.isPaused ? 1 : 0 },
      );
      forget();
    },
    clearPerson,
    removePerson(id) {
      clearPerson(id);
      run("DELETE FROM channel_people WHERE kind = @kind AND id = @id", { id });
      forget();
    },
  } satisfies Partial<ChannelRows>;
  return { rows, forget };
}

const updateRows = ({ run, all }: Statements) =>
  ({
    addUpdate: (personId, update, receivedAt) =>
      run(
        `INSERT INTO channel_updates (kind, update_id, person_id, received_at, state, body)
         VALUES (@kind, @updateId, @personId, @receivedAt, @state, @body) ON CONFLICT DO NOTHING`,
        {
          updateId: update.updateId,
          personId,
          receivedAt,
          state: update.state,
          body: "body" in update ? JSON.stringify(update.body) : null,
        },
      ) === 1,
    updates: (personId, limit) =>
      all<{ readonly updateId: string; readonly state: string; readonly body: string }>(
        `SELECT update_id AS updateId, state, body FROM channel_updates
         WHERE kind = @kind AND person_id = @personId AND state <> 'done' ORDER BY position LIMIT @limit`,
        { personId, limit },
      ).flatMap(({ updateId, state, body }) => {
        const read = updateBody.safeParse(parseJson(body));
        return read.success ? [{ updateId, state: state === "old" ? "old" : "waiting", body: read.data }] : [];
      }),
    countUpdates: (personId) =>
      all<{ readonly count: number }>(
        `SELECT count(*) AS count FROM channel_updates WHERE kind = @kind AND person_id = @personId AND state <> 'done'`,
        { personId },
      )[0]?.count ?? 0,
    setUpdate: (updateId, state) =>
      void run(
        `UPDATE channel_updates SET state = @state, body = CASE @state WHEN 'done' THEN NULL ELSE body END
         WHERE kind = @kind AND update_id = @updateId`,
        { state, updateId },
      ),
    forgetUpdates: (before) =>
      before === undefined
        ? void run("DELETE FROM channel_updates WHERE kind = @kind")
        : void run("DELETE FROM channel_updates WHERE kind = @kind AND state = 'done' AND received_at < @before", {
            before,
          }),
  }) satisfies Partial<ChannelRows>;

interface DeliveryRow {
  readonly id: number;
  readonly personId: string;
  readonly text: string;
  readonly state: string;
  readonly messageId: string | null;
  readonly replaces: number | null;
  readonly card: string | null;
  readonly file: string | null;
}

const deliveryRows = ({ run, all }: Statements) => {
  const find = (where: string, values: Values): readonly StoredDelivery[] =>
    all<DeliveryRow>(
      `SELECT id, person_id AS personId, text, state, message_id AS messageId, replaces, card, file FROM channel_deliveries
       WHERE kind = @kind AND ${where}`,
      values,
    ).map(readDelivery);
  return {
    addDelivery: ({ personId, text, card = null, file = null, replaces = null }) =>
      void run(
        `INSERT INTO channel_deliveries (kind, person_id, text, state, replaces, card, file)
         VALUES (@kind, @personId, @text, 'waiting', @replaces, @card, @file)`,
        { personId, text, replaces, card: toJsonOrNull(card), file: toJsonOrNull(file) },
      ),
    delivery: (id) => find("id = @id", { id })[0],
    nextDelivery: (personId) => find("person_id = @personId AND state <> 'sent' ORDER BY id LIMIT 1", { personId })[0],
    countDeliveries: (personId) => find("person_id = @personId AND state <> 'sent'", { personId }).length,
    cards: (personId) => find("person_id = @personId AND card IS NOT NULL ORDER BY id", { personId }),
    findCard: (nonce) => find("nonce = @nonce AND card IS NOT NULL", { nonce })[0],
    changeDelivery(id, { card, ...change }) {
      const values = {
        ...change,
        ...(card === undefined ? {} : { card: card === null ? null : JSON.stringify(card) }),
      };
      const columns = Object.keys(values).map((name) => `${deliveryColumns[name] ?? name} = @${name}`);
      run(`UPDATE channel_deliveries SET ${columns.join(", ")} WHERE kind = @kind AND id = @id`, { ...values, id });
    },
    removeDelivery: (id) => void run("DELETE FROM channel_deliveries WHERE kind = @kind AND id = @id", { id }),
  } satisfies Partial<ChannelRows>;
};

/** Columns that have another name than their member. */
const deliveryColumns: Readonly<Record<string, string>> = { messageId: "message_id" };

const toJsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

function readDelivery({ id, personId, text, state, messageId, replaces, card, file }: DeliveryRow): StoredDelivery {
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
