/** The store of one home: all persistent data. */
import type Database from "better-sqlite3";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, ok, type Result } from "@/lib/events/error";
import { type BlobStore, createBlobs } from "./files/blobs";
import { type ConnectionStore, createConnections } from "./models/connections";
import { createDecisions, type DecisionStore } from "./access/decisions";
import { createEvents, type EventStore } from "./sessions/events";
import { createFileSnapshots, type FileSnapshotStore } from "./files/file-snapshots";
import { createFileLog, type FileLog } from "./sessions/file-log";
import type { HistoryStore } from "./history/history";
import { createSecrets, type SecretStore } from "./access/secrets";
import { type ApprovedToolStore, createApprovedTools } from "./access/approved-tools";
import { createToolSources, type ToolSourceStore } from "./access/tool-sources";
import { createModelNotes, type ModelNoteStore } from "./models/model-notes";
import { type OpenDatabase, openDatabase, openRelaxed, openStaging } from "./core/open-database";
import { createProjects, type ProjectStore } from "./projects";
import { createRules, type RuleStore } from "./access/rules";
import { createSessions, type SessionStore } from "./sessions/sessions";
import { createModelSettings, type ModelSettingsStore } from "./models/model-settings";
import { createSettings, type SettingsStore } from "./settings";
import { createShares, type ShareStore } from "./access/shares";
import { createSignIns, type SignInStore } from "./access/sign-ins";
import { withStoreErrors, StoreError, toStoreError } from "./core/store-error";
import { createStagedEvents, type StagedEvents } from "./sessions/staged-events";
import { createTrash, type TrashStore } from "./files/trash";
import { createViewParts, type ViewPartStore } from "./sessions/view-parts";

export interface Store {
  readonly events: EventStore;
  /** Logs written in parts and published atomically. */
  readonly staged: StagedEvents;
  /** Snapshots of project files as of the last scan. */
  readonly fileSnapshots: FileSnapshotStore;
  /** File-related records of the logs. */
  readonly fileLog: FileLog;
  readonly sessions: SessionStore;
  readonly projects: ProjectStore;
  readonly blobs: BlobStore;
  readonly rules: RuleStore;
  readonly decisions: DecisionStore;
  readonly settings: SettingsStore;
  readonly modelSettings: ModelSettingsStore;
  readonly signIns: SignInStore;
  readonly modelNotes: ModelNoteStore;
  readonly approvedTools: ApprovedToolStore;
  readonly toolSources: ToolSourceStore;
  readonly connections: ConnectionStore;
  /** Keys of connections and other secrets. */
  readonly secrets: SecretStore;
  readonly shares: ShareStore;
  readonly trash: TrashStore;
  /** Stored folded views of long logs. */
  readonly viewParts: ViewPartStore;
  /** Search and statistics over all sessions. Opened on first use; rejects with StoreError. */
  history(): Promise<HistoryStore>;
  /** Whether a row of this table has something to do after the start: an automation, a channel that is on. */
  hasWork(table: "automations" | "channels"): boolean;
  /** gopi.db, for the modules of features, which are loaded late. */
  readonly database: Database.Database;
  /** Path of gopi.db. */
  readonly path: string;
  /** The last process did not close the store; run quickCheck once after the server is listening. */
  readonly uncleanEnd: boolean;
  /** Path to which a damaged database was moved unchanged; the store is then empty. */
  readonly movedAside?: string;
  /** Checks the whole database; time grows with its size. Error: store_corrupt with SQLite's message. */
  quickCheck(): Result<void>;
  /** Checkpoints the WAL and closes the database. A second call does nothing. */
  close(): void;
}

export interface StoreOptions {
  /** Created with mode 0700 if missing. */
  readonly home: string;
  /** ms epoch */
  readonly now: () => number;
  /** Folder of the migrations; default: next to this module. */
  readonly migrations?: string;
}

/** Folder next to this module; the build copies it next to the bundle. */
const migrationsBesideProgram = (): string => fileURLToPath(new URL("./migrations", import.meta.url));

