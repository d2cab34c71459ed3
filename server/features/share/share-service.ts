/**
 * Joins share links with the store, the sessions, the redactor, and the listener for viewers, which is loaded lazily.
 */
import { basename } from "node:path";
import type { Push } from "@/lib/protocol/push";
import { type Settings } from "@/lib/settings/settings";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { SessionService } from "@/server/session/service/session-service";
import type { ShareServerOpener } from "@/server/session/share/shared-view";
import { makeShares, type Shares } from "@/server/session/share/shares";
import type { Store } from "@/server/store/open-store";

/** Minimum interval between viewer list updates, ms. */
const viewersTellMs = 250;

interface ShareServiceOptions {
  readonly store: Store;
  readonly sessions: SessionService;
  readonly access: Pick<ModelAccess, "connections">;
  readonly environment: NodeJS.ProcessEnv;
  /** The first port to try for viewers. */
  readonly firstPort: () => number;
  /** Opens the listener for viewers; loads it lazily. */
  readonly openShareServer: ShareServerOpener;
  /** This program's data folder. */
  readonly home: string;
  /** Bearer token of server.json; must never reach a viewer. */
  readonly bearer: string;
  readonly machine: () => readonly string[];
  readonly settings: () => Settings;
  readonly now: () => number;
  readonly push: (push: Push) => void;
  /** Called when the addresses of share links may have changed. */
  readonly networkChanged: () => void;
  readonly log: (line: string) => void;
}

export function makeShareService(options: ShareServiceOptions): Shares {
  const { store, sessions, now, push, log } = options;
  let pushTimer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const pushShares = (): void => {
    clearTimeout(pushTimer);
    pushTimer = undefined;
    push({ type: "shares", shares: shares.list() });
  };
  const pushSharesSoon = (): void => {
    if (!isClosed) pushTimer ??= setTimeout(pushShares, viewersTellMs).unref();
  };
  const shares = makeShares({
    shares: store.shares,
    sessions: store.sessions,
    now,
    machineAddresses: options.machine,
    changed() {
      pushShares();
      options.networkChanged();
    },
    log,
    async shareServer() {
      const { makeSecretRedactor } = await import("@/server/session/share/secret-redactor");
      return options.openShareServer({
        firstPort: options.firstPort,
        shares: store.shares,
        sessions: {
          store,
          sessions,
          redactor: {
            redactor: makeSecretRedactor(options),
            // The data folder is protected from viewers as well.
            protectedNames: () => [...options.settings().protectedNames, basename(options.home)],
          },
        },
        now,
        changed: pushSharesSoon,
        reportBug: (name, error) => log(`${name}: ${error instanceof Error ? error.stack : String(error)}`),
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
