/**
 * No page has a serious accessibility fault for users of a screen reader or only a keyboard, and the main job can be
 * done by keyboard alone.
 */
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { mainJobTurns, mimeFix, testCommand } from "../fixtures/mime-project";
import { allowFirstEdit, allowTestsAlways, expectSecondEdit, finishMainJob, mainJobPrompt } from "../pages/main-job";
import { phone } from "../fixtures/phone";
import { findViolations as faults } from "../pages/axe";
import { uiNames } from "../pages/ui-names";
import { expect, ownServerTest, test } from "../pages/mime-stage";

/** Pages of the settings that list entries of the home, with one of its entries each. */
const settingsLists = { tools: "files", extensions: "tidy", skills: "pdf", memory: "USER.md", web: "SearXNG" };

async function writeSettingsLists(home: string): Promise<void> {
  const texts = {
    "mcp.json": JSON.stringify({ mcpServers: { files: { command: process.execPath, args: ["-v"] } } }),
    "extensions/tidy.sh": "#!/bin/sh\n# gopi:\n#   description: Tidies up.\n#   on: [{ event: [run_end] }]\n",
    "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: Fills in forms.\n---\n\nLook first.\n",
    "memory/USER.md": "Likes short answers.\n",
  };
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
}

type PageCheck = (name: string) => Promise<void>;

/** Located without text, so that the check works in every language. */
const panelButtons = (page: Page) => page.locator("[data-composer] button[aria-haspopup=dialog]");

/**
 * Opens and checks the panels above the composer: the models, the options of the chosen one, the parts of the context.
 */
async function checkPanels(page: Page, check: PageCheck): Promise<void> {
  const panel = page.locator("[popover][role=dialog]");
  await panelButtons(page).first().click();
  await expect(panel.getByRole("menuitemradio")).not.toHaveCount(0);
  await check("the models");
  await panel.getByRole("button").last().click();
  await expect(panel.getByRole("radio")).not.toHaveCount(0);
  // Once the plan of the windows is shown, nothing is loading any more.
  await expect(panel.locator("input[type=radio]")).not.toHaveCount(0);
  await check("how the model is used");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await panelButtons(page).last().click();
  await expect(panel.getByRole("definition")).not.toHaveCount(0);
  await check("the context");
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
}

/** Checks every tab of the settings, the page of one model and the form of a new connection. */
async function checkSettings(page: Page, origin: string, check: PageCheck): Promise<void> {
  for (const tab of ["model", "connections", "permissions", "devices", "appearance", "yaml", "status", "about"]) {
    await page.goto(`${origin}/settings/${tab}`);
    await expect(page.getByRole("heading").first()).toBeVisible();
    if (tab === "connections") await expect(page.getByRole("button", { name: "OpenRouter" })).toBeVisible();
    await check(`settings, ${tab}`);
  }
  await page.goto(`${origin}/settings/model`);
  await page.getByRole("main").getByRole("button", { name: "scripted:latest" }).click();
  await expect(page.getByRole("heading", { name: "scripted:latest" })).toBeVisible();
  await expect(page.locator("main input[type=radio]")).not.toHaveCount(0);
  await check("one model");
  await page.goto(`${origin}/settings/connections`);
  await page.getByRole("button", { name: "OpenRouter" }).click();
  await expect(page.getByRole("main").getByRole("textbox")).not.toHaveCount(0);
  await check("a new connection");
}

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN", contextOptions: { reducedMotion: "reduce" } });
  test("a conversation and a page of the settings have no serious fault in Chinese either", async ({
    page,
    model,
    server,
  }) => {
    model.setScript({ turns: [{ thinking: "想一想。", text: "你好。" }] });
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await page.locator("[data-composer] textarea").fill("你好");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("log").getByText("你好。")).toBeVisible();
    await expect(page.locator("[data-composer][data-state=idle]")).toBeVisible();
    expect.soft(await faults(page), "an answer").toEqual([]);
    await page.goto(`${server.origin}/settings/model`);
    await expect(page.getByRole("heading").first()).toBeVisible();
    expect.soft(await faults(page), "settings, model").toEqual([]);
  });
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, theme === "dark" ? onlyInFull : {}, () => {
    // From the first frame on: a theme that changes later fades, and colours during a fade are not final.
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });
    test("no page has a serious fault", async ({ page, bench, model, server }) => {
      model.setScript({ turns: mainJobTurns });
      const { session } = bench;
      // Only colours differ in the dark theme.
      const rule = theme === "dark" ? "color-contrast" : undefined;
      const check: PageCheck = (name) =>
        test.step(name, async () => expect.soft(await faults(page, rule), name).toEqual([]));
      await check("empty conversation");
      await bench.begin(mainJobPrompt);
      await expect(session.card.changed("add")).toHaveCount(1);
      await check("a running job with an approval");
      await allowFirstEdit(session);
      await expect(session.card.root).toContainText(testCommand);
      await check("an approval of a command");
      await allowTestsAlways(session);
      await expectSecondEdit(session);
      await finishMainJob(session);
      await check("finished");
      await session.lines({ verb: "Ran", target: testCommand }).last().getByRole("button").first().click();
      await check("a call opened");
      await checkPanels(page, check);
      await page.keyboard.press("Alt+3");
      await expect(page.locator("[data-file] mark").first()).toBeVisible();
      await check("the review of the changes");
      await page.keyboard.press("Alt+1");
      await page.keyboard.press("Control+`");
      await expect(page.getByRole("tab", { name: "bash" })).toBeVisible();
      await check("a terminal");
      await page.goto(`${server.origin}/history`);
      await expect(page.getByRole("main").getByRole("link", { name: mainJobPrompt })).toBeVisible();
      await check("history");
      await page.goto(`${server.origin}/overview`);
      await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
      await check("overview");
      await checkSettings(page, server.origin, check);
    });
  });
}

