/**
 * Joins share links with the store, the sessions, the redactor, and the listener for viewers, which is loaded lazily.
 */
import { basename } from "node:path";
import type { Push } from "@/lib/push";
import { limits, type Settings } from "@/lib/settings";
import type { Registry } from "./session/registry";
import { makeShares, type Shares } from "./session/shares";
import type { Store } from "./store/open-store";
import type { Door } from "./transport/guard";

export interface SharingOptions {
  readonly store: Store;
  readonly registry: Registry;
  readonly environment: NodeJS.ProcessEnv;
  readonly door: () => Door;
  /** This program's data folder. */
  readonly home: string;
  /** Bearer token of server.json; must never reach a viewer. */
  readonly bearer: string;
  /** Folder of the exported UI. */
  readonly ui: string;
  readonly machine: () => readonly string[];
  readonly settings: () => Settings;
  readonly now: () => number;
  readonly push: (push: Push) => void;
  /** Called when the addresses of share links may have changed. */
  readonly networkChanged: () => void;
  readonly log: (line: string) => void;
}

export function makeSharing(options: SharingOptions): Shares {
  const { store, registry, now, push, log } = options;
  let pushTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const pushShares = (): void => {
    clearTimeout(pushTimer);
    pushTimer = undefined;
    push({ type: "shares", shares: shares.list() });
  };
  const pushSharesSoon = (): void => {
    if (!isClosed) pushTimer ??= setTimeout(pushShares, limits.viewersTellMs).unref();
  };
  const shares = makeShares({
    shares: store.shares,
    sessions: store.sessions,
    now,
    machine: options.machine,
    changed() {
      pushShares();
      options.networkChanged();
    },
    log,
    async door() {
      const [{ makeShareDoor }, { makeSharePage }, { redactorOf }] = await Promise.all([
        import("./transport/share-door"),
        import("./transport/share-page"),
        import("./share-secrets"),
      ]);
      return makeShareDoor({
        firstPort: () => options.door().port + 1,
        page: makeSharePage(options.ui),
        shares: store.shares,
        sessions: {
          store,
          registry,
          redactor: {
            redactor: redactorOf(options),
            // The data folder is protected from viewers as well.
            protectedNames: () => [...options.settings().protectedNames, basename(options.home)],
          },
        },
        now,
        changed: pushSharesSoon,
        bug: (name, error) => log(`${name}: ${error instanceof Error ? error.stack : String(error)}`),
      });
    },
  });
  return {
    ...shares,
    close() {
      isClosed = true;
      clearTimeout(pushTimer);
      return shares.close();
    },
  };
}
