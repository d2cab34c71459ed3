/** Network listeners of this server, and the owner's devices that connect through them. */
import { fail, ok } from "@/lib/events/error";
import type { Push } from "@/lib/protocol/push";
import type { AddressLink, Device, NetworkState } from "@/lib/protocol/share";
import type { HandlerTable } from "@/server/handlers/handlers";
import type { SignInStore } from "@/server/store/access/sign-ins";
import { browserName } from "./auth/browser-name";
import type { ListenAddress } from "./auth/guard";
import type { FrontDoor } from "./front-door/front-door";
import type { AddressListeners } from "./http/address-listeners";
import type { SignIns } from "./auth/sign-in";
import { addressOrigins } from "./tls/address-origins";
import type { ServerTls } from "./tls/server-tls";
import type { SocketServer } from "./socket/socket";

/** Commands of the network and of the owner's devices. */
type NetworkCommand = "devices.list" | "devices.revoke" | "devices.link" | "network.close";

/** The server's listeners on the network, and the owner's devices. */
export interface Network {
  readonly commands: Pick<HandlerTable, NetworkCommand>;
  state(): NetworkState;
  /** One-time links to this server, one per address; empty while it listens on this machine only. */
  links(): readonly AddressLink[];
  /** false = there is no device with this id. */
  revoke(id: string): boolean;
}

interface NetworkOptions {
  /** null = --host named no network. */
  readonly lan: AddressListeners | null;
  readonly listenAddress: () => ListenAddress;
  readonly machine: () => readonly string[];
  /** Absent = plain http only. */
  readonly tls?: ServerTls;
  /** Absent = people sign in with the links of this server. */
  readonly frontDoor?: FrontDoor;
  /** Addresses at which share links are served. */
  readonly shares: () => readonly string[];
  readonly signIns: Pick<SignIns, "freshLinkToken" | "forget">;
  readonly rows: Pick<SignInStore, "list" | "remove">;
  readonly socket: () => Pick<SocketServer, "online" | "disconnectDevice"> | null;
  readonly now: () => number;
  /** Called when a device was signed out. */
  readonly deviceRevoked: (id: string) => void;
  readonly push: (push: Push) => void;
}

function frontDoorState({
  frontDoor,
  listenAddress,
}: Pick<NetworkOptions, "frontDoor" | "listenAddress">): Pick<NetworkState, "frontDoor"> {
  const { publicAddress } = listenAddress();
  if (frontDoor === undefined && publicAddress === undefined) return {};
  const { origins = [], prefix = "" } = publicAddress ?? {};
  return { frontDoor: { addresses: origins.map((origin) => `${origin}${prefix}/`), signsIn: frontDoor !== undefined } };
}

export function makeNetwork(options: NetworkOptions): Network {
  const { lan, rows, signIns, now, push } = options;
  const state = (): NetworkState => ({
    owner: lan?.addresses ?? [],
    shares: options.shares(),
    machine: options.machine(),
    isEncrypted: options.tls !== undefined,
    ...frontDoorState(options),
  });
  const links = (): readonly AddressLink[] => {
    const { port, publicAddress } = options.listenAddress();
    const published = (publicAddress?.origins ?? []).map((origin) => ({ address: new URL(origin).host, origin }));
    const addresses = [...published, ...addressOrigins(lan?.addresses ?? [], port, options.tls ?? null)];
    if (addresses.length === 0) return [];
    const token = signIns.freshLinkToken();
    const page = `${publicAddress?.prefix ?? ""}/#token=${token}`;
    return addresses.map(({ address, origin }) => ({ address, url: origin + page }));
  };
  const revoke = (id: string): boolean => {
    const isGone = rows.remove(id);
    signIns.forget(id);
    options.deviceRevoked(id);
    options.socket()?.disconnectDevice(id);
    push({ type: "devices" });
    return isGone;
  };
  const listDevices = (current: string | undefined): readonly Device[] => {
    const online = options.socket()?.online() ?? new Set();
    return rows
      .list()
      .filter(({ expiresAt }) => expiresAt > now())
      .map(({ tokenHash: _hash, ...device }) => ({
        ...device,
        // Older rows have the whole User-Agent header.
        label: device.label.startsWith("Mozilla/") ? browserName(device.label) : device.label,
        current: device.id === current,
        online: online.has(device.id),
      }));
  };
  return {
    state,
    links,
    revoke,
    commands: {
      "devices.list": (_input, { device }) => ok({ devices: listDevices(device) }),
      "devices.revoke": ({ id }) => (revoke(id) ? ok(null) : fail("not_found")),
      "devices.link": () => ok({ links: links() }),
      "network.close": () => {
        lan?.close();
        const network = state();
        push({ type: "network", network });
        return ok(network);
      },
    },
  };
}