test(
  "an open editor and the phone's pages have no serious fault",
  onlyInFull,
  async ({ page, bench, model, server }) => {
    model.setScript({ turns: mainJobTurns });
    const { session } = bench;
    await page.keyboard.press("Control+Shift+E");
    await page.getByRole("treeitem", { name: mimeFix.file }).click();
    await expect(page.locator(".cm-content")).toContainText("function Mime()");
    expect.soft(await faults(page), "editor").toEqual([]);

    await page.setViewportSize(phone.viewport);
    await page.goto(server.origin);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect.soft(await faults(page), "phone, empty").toEqual([]);
    await bench.begin(mainJobPrompt);
    await expect(session.card.changed("add")).toHaveCount(1);
    expect.soft(await faults(page), "phone, approval").toEqual([]);
    for (const pane of ["Files", "Search", "Changes", "Terminal", "Sessions"]) {
      await page.getByRole("navigation").getByRole("button", { name: pane, exact: true }).click();
      await expect(page.getByRole("main").getByRole("heading", { level: 1, name: pane })).toHaveCount(1);
      expect.soft(await faults(page), `phone, ${pane}`).toEqual([]);
    }
  },
);

test(
  "a conflict and the dialogs of source control have no serious fault",
  onlyInFull,
  async ({ page, project, server }) => {
    const check = (name: string) => test.step(name, async () => expect.soft(await faults(page), name).toEqual([]));
    const runGit = (...words: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: project, stdio: "ignore" });
    runGit("checkout", "-b", "side");
    for (const side of ["theirs", "ours"]) {
      await writeFile(join(project, mimeFix.file), `${side}\n`);
      runGit("commit", "-am", side);
      if (side === "theirs") runGit("checkout", "-b", "other", "HEAD~1");
    }
    expect(() => runGit("merge", "side")).toThrow();
    await trustProject(server);
    await page.reload();
    await page.getByRole("button", { name: "Source control" }).click();
    await page.getByRole("tree", { name: "Changed files" }).getByRole("treeitem", { name: mimeFix.file }).click();
    await expect(page.getByRole("region", { name: /^Conflict 1 of 1/ })).toBeVisible();
    await check("a conflict");

    await page.getByTitle("Branches, tags and stashes").click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "More: side" })).toBeVisible();
    await page.keyboard.type("no name");
    await check("branches");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Work trees" }).click();
    await expect(page.getByRole("dialog", { name: "Work trees" }).getByLabel("What is it for?")).toBeVisible();
    await check("work trees");
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "History" }).check();
    await page.getByRole("option", { name: /^ours/ }).click();
    await expect(
      page
        .getByRole("dialog", { name: /^Commit / })
        .locator("[data-file]")
        .first(),
    ).toBeVisible();
    await check("a commit");
  },
);

