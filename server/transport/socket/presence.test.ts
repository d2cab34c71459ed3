import { expect, it } from "vitest";
import { asId, type ClientId } from "@/lib/events/id";
import { makePresence } from "./presence";

const tab = asId<ClientId>("tab1");
const other = asId<ClientId>("tab2");

it("a tab that reconnected before its old connection was found dead is still connected", () => {
  const presence = makePresence();
  presence.connected(tab);
  presence.connected(other);
  presence.connected(tab);
  expect(presence.disconnected(tab)).toBe(false);
  expect(presence.disconnected(other)).toBe(true);
  expect(presence.disconnected(tab)).toBe(true);
  presence.connected(tab);
  expect(presence.disconnected(tab)).toBe(true);
});
