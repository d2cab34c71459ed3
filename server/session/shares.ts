/**
 * The share links of this home: made, told, let in by, revoked, expired. What carries them over the network is given from
 * outside and loaded with the first link that is active; without one nothing of it is there. Built by server/sharing.
 */
import { fail, ok, type Result } from "@/lib/error";
import type { SessionId, ShareId } from "@/lib/id";
import type { Link, Share, ShareViewer } from "@/lib/share";
import { freshId, freshSecret, hashOf } from "../base/id";
import { makeMutex } from "../base/mutex";
import type { SessionStore } from "../store/sessions";
import type { KeptShare, ShareStore } from "../store/shares";

/** A link that holds now, and how the door finds it. */
export type ActiveShare = KeptShare;
export type ActiveShares = Pick<ShareStore, "get" | "byToken">;

/** Where viewers come in. */
export interface ShareDoor {
  /** Listens on these addresses too; nothing when it does already. Fails with listen_failed. */
  open(addresses: readonly string[]): Promise<Result<null>>;
  /** Addresses it listens on. */
  readonly addresses: readonly string[];
  readonly port: number;
  viewers(id: ShareId): readonly ShareViewer[];
  /** Tells those who look that it is over, and cuts them off. */
  end(id: ShareId, why: "revoked" | "expired"): void;
  /** Listens no more and cuts everybody off. */
  close(): Promise<void>;
}

export interface Shares {
  /** On no network the link is for this machine alone. Fails with not_found, listen_failed. */
  create(
    input: Pick<Share, "sessionId" | "kind" | "outputs"> & { readonly hours: number },
  ): Promise<Result<{ readonly share: Share; readonly links: readonly Link[] }>>;
  /** The active ones, newest first. */
  list(sessionId?: SessionId): readonly Share[];
  /** false = there is no active one of that id. */
  revoke(id: ShareId): boolean;
  /** Its links are over: it went into the bin. */
  sessionRemoved(id: SessionId): void;
  /** Addresses at which links are answered now. */
  addresses(): readonly string[];
  /** Links of before a restart are answered again. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface SharesOptions {
  readonly shares: ShareStore;
  readonly sessions: Pick<SessionStore, "get">;
  readonly now: () => number;
  /** This machine's addresses on its networks. */
  readonly machine: () => readonly string[];
  /** Loads and makes it; once. */
  readonly door: () => Promise<ShareDoor>;
  /** The list, who looks, or where links are answered has changed. */
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** What a link's page is called; the token stands in the fragment, which is never sent. */
export const sharePath = "/share";
/** Where a link leads on a machine that is on no network. */
const thisMachine = "127.0.0.1";
const hourMs = 3_600_000;
/** The longest a timer can wait. */
const timerMostMs = 2_147_483_647;

export function makeShares(options: SharesOptions): Shares {
  const { shares, sessions, now } = options;
  const keeper = makeKeeper(options);
  const create = async (input: Parameters<Shares["create"]>[0]): ReturnType<Shares["create"]> => {
    const { sessionId, kind, outputs, hours } = input;
    const before = sessions.get(sessionId);
    const isThere = before !== undefined && before.deletedAt === undefined;
    const opened = isThere ? await keeper.open() : fail("not_found");
    const row = sessions.get(sessionId);
    if (!opened.ok || row === undefined) {
      await keeper.settle("expired");
      return opened.ok ? fail("not_found") : opened;
    }
    const token = freshSecret();
    const id = freshId<ShareId>("share");
    const times = { createdAt: now(), expiresAt: now() + hours * hourMs };
    const share: KeptShare = { id, tokenHash: hashOf(token), sessionId, kind, atSeq: row.lastSeq, outputs, ...times };
    shares.create(share);
    await keeper.settle("expired");
    const { addresses, port } = opened.value;
    const links = reachable(addresses, options.machine()).map((address) => ({
      address,
      url: `${originOf(address, port)}${sharePath}#${token}`,
    }));
    return ok({ share: keeper.shown(share), links });
  };
  return {
    create: (input) => keeper.inTurn(() => create(input)),
    list: (sessionId) =>
      shares
        .active(now())
        .filter((share) => sessionId === undefined || share.sessionId === sessionId)
        .map(keeper.shown),
    revoke(id) {
      const isRevoked = shares.revoke(id, now());
      // Whoever looks is cut off before the answer; the door is closed behind them.
      keeper.end(id);
      keeper.settleSoon("revoked");
      return isRevoked;
    },
    sessionRemoved(id) {
      const gone = keeper.known().filter(({ sessionId }) => sessionId === id);
      for (const share of gone) keeper.end(share.id);
      if (gone.length > 0) keeper.settleSoon("revoked");
    },
    addresses: keeper.addresses,
    resume: () =>
      keeper.inTurn(async () => {
        if (shares.active(now()).length === 0) return;
        const opened = await keeper.open();
        if (!opened.ok) options.log(`Share links cannot be answered: ${opened.error.code}.`);
        await keeper.settle("expired");
      }),
    close: keeper.close,
  };
}

/** Keeps the door as the active links want it, one change after the other. */
function makeKeeper({ shares, now, machine, changed, log, ...options }: SharesOptions) {
  const turn = makeMutex();
  const never = new AbortController().signal;
  let door: ShareDoor | null = null;
  let timer: NodeJS.Timeout | undefined;
  let known: readonly KeptShare[] = [];
  let isClosed = false;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => turn.hold("door", work, never);
  /** Ends what has expired or was revoked meanwhile, closes the door behind the last one, and waits for the next to expire. */
  const settle = async (why: "revoked" | "expired"): Promise<void> => {
    if (isClosed) return;
    const active = shares.active(now());
    const ids = new Set(active.map(({ id }) => id));
    for (const { id } of known) if (!ids.has(id)) door?.end(id, why);
    known = active;
    clearTimeout(timer);
    if (active.length === 0) await door?.close();
    else {
      const next = Math.min(...active.map(({ expiresAt }) => expiresAt)) - now();
      timer = setTimeout(() => settleSoon("expired"), Math.min(Math.max(next, 0) + 1, timerMostMs)).unref();
    }
    changed();
  };
  /** A store that cannot be read now is asked again with the next change. */
  const settleSoon = (why: "revoked" | "expired"): void =>
    void inTurn(() => settle(why)).catch((error: unknown) => log(`shares: ${String(error)}`));
  return {
    inTurn,
    settle,
    settleSoon,
    known: () => known,
    addresses: () => door?.addresses ?? [],
    end: (id: ShareId): void => door?.end(id, "revoked"),
    shown: ({ tokenHash: _hash, atSeq: _seq, ...share }: KeptShare): Share => ({
      ...share,
      viewers: door?.viewers(share.id) ?? [],
    }),
    async open(): Promise<Result<ShareDoor>> {
      if (isClosed) return fail("aborted");
      const addresses = machine();
      door ??= await options.door();
      const opened = await door.open(addresses.length === 0 ? [thisMachine] : addresses);
      return opened.ok ? ok(door) : opened;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      // Behind one that is being opened: nothing listens when the program has ended.
      await inTurn(async () => door?.close());
    },
  };
}

/** Of where the door listens, what others can come by now: a network that came later takes the place of this machine alone. */
function reachable(addresses: readonly string[], machine: readonly string[]): readonly string[] {
  const now = addresses.filter((address) => machine.includes(address));
  return now.length === 0 ? addresses : now;
}

export const originOf = (address: string, port: number): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
