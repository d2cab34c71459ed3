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
  /** Fails with not_found, no_network, listen_failed. */
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
const hourMs = 3_600_000;
/** The longest a timer can wait. */
const timerMostMs = 2_147_483_647;

export function makeShares(options: SharesOptions): Shares {
  const { shares, now, changed } = options;
  const turn = makeMutex();
  const never = new AbortController().signal;
  let door: ShareDoor | null = null;
  let timer: NodeJS.Timeout | undefined;
  let known: readonly KeptShare[] = [];

  const shown = ({ tokenHash: _hash, atSeq: _seq, ...share }: KeptShare): Share => ({
    ...share,
    viewers: door?.viewers(share.id) ?? [],
  });
  const openDoor = async (): Promise<Result<ShareDoor>> => {
    const machine = options.machine();
    if (machine.length === 0) return fail("no_network");
    door ??= await options.door();
    const opened = await door.open(machine);
    return opened.ok ? ok(door) : opened;
  };
  /** Ends what has expired or was revoked meanwhile, closes the door behind the last one, and waits for the next to expire. */
  const settle = async (why: "revoked" | "expired"): Promise<void> => {
    const active = shares.active(now());
    const ids = new Set(active.map(({ id }) => id));
    for (const { id } of known) if (!ids.has(id)) door?.end(id, why);
    known = active;
    clearTimeout(timer);
    if (active.length === 0) await door?.close();
    else {
      const next = Math.min(...active.map(({ expiresAt }) => expiresAt)) - now();
      timer = setTimeout(() => void inTurn("expired"), Math.min(Math.max(next, 0) + 1, timerMostMs)).unref();
    }
    changed();
  };
  const inTurn = (why: "revoked" | "expired"): Promise<void> => turn.hold("door", () => settle(why), never);
  /** A store that cannot be read now is asked again with the next change. */
  const settleSoon = (why: "revoked" | "expired"): void =>
    void inTurn(why).catch((error: unknown) => options.log(`shares: ${String(error)}`));

  return {
    create: ({ sessionId, kind, outputs, hours }) =>
      turn.hold(
        "door",
        async () => {
          const row = options.sessions.get(sessionId);
          if (row === undefined || row.deletedAt !== undefined) return fail("not_found");
          const opened = await openDoor();
          if (!opened.ok) {
            if (shares.active(now()).length === 0) await door?.close();
            return opened;
          }
          const token = freshSecret();
          const share: KeptShare = {
            id: freshId<ShareId>("share"),
            tokenHash: hashOf(token),
            sessionId,
            kind,
            atSeq: options.sessions.get(sessionId)?.lastSeq ?? row.lastSeq,
            outputs,
            createdAt: now(),
            expiresAt: now() + hours * hourMs,
          };
          shares.create(share);
          await settle("expired");
          const { addresses, port } = opened.value;
          const links = addresses.map((address) => ({
            address,
            url: `${originOf(address, port)}${sharePath}#${token}`,
          }));
          return ok({ share: shown(share), links });
        },
        never,
      ),
    list: (sessionId) =>
      shares
        .active(now())
        .filter((share) => sessionId === undefined || share.sessionId === sessionId)
        .map(shown),
    revoke(id) {
      const isRevoked = shares.revoke(id, now());
      // Whoever looks is cut off before the answer; the door is closed behind them.
      door?.end(id, "revoked");
      settleSoon("revoked");
      return isRevoked;
    },
    sessionRemoved(id) {
      for (const share of known) if (share.sessionId === id) door?.end(share.id, "revoked");
      if (known.some(({ sessionId }) => sessionId === id)) settleSoon("revoked");
    },
    addresses: () => door?.addresses ?? [],
    resume: () =>
      turn.hold(
        "door",
        async () => {
          if (shares.active(now()).length === 0) return;
          const opened = await openDoor();
          if (!opened.ok) options.log(`Share links cannot be answered: ${opened.error.code}.`);
          await settle("expired");
        },
        never,
      ),
    async close() {
      clearTimeout(timer);
      await door?.close();
    },
  };
}

export const originOf = (address: string, port: number): string =>
  `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
