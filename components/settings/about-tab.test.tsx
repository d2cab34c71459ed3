// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { LogReport } from "@/lib/protocol/answers";
import * as enLate from "../messages/en-late";
import { connectClient, renderForUser } from "../shell/frame/test-dom";
import { AboutTab } from "./about-tab";

const { log: text } = enLate.settings;

test("the log is shown newest first, and filtered by level and text", async () => {
  const log: LogReport = {
    lines: [
      { at: 1, level: "info", text: "Port 4567 is in use." },
      { at: 2, level: "error", text: "page: x is null\n  at page.js" },
      { at: 3, level: "info", text: "A network is gone." },
    ],
    errors: 1,
    file: "/home/u/.gopi/gopi-web.log",
  };
  const { client } = await connectClient((name) => (name === "app.log" ? { ok: true, value: log } : undefined));
  client.serverState.merge({ version: "1.0.0", home: "/home/u/.gopi" });
  const user = await renderForUser(client, <AboutTab />);
  const list = await screen.findByRole("list", { name: text.title });
  const shown = (): readonly string[] =>
    within(list)
      .getAllByRole("listitem")
      .map((line) => line.textContent?.match(/Port|page|network/)?.[0] ?? "");
  expect(shown()).toEqual(["network", "page", "Port"]);
  await user.type(screen.getByRole("textbox", { name: text.filter }), "PORT");
  expect(shown()).toEqual(["Port"]);
  await user.clear(screen.getByRole("textbox", { name: text.filter }));
  await user.click(screen.getByText(text.errors(1)));
  expect(shown()).toEqual(["page"]);
  await user.type(screen.getByRole("textbox", { name: text.filter }), "nothing has this");
  expect(screen.getByText(text.noMatch)).toBeDefined();
});
