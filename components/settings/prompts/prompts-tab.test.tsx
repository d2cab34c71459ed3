// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PromptsState } from "@/lib/models/prompts";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { PromptsTab } from "./prompts-tab";

const rules = { text: "Be brief.", original: "Be brief.", path: "/home/prompts/default.md" };
const state: PromptsState = {
  rules: { small: rules, default: rules, full: rules },
  calls: { native: "N", react: "R", xml: "X" },
  tools: [],
};

test("prompts that could not be loaded are loaded again by a click", async () => {
  let isBroken = true;
  const { client } = await connectClient((name) =>
    name !== "prompts.read"
      ? undefined
      : isBroken
        ? { ok: false, error: { code: "internal" } }
        : { ok: true, value: state },
  );
  const user = await renderForUser(client, <PromptsTab />);
  const alert = within(await screen.findByRole("alert"));
  expect(alert.getByText("Couldn't load the prompts.")).toBeDefined();
  isBroken = false;
  await user.click(alert.getByRole("button", { name: "Try again" }));
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Rules" })).value).toBe("Be brief.");
});
