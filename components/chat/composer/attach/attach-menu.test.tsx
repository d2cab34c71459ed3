// @vitest-environment happy-dom
/** The composer's menu that adds something to the message. Choosing files is in e2e/session/images.spec.ts. */
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { limits } from "@/lib/settings/settings";
import type { ComposerProps } from "../composer";
import { Composer } from "../composer";
import { en } from "../../../messages/en";
import * as enLate from "../../../messages/en-late";
import { renderForUser } from "../../../shell/frame/test-dom";
import { testClient } from "../../../shell/frame/test-render";
import { testComposerProps } from "../test-composer-props";

const { attach } = enLate;

beforeEach(() => localStorage.clear());

async function showComposer(more: Partial<ComposerProps> = {}) {
  const client = testClient();
  const user = await renderForUser(client, <Composer {...testComposerProps} {...more} draftKey="attach" />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: en.composer.label });
  const choose = async (name: string): Promise<void> => {
    await user.click(screen.getByRole("button", { name: en.composer.attach }));
    await user.click(await screen.findByRole("menuitem", { name: new RegExp(`^${name}`) }));
  };
  return { client, user, field, choose };
}

test("a file is a mention at the caret, after a space", async () => {
  const { user, field, choose } = await showComposer();
  await user.type(field, "explain this");
  await choose(attach.project);
  expect(field.value).toBe("explain this @");
  expect(document.activeElement).toBe(field);
});

test("a mention at the start of a word needs no space", async () => {
  const { user, field, choose } = await showComposer();
  await user.type(field, "explain this");
  field.setSelectionRange(8, 8);
  await choose(attach.project);
  expect(field.value).toBe("explain @this");
});

test.each([
  [attach.skill, "/"],
  [attach.command, "!"],
])("%s begins with its sign, in an empty message only", async (name, sign) => {
  const { user, field, choose } = await showComposer();
  await choose(name);
  expect(field.value).toBe(sign);
  await user.type(field, "{Backspace}text");
  await user.click(screen.getByRole("button", { name: en.composer.attach }));
  const item = await screen.findByRole<HTMLButtonElement>("menuitem", { name: new RegExp(`^${name}`) });
  expect(item.disabled).toBe(true);
});

test("pasting inserts the text of the clipboard; what the browser refuses is said", async () => {
  await navigator.clipboard.writeText("copied text");
  const { client, field, choose } = await showComposer();
  await choose(attach.clipboard);
  await waitFor(() => expect(field.value).toBe("copied text"));
  vi.spyOn(navigator.clipboard, "read").mockRejectedValue(new DOMException("denied", "NotAllowedError"));
  await choose(attach.clipboard);
  await waitFor(() => expect(client.toasts.get().map(({ text }) => text)).toEqual([attach.notAllowed]));
});

test("a text of the clipboard that exceeds what a message may have is refused, as a paste is", async () => {
  await navigator.clipboard.writeText("x".repeat(limits.promptMaxChars));
  const { user, field, choose } = await showComposer();
  await user.type(field, "ab");
  await choose(attach.clipboard);
  expect(await screen.findByText(en.composer.notPasted("2"))).toBeDefined();
  expect(field.value).toBe("ab");
});

test("a reader of a session adds nothing", async () => {
  await showComposer({ state: "readOnly" });
  expect(screen.queryByRole("button", { name: en.composer.attach })).toBeNull();
});
