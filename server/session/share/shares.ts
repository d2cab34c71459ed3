/**
 * The share links of this home: creation, listing, revocation, expiry. The network listener is injected and loaded with
 * the first active link.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import type { SessionId, ShareId } from "@/lib/events/id";
import type { AddressLink, Share, ShareViewer } from "@/lib/protocol/share";
import { hourMs } from "@/lib/time/duration";
import { randomId, randomSecret, computeHash } from "@/server/base/id";
import { makeMutex } from "@/server/base/concurrency";
import type { SessionStore } from "@/server/store/sessions/sessions";
import type { StoredShare, ShareStore } from "@/server/store/access/shares";
import { neverAborted } from "@/server/base/abort";

/** An active link, as the listener finds it. */
export type ActiveShare = StoredShare;
export type ActiveShares = Pick<ShareStore, "get" | "byToken">;

/** The listener for viewers. */
export interface ShareServer {
  /** Also listens on these addresses; does nothing if it already does. Fails with listen_failed. */
  open(addresses: readonly string[]): Promise<Result<null>>;
  /** Addresses it listens on. */
  readonly addresses: readonly string[];
  /** The origins of these addresses, without a final slash. */
  origins(addresses: readonly string[]): readonly { readonly address: string; readonly origin: string }[];
  viewers(id: ShareId): readonly ShareViewer[];
  /** Notifies the viewers of the end and disconnects them. */
  end(id: ShareId, reason: "revoked" | "expired"): void;
  /** Stops listening and disconnects everyone. */
  close(): Promise<void>;
}

