/** Commands of the network family, and of the owner's devices. */
import { fail, ok } from "@/lib/events/error";
import type { HandlerTable } from "../handlers";
import type { HandlerServices } from "../services";

export const networkHandlers = ({ network }: Pick<HandlerServices, "network">) =>
  ({
    "devices.list": async (_input, client) => ok({ devices: await network.devices(client.device ?? null) }),
    "devices.revoke": ({ id }) => (network.revoke(id) ? ok(null) : fail("not_found")),
    "devices.link": () => ok({ links: network.links() }),
    "network.close": () => ok(network.close()),
  }) satisfies Partial<HandlerTable>;
