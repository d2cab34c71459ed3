/** Commands of the share and network families, and of the owner's devices. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

export const shareHandlers = ({ shares, network }: Pick<HandlerServices, "shares" | "network">) =>
  ({
    "share.create": (input) => shares.create(input),
    "share.list": ({ sessionId }) => ok({ shares: shares.list(sessionId) }),
    "share.revoke": ({ shareId }) => (shares.revoke(shareId) ? ok(null) : fail("not_found")),
    // For viewers only: the owner opens the session itself.
    "share.open": () => fail("not_found"),
    "devices.list": async (_input, client) => ok({ devices: await network.devices(client.device ?? null) }),
    "devices.revoke": ({ id }) => (network.revoke(id) ? ok(null) : fail("not_found")),
    "devices.link": () => ok({ links: network.links() }),
    "network.close": () => ok(network.close()),
  }) satisfies Partial<HandlerTable>;
