import { expect, it } from "vitest";
import { asId, type ClientId } from "@/lib/id";
import { makePresence } from "./presence";

const tab = asId<ClientId>("tab1");
const other = asId<ClientId>("tab2");

it("a tab that reconnected before its old connection was found dead is still connected", () => {
  const presence = makePresence();
  presence.came(tab);
  presence.came(other);
  presence.came(tab);
  expect(presence.left(tab)).toBe(false);
  expect(presence.left(other)).toBe(true);
  expect(presence.left(tab)).toBe(true);
  presence.came(tab);
  expect(presence.left(tab)).toBe(true);
});