export interface Shares {
  /** Without a network the link works on this machine only. Fails with not_found, listen_failed. */
  create(
    input: Pick<Share, "sessionId" | "kind" | "outputs"> & { readonly hours: number },
  ): Promise<Result<{ readonly share: Share; readonly links: readonly AddressLink[] }>>;
  /** Active shares, newest first. */
  list(sessionId?: SessionId): readonly Share[];
  /** false = there is no active share with this id. */
  revoke(id: ShareId): boolean;
  /** Ends the links of a deleted session. */
  sessionRemoved(id: SessionId): void;
  /** Addresses at which links are answered now. */
  addresses(): readonly string[];
  /** Answers links from before a restart again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

interface SharesOptions {
  readonly shares: ShareStore;
  readonly sessions: Pick<SessionStore, "get">;
  readonly now: () => number;
  /** This machine's addresses on its networks. */
  readonly machineAddresses: () => readonly string[];
  /** Loads and creates the listener; called once. */
  readonly shareServer: () => Promise<ShareServer>;
  /** Called when the list, the viewers or the addresses have changed. */
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** Path of a link's page; the token is in the fragment, which is never sent. */
export const sharePath = "/share";
/** Address of a link on a machine without a network. */
const loopbackAddress = "127.0.0.1";
/** Longest delay of a timer, ms. */
const maxTimerMs = 2_147_483_647;

export function makeShares(options: SharesOptions): Shares {
  const { shares, sessions, now } = options;
  const lifecycle = makeShareServerLifecycle(options);
  const create = async (input: Parameters<Shares["create"]>[0]): ReturnType<Shares["create"]> => {
    const { sessionId, kind, outputs, hours } = input;
    const before = sessions.get(sessionId);
    const isThere = before !== undefined && before.deletedAt === undefined;
    const opened = isThere ? await lifecycle.open() : fail("not_found");
    const row = sessions.get(sessionId);
    if (!opened.ok || row === undefined) {
      await lifecycle.syncListener("expired");
      return opened.ok ? fail("not_found") : opened;
    }
    const token = randomSecret();
    const id = randomId<ShareId>("share");
    const times = { createdAt: now(), expiresAt: now() + hours * hourMs };
    const share: StoredShare = {
      id,
      tokenHash: computeHash(token),
      sessionId,
      kind,
      atSeq: row.lastSeq,
      outputs,
      ...times,
    };
    shares.create(share);
    await lifecycle.syncListener("expired");
    const { addresses, origins } = opened.value;
    const links = origins(reachableAddresses(addresses, options.machineAddresses())).map(({ address, origin }) => ({
      address,
      url: `${origin}${sharePath}#${token}`,
    }));
    return ok({ share: lifecycle.shown(share), links });
  };
  return {
    create: (input) => lifecycle.inTurn(() => create(input)),
    list: (sessionId) =>
      shares
        .active(now())
        .filter((share) => sessionId === undefined || share.sessionId === sessionId)
        .map(lifecycle.shown),
    revoke(id) {
      const isRevoked = shares.revoke(id, now());
      // Viewers are disconnected before the command returns; the listener closes afterwards.
      lifecycle.end(id);
      lifecycle.syncListenerSoon("revoked");
      return isRevoked;
    },
    sessionRemoved(id) {
      const sessionShares = lifecycle.known().filter(({ sessionId }) => sessionId === id);
      for (const share of sessionShares) lifecycle.end(share.id);
      if (sessionShares.length > 0) lifecycle.syncListenerSoon("revoked");
    },
    addresses: lifecycle.addresses,
    resume: () =>
      lifecycle.inTurn(async () => {
        if (shares.active(now()).length === 0) return;
        const opened = await lifecycle.open();
        if (!opened.ok) options.log(`Share links cannot be answered: ${opened.error.code}.`);
        await lifecycle.syncListener("expired");
      }),
    close: lifecycle.close,
  };
}

/** Opens and closes the listener to match the active links, one change at a time. */
function makeShareServerLifecycle({ shares, now, machineAddresses, changed, log, ...options }: SharesOptions) {
  const turn = makeMutex();
  let shareServer: ShareServer | null = null;
  let timer: NodeJS.Timeout | undefined;
  let openShares: readonly StoredShare[] = [];
  let isClosed = false;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => turn.hold("door", work, neverAborted);
  /** Ends expired and revoked shares, closes the listener after the last one, and schedules the next expiry. */
  const syncListener = async (reason: "revoked" | "expired"): Promise<void> => {
    if (isClosed) return;
    const active = shares.active(now());
    const ids = new Set(active.map(({ id }) => id));
    for (const { id } of openShares) if (!ids.has(id)) shareServer?.end(id, reason);
    openShares = active;
    clearTimeout(timer);
    if (active.length === 0) await shareServer?.close();
    else {
      const next = Math.min(...active.map(({ expiresAt }) => expiresAt)) - now();
      timer = setTimeout(() => syncListenerSoon("expired"), Math.min(Math.max(next, 0) + 1, maxTimerMs)).unref();
    }
    changed();
  };
  /** If the store cannot be read now, the next change tries again. */
  const syncListenerSoon = (reason: "revoked" | "expired"): void =>
    void inTurn(() => syncListener(reason)).catch((error: unknown) => log(`shares: ${String(error)}`));
  return {
    inTurn,
    syncListener,
    syncListenerSoon,
    known: () => openShares,
    addresses: () => shareServer?.addresses ?? [],
    end: (id: ShareId): void => shareServer?.end(id, "revoked"),
    shown: ({ tokenHash: _hash, atSeq: _seq, ...share }: StoredShare): Share => ({
      ...share,
      viewers: shareServer?.viewers(share.id) ?? [],
    }),
    async open(): Promise<Result<ShareServer>> {
      if (isClosed) return fail("aborted");
      const addresses = machineAddresses();
      shareServer ??= await options.shareServer();
      const opened = await shareServer.open(addresses.length === 0 ? [loopbackAddress] : addresses);
      return opened.ok ? ok(shareServer) : opened;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      // Waits for a pending open: nothing listens when the program has ended.
      await inTurn(async () => shareServer?.close());
    },
  };
}

/** Listening addresses that others can reach now: a network that appeared later replaces the loopback address. */
function reachableAddresses(addresses: readonly string[], machine: readonly string[]): readonly string[] {
  const now = addresses.filter((address) => machine.includes(address));
  return now.length === 0 ? addresses : now;
}
