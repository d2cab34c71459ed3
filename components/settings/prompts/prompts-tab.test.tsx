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

test("rules typed while others are saved stay", async () => {
  let answer = (): void => undefined;
  const saved = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { client, inputsOf } = await connectClient((name, input) => {
    if (name === "prompts.read") return { ok: true, value: state };
    if (name !== "prompts.write" || typeof input !== "object" || input === null || !("text" in input)) return undefined;
    const value = { ...state, rules: { ...state.rules, default: { ...rules, text: input.text } } };
    return saved.then(() => ({ ok: true, value }));
  });
  const user = await renderForUser(client, <PromptsTab />);
  const field = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Rules" });
  await user.type(field, " One.");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.type(field, " Two.");
  answer();
  const save = screen.getByRole("button", { name: "Save" });
  await expect.poll(() => save.getAttribute("aria-disabled")).toBeNull();
  expect(field.value).toBe("Be brief. One. Two.");
  await user.click(save);
  await expect.poll(() => inputsOf("prompts.write")).toHaveLength(2);
  await expect
    .poll(() => inputsOf("prompts.write")[1])
    .toMatchObject({ text: "Be brief. One. Two.", before: "Be brief. One." });
});
