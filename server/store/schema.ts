/**
 * Tables of gopi.db. drizzle-kit generates the migrations from them. Modules that are loaded late query them with drizzle; those of
 * the start and of the commits have prepared statements.
 */
import { blob, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "@/lib/events/content";
import type { Origin } from "@/lib/events/event";
import type { BlobId, CallId, CommandId, Hash, ProjectId, RuleId, SessionId, ShareId, TrashId } from "@/lib/events/id";
import { modes, ruleEffects } from "@/lib/permissions/policy";
import { sessionStatuses } from "@/lib/protocol/session-row";

/** Removed projects keep their row, because sessions reference it; opening the folder lists the project again. */
export const projects = sqliteTable("projects", {
  id: text("id").$type<ProjectId>().primaryKey(),
  path: text("path").notNull().unique(),
  name: text("name").notNull(),
  createdAt: integer("created_at").notNull(),
  openedAt: integer("opened_at").notNull(),
  removedAt: integer("removed_at"),
  /** Time at which the user trusted it; null = not trusted. */
  trustedAt: integer("trusted_at"),
  /** Top of the repository above the folder that the user agreed to use; null = none. */
  gitTop: text("git_top"),
  /** Time at which the user pinned it; null = not pinned. */
  pinnedAt: integer("pinned_at"),
});

/** List row of a session, updated in the transaction of its events. */
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
    planDone: integer("plan_done").notNull().default(0),
    /** 0 = the session has no plan. */
    planTotal: integer("plan_total").notNull().default(0),
    deletedAt: integer("deleted_at"),
    pinnedAt: integer("pinned_at"),
    archivedAt: integer("archived_at"),
    /** 1 = notices about it are off. */
    muted: integer("muted").notNull().default(0),
    /** The session it was forked from; no foreign key, since the parent may be purged. */
    forkedFrom: text("forked_from").$type<SessionId>(),
    forkedAtSeq: integer("forked_at_seq"),
    /** Session and call that started a subagent; no foreign key, since the parent may be purged. */
    parentId: text("parent_id").$type<SessionId>(),
    parentCall: text("parent_call").$type<CallId>(),
  },
  (table) => [
    index("sessions_newest").on(table.updatedAt, table.id),
    index("sessions_of_project").on(table.projectId, table.updatedAt, table.id),
    index("sessions_by_status").on(table.status),
    index("sessions_of_parent").on(table.parentId),
  ],
);

const sessionId = () =>
  text("session_id")
    .$type<SessionId>()
    .notNull()
    .references(() => sessions.id, { onDelete: "cascade" });

/** Event logs. `body` = event as JSON; `v` = version of its shape (upcast.ts). */
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

/** Results of commands, returned when a command is repeated instead of executing it again. */
export const receipts = sqliteTable(
  "receipts",
  {
    sessionId: sessionId(),
    commandId: text("command_id").$type<CommandId>().notNull(),
    result: text("result", { mode: "json" }).$type<Json>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.commandId] })],
);

/** Latest state of an open message or running call, overwritten as it grows. */
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

/** Content by hash; `bytes` null = stored as a file in home/blobs. */
export const blobs = sqliteTable("blobs", {
  id: text("id").$type<BlobId>().primaryKey(),
  size: integer("size").notNull(),
  bytes: blob("bytes", { mode: "buffer" }),
});

/** Deleted files and folders. Independent of their session, so that they stay restorable after it is purged. */
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

/** Permission rules: `words` and `rest` for bash, `access` and `glob` for files, `words` for other kinds. */
export const rules = sqliteTable(
  "rules",
  {
    id: text("id").$type<RuleId>().primaryKey(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    effect: text("effect", { enum: ruleEffects }).notNull().default("allow"),
    tool: text("tool").notNull(),
    words: text("words", { mode: "json" }).$type<readonly string[]>().notNull(),
    rest: integer("rest", { mode: "boolean" }).notNull(),
    access: text("access", { enum: ["read", "write", "delete"] }),
    glob: text("glob"),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [index("rules_of_project").on(table.projectId)],
);

/** Settings changed by the user; the defaults are in lib/settings/settings.ts. */
export const settings = sqliteTable("settings", {
  key: text("key").primaryKey(),
  value: text("value", { mode: "json" }).$type<Json>().notNull(),
});

/** Measurements of models, by digest or "provider:name". The JSON columns are validated by model-notes.ts. */
export const modelNotes = sqliteTable("model_notes", {
  key: text("key").primaryKey(),
  note: text("note", { mode: "json" }).$type<Json>().notNull(),
  /** A window at which part of the model did not fit the GPU. */
  spill: text("spill", { mode: "json" }).$type<Json>(),
  updatedAt: integer("updated_at").notNull(),
});

/** External tools that the user approved in a project, as defined by `definition`, a hash. */
export const approvedTools = sqliteTable(
  "approved_tools",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    source: text("source").notNull(),
    tool: text("tool").notNull(),
    definition: text("definition").$type<Hash>().notNull(),
    /** ms epoch */
    firstAt: integer("first_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.source, table.tool] })],
);

/** Sources of external tools that the user approved. `tools` is validated by tool-sources.ts. */
export const toolSources = sqliteTable(
  "tool_sources",
  {
    /** Kind of the source, such as `mcp`. */
    kind: text("kind").notNull(),
    /** The project whose file names it; empty = the home's. */
    projectId: text("project_id").$type<ProjectId | "">().notNull(),
    name: text("name").notNull(),
    /** Hash of the start command or address, as approved. */
    launch: text("launch").$type<Hash>().notNull(),
    instructions: text("instructions").notNull(),
    tools: text("tools").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.projectId, table.name] })],
);

