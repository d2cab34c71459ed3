/** Share links: their commands, and their listeners while a link is active. */
import { fail, ok } from "@/lib/events/error";
import { untilAborted } from "@/server/base/abort";
import type { Feature, FeatureHost } from "../feature";
import { makeShareService } from "./share-service";

export function shareFeature(host: FeatureHost) {
  const shares = makeShareService({ ...host, firstPort: () => host.serverPort() + 1 });
  return {
    commands: {
      "share.create": (input) => shares.create(input),
      "share.list": ({ sessionId }) => ok({ shares: shares.list(sessionId) }),
      "share.revoke": ({ shareId }) => (shares.revoke(shareId) ? ok(null) : fail("not_found")),
      // For viewers only: the owner opens the session itself.
      "share.open": () => fail("not_found"),
    },
    sessionListener: { removed: shares.sessionRemoved },
    async start(signal) {
      void shares.resume().catch((error: unknown) => host.reportBug("shares", error));
      await untilAborted(signal);
      await shares.close();
    },
    addresses: shares.addresses,
  } satisfies Feature;
}
