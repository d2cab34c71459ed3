import { expect, it } from "vitest";
import type { Envelope } from "@/lib/events/event";
import { asId, type SessionId } from "@/lib/events/id";
import type { SharedView } from "@/server/session/share/shared-view";
import { makeShareAudience, type ViewerWire } from "./share-audience";

it("a viewer that leaves while the view loads gets nothing, and does not count as a recipient", async () => {
  const sessionId = asId<SessionId>("s1");
  let publish = (_envelopes: readonly Envelope[]): void => {};
  const recipients: string[][] = [];
  const audience = makeShareAudience({
    sessionId,
    open: (listener) => {
      publish = listener;
      return Promise.resolve<SharedView | null>(null);
    },
    send: (viewers) => recipients.push(viewers.map(({ socketId }) => socketId)),
  });
  const viewer = (socketId: string): ViewerWire => ({ socketId, resync: () => {} });
  const stays = viewer("stays");
  const leaves = viewer("leaves");
  for (const one of [stays, leaves]) audience.add(one);
  const loading = audience.view();
  audience.remove(leaves);
  await loading;
  for (const one of [stays, leaves]) audience.join(one);
  publish([{ v: 1, sessionId, at: 1, seq: 4, event: { type: "hidden" } }]);
  expect(recipients).toEqual([["stays"]]);
});
