/** Settings of runs as a session uses them: they act from the next request on. */
import { expect, test } from "vitest";
import { settingsDefaults } from "@/lib/settings";
import { pathOf } from "@/lib/view";
import { ask, fails, makeHouse, says } from "./test-services";

test("the stall limit goes with each request; 0 stands for the longest a timer can wait", async () => {
  const house = await makeHouse();
  const session = house.session();
  house.settings.current = { ...settingsDefaults, stallSeconds: 7 };
  house.script(says("One."), says("Two."));
  await ask(session, "go");
  expect(house.requests.at(-1)?.stallMs).toBe(7_000);
  house.settings.current = { ...settingsDefaults, stallSeconds: 0 };
  await ask(session, "and on");
  expect(house.requests.at(-1)?.stallMs).toBe(2_147_483_647);
});

test.each([0, 1, 5])("a failing server is asked %i more times, as the settings say", async (retries) => {
  const house = await makeHouse();
  const session = house.session();
  house.settings.current = { ...settingsDefaults, retries };
  house.script(...Array.from({ length: retries + 1 }, () => fails("server_busy", true)));
  expect(await ask(session, "go")).toBe("error");
  expect(house.requests).toHaveLength(retries + 1);
  const shown = pathOf(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.of] : []));
  expect(shown).toEqual(Array(retries).fill(retries));
});
