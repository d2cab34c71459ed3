/** The services of the product as `compose.ts` builds them, over a temporary home and a project folder beside it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Push } from "@/lib/protocol/push";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { type ComposedServices, type CoreServicesOptions, composeServices } from "@/server/compose-services";
import { openStore, type Store } from "@/server/store/open-store";
import { StoreError } from "@/server/store/core/store-error";
import { passGates } from "@/server/agent/tools/call-gate";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { isTemporaryName } from "@/server/workspace/files/write-file";
import { type CleanupJournal, makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { builtInSources } from "../context/sources/built-in-sources";

export interface TestServices {
  readonly store: Store;
  /** The program's data folder. */
  readonly home: string;
  /** The user's home folder, which contains `home` and `root`. */
  readonly userHome: string;
  /** A user's folder; not opened as a project yet. */
  readonly root: string;
  readonly settings: { current: Settings };
  readonly leftovers: CleanupJournal;
  readonly pushes: Push[];
  readonly logged: string[];
  /** The services of the current process. */
  services(): ComposedServices;
  /** Simulates a kill and a start: nothing is closed, and the old process can write nothing any more. */
  restart(): void;
}

type TestServicesOptions = Partial<
  Pick<
    CoreServicesOptions,
    | "model"
    | "toolSources"
    | "catalogueSources"
    | "askGates"
    | "unattendedTerms"
    | "readRoots"
    | "contextSources"
    | "sessionServices"
    | "sessionsKept"
    | "snapshotFiles"
    | "titleDelayMs"
    | "now"
    | "reportBug"
  >
> & {
  readonly settings?: Partial<Settings>;
  /** Variables added to a minimal environment. */
  readonly environment?: Readonly<Record<string, string>>;
};

export function makeTestServices(options: TestServicesOptions = {}): TestServices {
  const userHome = realpathSync(mkdtempSync(join(tmpdir(), "gopi-services-")));
  const [home, root] = [join(userHome, "home"), join(userHome, "project")];
  for (const path of [home, root]) mkdirSync(path);
  const now = options.now ?? Date.now;
  const opened = openStore({ home, now });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  const settings = { current: { ...settingsDefaults, ...options.settings } };
  const leftovers = makeCleanupJournal(home, isTemporaryName);
  const pushes: Push[] = [];
  const logged: string[] = [];
  const start = () => {
    let killed = false;
    const services = composeServices({
      model: null,
      toolSources: () => [builtInSource],
      catalogueSources: () => [],
      readRoots: () => [],
      loadToolSources: () => Promise.resolve(),
      contextSources: () => builtInSources,
      unattendedTerms: () => null,
      reportBug: (name, error) => void logged.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`),
      ...options,
      askGates: options.askGates ?? passGates,
      store: { ...store, ...failAfterKill(store, () => !killed) },
      home,
      version: "0.0.0",
      bearer: "bearer-of-the-test",
      environment: { PATH: process.env.PATH, HOME: userHome, NODE_ENV: "test", ...options.environment },
      leftovers,
      settings: () => settings.current,
      now,
      push: (push) => void pushes.push(push),
      log: (line) => void logged.push(line),
    });
    return { services, kill: () => (killed = true) };
  };
  const processes = [start()];
  const current = () => processes[processes.length - 1] ?? start();
  onTestFinished(async () => {
    await Promise.all(processes.map(({ services }) => services.registry.close()));
    for (const { services } of processes) services.projects.dispose();
    await Promise.all(processes.map(({ services }) => services.access.close()));
    store.close();
    rmSync(userHome, { recursive: true, force: true });
  });
  return {
    store,
    home,
    userHome,
    root,
    settings,
    leftovers,
    pushes,
    logged,
    services: () => current().services,
    restart() {
      current().kill();
      processes.push(start());
    },
  };
}

/** Makes a killed process fail on every write. */
function failAfterKill(
  { events, fileSnapshots }: Store,
  alive: () => boolean,
): Pick<Store, "events" | "fileSnapshots"> {
  const checked = <I extends readonly unknown[], O>(write: (...input: I) => O) => {
    return (...input: I): O => {
      if (!alive()) throw new StoreError("not_found", "this process was killed");
      return write(...input);
    };
  };
  return {
    events: {
      ...events,
      commit: checked(events.commit),
      create: checked(events.create),
      checkpoint: checked(events.checkpoint),
    },
    fileSnapshots: {
      ...fileSnapshots,
      update: checked(fileSnapshots.update),
      markCommandOpen: checked(fileSnapshots.markCommandOpen),
      clearOpenCommand: checked(fileSnapshots.clearOpenCommand),
    },
  };
}
