/**
 * Pinned files of a session: pinned by command and by the menu of the file tree, sent once and again when they change,
 * left out over the budget with a notice, unpinned by their chip.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";

const chips = (page: Page) => page.getByRole("list", { name: "Pinned files" }).getByRole("listitem");
const count = (text: string, part: string): number => text.split(part).length - 1;

test("by keyboard: a file is pinned with /pin, sent once, sent again when it changed, and unpinned", async ({
  page,
  bench,
  model,
  place,
}) => {
  const path = join(place.project, "notes.txt");
  await writeFile(path, "buy milk");
  const { session } = bench;
  model.setScript({ turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }] });
  await bench.begin("Hello");
  await session.expectFirstRunEnd();
  await session.composer.fill("/pin notes.txt");
  await session.composer.press("Enter");
  await expect(chips(page)).toHaveText([/^notes\.txt.*next message$/]);
  const ask = async (text: string, answer: string): Promise<string> => {
    await session.composer.fill(text);
    await session.composer.press("Enter");
    await expect(session.conversation.getByText(answer)).toBeVisible();
    await session.expectIdle();
    return chatRequestBodies(model).at(-1) ?? "";
  };
  expect(count(await ask("First", "Two."), "buy milk")).toBe(1);
  await expect(chips(page)).toHaveText([/^notes\.txt[\d ]+$/]);
  await writeFile(path, "buy bread");
  await expect(chips(page)).toHaveText([/changed$/]);
  const body = await ask("Second", "Three.");
  expect([count(body, "buy milk"), count(body, "buy bread")]).toEqual([1, 1]);
  await session.composer.fill("/status");
  await session.composer.press("Enter");
  await page.getByRole("button", { name: "Show prompt" }).click();
  const shown = page.getByRole("dialog", { name: "Next request" });
  await shown.getByText("notes.txt", { exact: true }).last().click();
  await expect(shown.getByText("buy bread")).toBeVisible();
  await page.reload();
  await expect(chips(page)).toHaveText([/^notes\.txt[\d ]+$/]);
  await page.getByRole("button", { name: "Unpin notes.txt" }).press("Enter");
  await expect(chips(page)).toHaveCount(0);
  await expect(session.composer).toBeFocused();
});

test("the address pins files to a new session, names one that it does not pin, and is done once", async ({
  page,
  bench,
  model,
  place,
  server,
}) => {
  await writeFile(join(place.project, "a b.txt"), "content of a b");
  const { session } = bench;
  model.setScript({ turns: [{ text: "One." }] });
  await page.goto(`${server.origin}/?pin=a+b.txt&pin=.env`);
  await expect(chips(page)).toHaveText([/^a b\.txt.*next message$/]);
  await expect(page.getByText(".env is not pinned.")).toBeVisible();
  await expect(page).toHaveURL(`${server.origin}/`);
  await session.composer.fill("What is in it?");
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("One.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain("content of a b");
});

// Its own server: the budget is counted by what earlier answers taught about the model's tokens.
ownServerTest(
  "by pointer: the tree pins files; over the budget the one used longest ago is left out with a notice",
  onlyInFull,
  async ({ page, bench, model, place }) => {
    for (const name of ["a", "b", "c"]) await writeFile(join(place.project, `${name}.txt`), `${name} `.repeat(1_300));
    const { session } = bench;
    model.setScript({ turns: [{ text: "One." }, { text: "Two." }] });
    await bench.begin("Hello");
    await session.expectFirstRunEnd();
    await page.keyboard.press("ControlOrMeta+Shift+E");
    for (const name of ["a", "b", "c"]) {
      await page.getByRole("treeitem", { name: `${name}.txt` }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Pin to the context" }).click();
      await expect(chips(page).filter({ hasText: `${name}.txt` })).toHaveCount(1);
    }
    await expect(chips(page)).toHaveText([/^c\.txt/, /^b\.txt/, /^a\.txt.*not sent$/]);
    await session.composer.fill("What is in them?");
    await session.composer.press("Enter");
    await expect(page.getByText("Context full: 1 pinned file is no longer sent: a.txt")).toBeVisible();
    await expect(session.conversation.getByText("Two.")).toBeVisible();
    const body = chatRequestBodies(model).at(-1);
    expect(body).toContain(String.raw`<attached file=\"c.txt\">`);
    expect(body).not.toContain(String.raw`<attached file=\"a.txt\">`);
    await page.getByRole("button", { name: "Unpin b.txt" }).click();
    await expect(chips(page)).toHaveText([/^c\.txt/, /^a\.txt.*next message$/]);
    await chips(page).first().getByRole("button", { name: "Open c.txt" }).click();
    await expect(page.getByRole("tab", { name: "c.txt" })).toBeVisible();
  },
);

test(
  "before a session exists: files are pinned from the tree and by a chip, survive a reload, and go with the first message",
  onlyInFull,
  async ({ page, bench, model, place, server }) => {
    for (const name of ["a", "b"]) await writeFile(join(place.project, `${name}.txt`), `content of ${name}`);
    const { session } = bench;
    model.setScript({ turns: [{ text: "One." }] });
    await page.keyboard.press("ControlOrMeta+Shift+E");
    await page.getByRole("treeitem", { name: "a.txt" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Pin to the context" }).click();
    await expect(chips(page)).toHaveText([/^a\.txt.*next message$/]);
    await session.composer.fill("Look at @b.txt");
    await expect(page.getByRole("option", { name: /b\.txt/ })).toBeVisible();
    await session.composer.press("Enter");
    await page.getByRole("button", { name: "Pin b.txt to the context" }).press("Enter");
    await expect(session.composer).toBeFocused();
    await expect(chips(page)).toHaveText([/^b\.txt.*next message$/, /^a\.txt.*next message$/]);
    await page.reload();
    await expect(chips(page)).toHaveCount(2);
    await session.expectReady();
    await session.composer.fill("/pin .env");
    await session.composer.press("Enter");
    await expect(page.getByText(".env is not pinned.")).toBeVisible();
    await session.composer.fill("What is in them?");
    await session.composer.press("Enter");
    await expect(session.conversation.getByText("One.")).toBeVisible();
    const body = chatRequestBodies(model).at(-1) ?? "";
    expect(["content of a", "content of b"].map((text) => count(body, text))).toEqual([1, 1]);
    await expect(chips(page)).toHaveText([/^b\.txt[\d ]+$/, /^a\.txt[\d ]+$/]);
    await page.goto(server.origin);
    await expect(session.composer).toBeVisible();
    await expect(chips(page)).toHaveCount(0);
  },
);
