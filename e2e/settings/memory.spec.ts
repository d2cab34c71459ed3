/** The settings page of the memory: files edited and given to the next session, conflicts, the calendar, undoing a note. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

const ask = async (page: Page, text: string): Promise<void> => {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Enter");
};

test.describe("with the text in the next session", () => {
  test.use({ script: { turns: [{ text: "Hello Anna." }] } });

  test("a file is written, shown as sessions get it, and given to the next one", async ({
    page,
    server,
    place,
    model,
  }) => {
    const file = join(place.home, "memory/USER.md");
    await page.goto(`${server.origin}/settings/memory`);
    await expect(page.getByText("Nothing: the files are empty.")).toBeVisible();
    expect(existsSync(join(place.home, "memory"))).toBe(false);
    await page.getByRole("button", { name: /^USER\.md/ }).click();
    await page.getByRole("textbox", { name: "Text of USER.md" }).fill("Anna likes tabs.\n");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const about = page.getByRole("region", { name: "About you and the assistant" });
    await expect(about).toContainText("Anna likes tabs.");
    expect(readFileSync(file, "utf8")).toBe("Anna likes tabs.\n");
    expect(await findViolations(page)).toEqual([]);
    const shown = (await about.locator("pre").textContent()) ?? "";

    await page.goto(server.origin);
    await ask(page, "hi");
    await expect(page.getByText("Hello Anna.")).toBeVisible();
    expect(JSON.stringify(model.requests)).toContain(
      JSON.stringify(`<context about="owner">\n${shown}\n</context>`).slice(1, -1),
    );
  });
});

test("a text is saved by keyboard, and shows what another program writes", async ({ page, server, place }) => {
  const file = join(place.home, "memory/USER.md");
  await page.goto(`${server.origin}/settings/memory`);
  await page.getByRole("button", { name: /^USER\.md/ }).click();
  const field = page.getByRole("textbox", { name: "Text of USER.md" });
  await field.fill("mine");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeDisabled();
  await expect(field).toBeFocused();
  // The button is disabled while it saves, too.
  await expect.poll(() => (existsSync(file) ? readFileSync(file, "utf8") : "")).toBe("mine");
  writeFileSync(file, "theirs");
  await expect(field).toHaveValue("theirs");
});

test("a file that changed on disk is not overwritten without a choice", async ({ page, server, place }) => {
  const file = join(place.home, "memory/USER.md");
  mkdirSync(join(place.home, "memory"));
  writeFileSync(file, "first");
  await page.goto(`${server.origin}/settings/memory`);
  await page.getByRole("button", { name: /^USER\.md/ }).click();
  const field = page.getByRole("textbox", { name: "Text of USER.md" });
  const conflict = page.getByText("The file changed on disk while you edited it.");
  await field.fill("mine");
  // The page shows it by itself.
  writeFileSync(file, "theirs");
  await expect(conflict).toBeVisible();
  expect(readFileSync(file, "utf8")).toBe("theirs");
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect(conflict).toBeHidden();
  expect(readFileSync(file, "utf8")).toBe("mine");
  await field.fill("mine again");
  writeFileSync(file, "theirs again");
  await expect(conflict).toBeVisible();
  await page.getByRole("button", { name: "Load the file" }).click();
  await expect(field).toHaveValue("theirs again");
});

test(
  "a file that does not fit whole says which of its lines new sessions get",
  onlyInFull,
  async ({ page, server, place }) => {
    mkdirSync(join(place.home, "memory"));
    const lines = Array.from({ length: 300 }, (_, at) => `- 2026-11-01 fact number ${at + 1} of the list`);
    for (const name of ["USER.md", "MEMORY.md"]) writeFileSync(join(place.home, "memory", name), lines.join("\n"));
    await page.goto(`${server.origin}/settings/memory`);
    const row = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
    await expect(row("USER.md")).toContainText(/with a window of 16k get only the first \d+ of 300 lines\./);
    await expect(row("MEMORY.md Notes for all")).toContainText(/get only the newest \d+ of 300 lines\./);
    await expect(row("SOUL.md")).not.toContainText("get only");
    await page.getByRole("combobox", { name: "Context window" }).selectOption({ label: "4k" });
    await expect(row("USER.md")).toContainText(/with a window of 4k get only the first \d of 300 lines\./);
  },
);

test("a text that is not saved stays while its file is closed", async ({ page, server }) => {
  await page.goto(`${server.origin}/settings/memory`);
  const row = page.getByRole("button", { name: /^USER\.md/ });
  const field = page.getByRole("textbox", { name: "Text of USER.md" });
  await row.click();
  await field.fill("not saved yet");
  await row.click();
  await expect(field).toBeHidden();
  await row.click();
  await expect(field).toHaveValue("not saved yet");
});

test(
  "the calendar opens a day of the diary, and the diary gets a line once it is on",
  onlyInFull,
  async ({ page, server, place }) => {
    mkdirSync(join(place.home, "memory"));
    writeFileSync(join(place.home, "memory/2026-10-31.md"), "- 14:02 shop: Fix the cart (done)\n");
    await page.goto(`${server.origin}/settings/memory`);
    await expect(page.getByRole("table", { name: "October 2026" })).toBeVisible();
    await page.getByRole("button", { name: "October 31, 2026, has entries" }).click();
    await expect(page.getByRole("textbox", { name: "Text of 2026-10-31" })).toHaveValue(/Fix the cart/);
    await page.getByRole("button", { name: "Next month" }).click();
    await expect(page.getByRole("table", { name: "November 2026" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Notes and diary" })).toContainText("Fix the cart");

    await page.getByRole("switch", { name: "Diary" }).click();
    await expect(page.getByText("Saved", { exact: true })).toBeVisible();
    await page.goto(server.origin);
    await ask(page, "What is this?");
    // The line is written when the run has ended.
    const folder = join(place.home, "memory");
    const files = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
    const diary = () => files().map((name) => readFileSync(join(folder, name), "utf8"));
    await expect.poll(() => diary().join("\n")).toContain("What is this?");
    await page.goto(`${server.origin}/settings/memory`);
    await expect(page.getByRole("region", { name: "Notes and diary" })).toContainText("What is this?");
  },
);

test.describe("a note of the model", () => {
  const input = { text: "Tests need Docker", where: "general" };
  test.use({
    script: {
      turns: [
        { text: "", toolCalls: [{ name: "toolbox", arguments: { tool: "remember", input } }] },
        { text: "Noted." },
      ],
    },
  });

  test("asks with its text, is stored, and is forgotten on its card", async ({ page, server, place, model }) => {
    const file = join(place.home, "memory/MEMORY.md");
    mkdirSync(join(place.home, "memory"));
    writeFileSync(file, "- 2026-11-01 old\n");
    await page.goto(server.origin);
    await ask(page, "note it");
    const card = page.locator("[data-approval]");
    await expect(card).toContainText(/^Save a note in memory.*Note\s*Tests need Docker/s);
    // The first session since the start of the program was given the notes.
    expect(JSON.stringify(model.requests)).toContain("# All projects\\n- 2026-11-01 old");
    await expect(card.getByRole("button", { name: /Always/ })).toHaveCount(0);
    await card.getByRole("button", { name: "Allow once" }).click();
    await expect(page.getByText("Noted.")).toBeVisible();
    expect(readFileSync(file, "utf8")).toMatch(/^- 2026-11-01 old\n- \d{4}-\d\d-\d\d Tests need Docker\n$/);
    await page
      .getByRole("button", { name: /remember/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Forget it" }).click();
    await expect(page.getByText("Taken back")).toBeVisible();
    expect(readFileSync(file, "utf8")).toBe("- 2026-11-01 old\n");
    await page.reload();
    await page
      .getByRole("button", { name: /remember/ })
      .first()
      .click();
    await expect(page.getByText("Not in the memory any more")).toBeVisible();
    await expect(page.getByRole("button", { name: "Forget it" })).toHaveCount(0);
  });
});

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("a file is written and shown", async ({ page, server, place }) => {
    await page.goto(`${server.origin}/settings/memory`);
    await page.getByRole("button", { name: /^USER\.md/ }).click();
    await page.getByRole("textbox", { name: "USER.md 的内容" }).fill("喜欢简短的回答。");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByRole("region", { name: "关于你和助手" })).toContainText("喜欢简短的回答。");
    expect(readFileSync(join(place.home, "memory/USER.md"), "utf8")).toBe("喜欢简短的回答。");
  });
});
