// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { AboutTab } from "./about-tab";

test.each([
  [{ count: 0, last: null }, "None", null],
  [{ count: 3, last: { at: 0, text: "page: x is null" } }, "3", "page: x is null"],
])("the number of unexpected errors is shown, with the last one: %j", async (errors, number, last) => {
  const { client } = await connectClient((name) => (name === "app.errors" ? { ok: true, value: errors } : undefined));
  client.serverState.merge({ version: "1.0.0", home: "/home/u/.gopi" });
  await renderForUser(client, <AboutTab />);
  expect((await screen.findByText(number)).textContent).toBe(number);
  if (last !== null) expect(screen.getByText(last)).toBeDefined();
  expect(screen.queryAllByText("server.log", { exact: false })).toHaveLength(last === null ? 0 : 1);
});