ownServerTest.describe("on a phone", () => {
  ownServerTest.use(phone);

  ownServerTest(
    "the lists of the settings fit and have no serious fault",
    onlyInFull,
    async ({ page, server, place }) => {
      await writeSettingsLists(place.home);
      for (const [tab, entry] of Object.entries(settingsLists)) {
        await page.goto(`${server.origin}/settings/${tab}`);
        await expect(page.getByRole("main").getByText(entry).first()).toBeVisible();
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), tab).toBe(phone.viewport.width);
        expect.soft(await faults(page), tab).toEqual([]);
      }
    },
  );
});

ownServerTest(
  "overlays and pages for unusual states have no serious fault",
  onlyInFull,
  async ({ browser, page, bench, model, server }) => {
    const check = (name: string) => test.step(name, async () => expect.soft(await faults(page), name).toEqual([]));
    const { keyboard } = page;
    await keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    await check("palette");
    await keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await bench.session.modeButton.click();
    await expect(page.getByRole("menu", { name: uiNames.mode })).toBeVisible();
    await check("menu of the modes");
    await keyboard.press("Escape");
    await page.goto(`${server.origin}/history`);
    await expect(page.getByRole("main")).toContainText(uiNames.noSessions);
    await check("empty history");
    await page.goto(`${server.origin}/nothing/here`);
    await expect(page.getByText(uiNames.nothingHere)).toBeVisible();
    await check("an address with nothing");

    for (const tab of ["skills", "extensions", "workflows", "automations", "channels"]) {
      await page.goto(`${server.origin}/settings/${tab}`);
      // No level is left out below the name of the page.
      await expect(page.getByRole("main").getByRole("heading", { level: 2 })).not.toHaveCount(0);
      await check(`settings without entries, ${tab}`);
    }

    model.setScript({ models: [] });
    await page.goto(server.origin);
    await expect(page.getByRole("list", { name: uiNames.suggestedModels })).toBeVisible();
    await check("no model yet");
    await model.close();
    await expect(page.getByText(uiNames.noModelServer)).toBeVisible();
    await check("no model server");

    const stranger = await (await browser.newContext({ locale: "en-US" })).newPage();
    await stranger.goto(server.origin);
    await expect(stranger.getByRole("button", { name: uiNames.signIn })).toBeVisible();
    expect.soft(await faults(stranger), "sign-in").toEqual([]);
    await stranger.context().close();
  },
);

test("the keyboard alone does the main job", async ({ page, bench, project, model, server }) => {
  model.setScript({ turns: mainJobTurns });
  const { session } = bench;
  const { keyboard } = page;
  await keyboard.press("Alt+c");
  await expect(session.composer).toBeFocused();
  await keyboard.type(mainJobPrompt);
  await keyboard.press("Enter");
  const answer = async (card: string, digit: string, done: () => Promise<void>): Promise<void> => {
    await expect(session.card.root).toContainText(card);
    await keyboard.press("Alt+a");
    await expect(session.card.root).toBeFocused();
    const id = await session.card.id();
    await session.pressForCard(digit);
    await expect(page.locator(`[data-approval="${id}"]`)).toHaveCount(0);
    await done();
  };
  const { conversation } = session;
  await answer(mimeFix.stillWrong, "1", () =>
    expect(session.lines({ verb: "Changed", target: mimeFix.file })).toHaveCount(1),
  );
  await answer(testCommand, "2", () => expect(conversation).toContainText("exit 1"));
  await answer(mimeFix.right, "1", () => expect(conversation.getByText(mimeFix.answer)).toBeVisible());
  await session.expectIdle();
  expect(await readFile(join(project, mimeFix.file), "utf8")).toContain(mimeFix.right);
  // Afterwards the focus is back in the composer: the next message can be typed at once.
  await expect(session.composer).toBeFocused();
  await keyboard.press("Alt+h");
  await expect(page).toHaveURL(`${server.origin}/history`);
  const link = page.getByRole("main").getByRole("link", { name: mainJobPrompt });
  await expect(link).toBeVisible();
  for (
    let presses = 0;
    presses < 40 && !(await link.evaluate((element) => element === document.activeElement));
    presses += 1
  )
    await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(conversation.getByText(mimeFix.answer)).toBeVisible();
});
