/** Every table of gopi.db. drizzle-kit makes the migrations from it; `catalogue.ts` queries it, the hot files take its types. */
import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "@/lib/content";
import type { BlobId, CommandId, ProjectId, RuleId, SessionId, ShareId, TrashId } from "@/lib/id";
import { modes, ruleEffects } from "@/lib/policy";
import { sessionStatuses } from "@/lib/session-row";

/** A removed project only leaves the list: its sessions keep pointing at it, and opening the folder brings it back. */
export const projects = sqliteTable("projects", {
  id: text("id").$type<ProjectId>().primaryKey(),
  path: text("path").notNull().unique(),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  openedAt: integer("opened_at").notNull(),
  removedAt: integer("removed_at"),
  /** Since when its owner trusts it; null = not. */
  trustedAt: integer("trusted_at"),
});

/** The list row of a session, changed in the transaction of the events it sums up. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").$type<SessionId>().primaryKey(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id),
    cwd: text("cwd").notNull(),
    title: text("title").notNull(),
    status: text("status", { enum: sessionStatuses }).notNull(),
    mode: text("mode", { enum: modes }).notNull(),
    model: text("model").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    lastSeq: integer("last_seq").notNull(),
    added: integer("added").notNull(),
    removed: integer("removed").notNull(),
    deletedAt: integer("deleted_at"),
    pinnedAt: integer("pinned_at"),
    archivedAt: integer("archived_at"),
    /** The session it was forked from; kept as text, the parent may be gone. */
    forkedFrom: text("forked_from").$type<SessionId>(),
    forkedAtSeq: integer("forked_at_seq"),
  },
  (table) => [
    index("sessions_newest").on(table.updatedAt, table.id),
    index("sessions_of_project").on(table.projectId, table.updatedAt, table.id),
    index("sessions_by_status").on(table.status),
  ],
);

const sessionId = () =>
  text("session_id")
    .$type<SessionId>()
    .notNull()
    .references(() => sessions.id, { onDelete: "cascade" });

/** The log. `body` is the event as JSON; `v` is the version of its shape (upcast.ts). */
export const events = sqliteTable(
  "events",
  {
    sessionId: sessionId(),
    seq: integer("seq").notNull(),
    v: integer("v").notNull(),
    at: integer("at").notNull(),
    type: text("type").notNull(),
    body: text("body").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.seq] })],
);

/** What a command answered: the same command sent again gets this and does nothing. */
export const receipts = sqliteTable(
  "receipts",
  {
    sessionId: sessionId(),
    commandId: text("command_id").$type<CommandId>().notNull(),
    result: text("result", { mode: "json" }).$type<Json>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.commandId] })],
);

/** The newest state of an open message or running call, overwritten while it grows. */
export const checkpoints = sqliteTable(
  "checkpoints",
  {
    sessionId: sessionId(),
    key: text("key").notNull(),
    at: integer("at").notNull(),
    body: text("body").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.key] })],
);

/** Content by its hash; `bytes` is null where a file in home/blobs holds it. */
export const blobs = sqliteTable("blobs", {
  id: text("id").$type<BlobId>().primaryKey(),
  size: integer("size").notNull(),
  bytes: blob("bytes", { mode: "buffer" }),
});

/** What was deleted and where it is kept. Survives its session: a file must stay restorable. */
export const trash = sqliteTable(
  "trash",
  {
    id: text("id").$type<TrashId>().primaryKey(),
    sessionId: text("session_id").$type<SessionId>().notNull(),
    projectId: text("project_id").$type<ProjectId>().notNull(),
    path: text("path").notNull(),
    keptIn: text("kept_in").notNull(),
    folder: integer("folder", { mode: "boolean" }).notNull(),
    files: integer("files").notNull(),
    bytes: integer("bytes").notNull(),
    at: integer("at").notNull(),
    restoredAt: integer("restored_at"),
  },
  (table) => [index("trash_of_project").on(table.projectId, table.at)],
);

/** Rules from "Always allow" and from the settings: `words` and `rest` for bash, `access` and `glob` for files. */
export const rules = sqliteTable(
  "rules",
  {
    id: text("id").$type<RuleId>().primaryKey(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    effect: text("effect", { enum: ruleEffects }).notNull().default("allow"),
    tool: text("tool", { enum: ["bash", "files"] }).notNull(),
    words: text("words", { mode: "json" }).$type<readonly string[]>().notNull(),
    rest: integer("rest", { mode: "boolean" }).notNull(),
    access: text("access", { enum: ["read", "write", "delete"] }),
    glob: text("glob"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("rules_of_project").on(table.projectId)],
);

/** Only what the user changed; the defaults are in lib/settings.ts. */
export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value: text("value", { mode: "json" }).$type<Json>().notNull(),
});

/** What was learned of a model, by its digest, else by "provider:name". Both columns as model-notes.ts reads them. */
export const modelNotes = sqliteTable("model_notes", {
  key: text("key").primaryKey(),
  note: text("note", { mode: "json" }).$type<Json>().notNull(),
  /** A window at which part of it did not fit the GPU. */
  spill: text("spill", { mode: "json" }).$type<Json>(),
  updatedAt: integer("updated_at").notNull(),
});

/** Model servers beside Ollama; never their keys. A removed one keeps its row, so that its id is not given to another server. */
export const connections = sqliteTable("connections", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  preset: text("preset").notNull(),
  baseUrl: text("base_url").notNull(),
  model: text("model").notNull(),
  temperature: real("temperature"),
  numCtx: integer("num_ctx").notNull(),
  createdAt: integer("created_at").notNull(),
  removedAt: integer("removed_at"),
});

/** Browsers that signed in. Only the hash of a cookie is kept. */
export const signIns = sqliteTable("sign_ins", {
  id: text("id").primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  label: text("label").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Share links. Only the hash of a token is kept. */
export const shares = sqliteTable(
  "shares",
  {
    id: text("id").$type<ShareId>().primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    sessionId: sessionId(),
    kind: text("kind", { enum: ["live", "frozen"] }).notNull(),
    /** The last event a frozen share shows. */
    atSeq: integer("at_seq").notNull(),
    outputs: integer("outputs", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("shares_of_session").on(table.sessionId)],
);

/** What was decided without asking anybody. */
export const decisions = sqliteTable(
  "decisions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: integer("at").notNull(),
    projectId: text("project_id").$type<ProjectId>().notNull(),
    sessionId: text("session_id").$type<SessionId>().notNull(),
    tool: text("tool").notNull(),
    target: text("target").notNull(),
    kind: text("kind", { enum: ["allow", "refuse"] }).notNull(),
    reason: text("reason").notNull(),
    mode: text("mode", { enum: modes }).notNull(),
    rule: text("rule").$type<RuleId>(),
    detail: text("detail"),
  },
  (table) => [index("decisions_of_project").on(table.projectId, table.id)],
);

/** The project's files as they were when last looked at, with the blob that holds them: what a shell command may change. */
export const fileImages = sqliteTable(
  "file_images",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    path: text("path").notNull(),
    /** null = too large to keep. */
    blob: text("blob").$type<BlobId>(),
    size: integer("size").notNull(),
    mode: integer("mode").notNull(),
    modifiedNs: text("modified_ns").notNull(),
    changedNs: text("changed_ns").notNull(),
    inode: text("inode").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.path] })],
);

/** What a long log folds to, in parts: derived from the log, read back only when every hash in part 0 fits. */
export const viewParts = sqliteTable(
  "view_parts",
  {
    sessionId: sessionId(),
    part: integer("part").notNull(),
    hash: text("hash").notNull(),
    body: text("body").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.part] })],
);
