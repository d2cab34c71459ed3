/** Network listeners of this server, and the owner's devices that connect through them. */
import type { Push } from "@/lib/push";
import type { NetworkState } from "@/lib/share";
import type { Network } from "./handlers/services";
import { originOf } from "./session/shares";
import type { SignInStore } from "./store/sign-ins";
import { browserName } from "./transport/browser-name";
import type { Door } from "./transport/guard";
import type { Lan } from "./transport/lan";
import type { SignIns } from "./transport/sign-in";
import type { SocketServer } from "./transport/socket";

export interface NetworkOptions {
  /** null = --host named no network. */
  readonly lan: Lan | null;
  readonly door: () => Door;
  readonly machine: () => readonly string[];
  /** Addresses at which share links are served. */
  readonly shares: () => readonly string[];
  readonly signIns: Pick<SignIns, "freshLinkToken" | "forget">;
  readonly rows: Pick<SignInStore, "list" | "remove">;
  readonly socket: () => Pick<SocketServer, "online" | "cut"> | null;
  readonly now: () => number;
  readonly push: (push: Push) => void;
}

export function makeNetwork(options: NetworkOptions): Network {
  const { lan, rows, signIns, now, push } = options;
  const state = (): NetworkState => ({
    owner: lan?.addresses ?? [],
    shares: options.shares(),
    machine: options.machine(),
  });
  return {
    state,
    close() {
      lan?.close();
      const network = state();
      push({ type: "network", network });
      return network;
    },
    links() {
      const addresses = lan?.addresses ?? [];
      if (addresses.length === 0) return [];
      const token = signIns.freshLinkToken();
      const { port } = options.door();
      return addresses.map((address) => ({ address, url: `${originOf(address, port)}/#token=${token}` }));
    },
    async devices(current) {
      const online = options.socket()?.online() ?? new Set();
      const known = await rows.list();
      return known
        .filter(({ expiresAt }) => expiresAt > now())
        .map(({ tokenHash: _hash, ...device }) => ({
          ...device,
          // Older rows have the whole User-Agent header.
          label: device.label.startsWith("Mozilla/") ? browserName(device.label) : device.label,
          current: device.id === current,
          online: online.has(device.id),
        }));
    },
    revoke(id) {
      const isGone = rows.remove(id);
      signIns.forget(id);
      options.socket()?.cut(id);
      push({ type: "devices" });
      return isGone;
    },
  };
}