/**
 * Opens the store of a home. Requires the home lock. Errors: store_newer, store_locked, store_readonly, disk_full,
 * store_failed, store_corrupt; facts contain the path.
 */
export const openStore = ({ home, now, migrations = migrationsBesideProgram() }: StoreOptions): Result<Store> => {
  try {
    const opened = openDatabase({ home, now, migrations });
    return ok(assembleOrClose(opened, home, now));
  } catch (error) {
    const { code, message, facts } = toStoreError(error, join(home, "gopi.db"));
    return fail(code, message, facts);
  }
};

const assembleOrClose = (opened: OpenDatabase, home: string, now: () => number): Store => {
  try {
    return assemble(opened, home, now);
  } catch (error) {
    opened.database.close();
    throw error;
  }
};

const assemble = ({ database, ...found }: OpenDatabase, home: string, now: () => number): Store => {
  const blobs = createBlobs(database, join(home, "blobs"));
  let relaxed: Database.Database | undefined;
  const openedRelaxed = (): Database.Database => {
    relaxed ??= openRelaxed(found.path);
    return relaxed;
  };
  const decisions = createDecisions({ relaxed: openedRelaxed });
  const history = lazyHistory(join(home, "history.db"), found.path, now);
  return {
    ...found,
    history: history.open,
    events: createEvents({ database, relaxed: openedRelaxed }),
    staged: createStagedEvents({ database, connect: () => openStaging(found.path) }),
    decisions,
    fileSnapshots: createFileSnapshots(database, blobs),
    fileLog: createFileLog(database),
    sessions: createSessions(database, now),
    projects: createProjects(database),
    blobs,
    rules: createRules(database),
    settings: createSettings(database),
    modelSettings: createModelSettings(database),
    signIns: createSignIns(database, now),
    modelNotes: createModelNotes(database, now),
    approvedTools: createApprovedTools(database),
    toolSources: createToolSources(database),
    connections: createConnections(database, now),
    secrets: createSecrets(home),
    shares: createShares(database),
    trash: createTrash(database),
    viewParts: createViewParts(database, openedRelaxed),
    database,
    hasWork: (table) =>
      withStoreErrors(database.name, () => {
        const isOn = table === "channels" ? "WHERE is_on" : "";
        return database.prepare(`SELECT 1 FROM ${table} ${isOn} LIMIT 1`).get() !== undefined;
      }),
    quickCheck: () => quickCheck(database),
    close: () => {
      if (database.open) decisions.flush();
      history.close();
      relaxed?.close();
      if (database.open) closeDatabase(database);
    },
  };
};

/** Loads the module and opens history.db on first use; rejects after close. */
const lazyHistory = (path: string, logPath: string, now: () => number) => {
  let opening: Promise<HistoryStore> | undefined;
  let opened: HistoryStore | undefined;
  let isClosed = false;
  const open = async (): Promise<HistoryStore> => {
    const { createHistory } = await import("./history/history");
    if (isClosed) throw new StoreError("store_failed", "the store is closed");
    opened = createHistory(path, logPath, now);
    return opened;
  };
  return {
    open: (): Promise<HistoryStore> => {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    close: (): void => {
      isClosed = true;
      opened?.close();
      opened = undefined;
    },
  };
};

const quickCheck = (database: Database.Database): Result<void> => {
  try {
    const words: unknown = withStoreErrors(database.name, () => database.pragma("quick_check(10)", { simple: true }));
    return words === "ok" ? ok(undefined) : fail("store_corrupt", String(words), { path: database.name });
  } catch (error) {
    const { code, message, facts } = toStoreError(error, database.name);
    return fail(code, message, facts);
  }
};

const closeDatabase = (database: Database.Database): void => {
  try {
    database.pragma("wal_checkpoint(TRUNCATE)");
  } catch {
    // full disk or another reader: the WAL holds everything, the next start checkpoints it
  } finally {
    database.close();
  }
};