/** The newest result of each eval task, by the key of its model's note. `result` is validated by eval-results.ts. */
export const evalResults = sqliteTable(
  "eval_results",
  {
    modelKey: text("model_key").notNull(),
    task: text("task").notNull(),
    /** JSON, which may be of another version. */
    result: text("result").notNull(),
    /** The session as Markdown. */
    transcript: text("transcript").notNull(),
    at: integer("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.modelKey, table.task] })],
);

/** Connections, without API keys. Removed ones keep their row, so that their id is not reused for another server. */
export const connections = sqliteTable("connections", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  preset: text("preset").notNull(),
  baseUrl: text("base_url").notNull(),
  model: text("model").notNull(),
  temperature: real("temperature"),
  numCtx: integer("num_ctx").notNull(),
  /** The key is the password of this user, or the value of this header; both null = it is a bearer token. */
  keyUser: text("key_user"),
  keyHeader: text("key_header"),
  /** Header with the session's id; null = by the address, empty = none. */
  sessionHeader: text("session_header"),
  /** Answers at once, set by the user. */
  atOnce: integer("at_once"),
  createdAt: integer("created_at").notNull(),
  removedAt: integer("removed_at"),
});

/** Signed-in browsers. Only hashes of their secrets are stored. */
export const signIns = sqliteTable("sign_ins", {
  id: text("id").primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  /** Null until a browser that signed in with an older version is seen. */
  cookieHash: text("cookie_hash").unique(),
  label: text("label").notNull(),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Share links. Only the hash of the token is stored. */
export const shares = sqliteTable(
  "shares",
  {
    id: text("id").$type<ShareId>().primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    sessionId: sessionId(),
    kind: text("kind", { enum: ["live", "frozen"] }).notNull(),
    /** seq of the last event visible in a frozen share. */
    atSeq: integer("at_seq").notNull(),
    outputs: integer("outputs", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("shares_of_session").on(table.sessionId)],
);

/** Decisions about calls, of the policy and of those who answered. */
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
    origin: text("origin", { mode: "json" }).$type<Origin>(),
  },
  (table) => [index("decisions_of_project").on(table.projectId, table.id)],
);

/** Snapshots of project files as of their last scan, for detecting changes by shell commands. */
export const fileSnapshots = sqliteTable(
  "file_images",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    path: text("path").notNull(),
    /** null = too large to store. */
    blob: text("blob").$type<BlobId>(),
    size: integer("size").notNull(),
    mode: integer("mode").notNull(),
    modifiedNs: text("modified_ns").notNull(),
    changedNs: text("changed_ns").notNull(),
    inode: text("inode").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.path] })],
);

/** Shell commands that run, or that a killed process left without the changes they made. */
export const openCommands = sqliteTable(
  "open_commands",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    sessionId: text("session_id").$type<SessionId>().notNull(),
    callId: text("call_id").$type<CallId>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.sessionId, table.callId] })],
);

/** Folded views of long logs, in parts. Derived data, used only if every hash in part 0 matches. */
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

/** Prompts that run without the user. The JSON columns are validated by automations.ts. */
export const automations = sqliteTable("automations", {
  id: text("id").primaryKey(),
  definition: text("definition").notNull(),
  isOn: integer("is_on", { mode: "boolean" }).notNull(),
  rules: text("rules").notNull(),
  rehearsal: text("rehearsal"),
  failures: integer("failures").notNull(),
  /** Its due times up to this one have their rows. */
  checkedUntil: integer("checked_until").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Times at which automations were due. The row is written before the run starts, so that no time runs twice. */
export const automationRuns = sqliteTable(
  "automation_runs",
  {
    automationId: text("automation_id")
      .notNull()
      .references(() => automations.id, { onDelete: "cascade" }),
    scheduledFor: integer("scheduled_for").notNull(),
    cause: text("cause").notNull(),
    startedAt: integer("started_at"),
    endedAt: integer("ended_at"),
    /** Null = it waits or runs. */
    outcome: text("outcome"),
    sessionId: text("session_id").$type<SessionId>(),
    tokens: integer("tokens"),
    error: text("error"),
  },
  (table) => [primaryKey({ columns: [table.automationId, table.scheduledFor] })],
);
