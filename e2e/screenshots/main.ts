/** Takes the screenshots of the README: the real server, the real page, a scripted model. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { type Browser, chromium, type Page } from "playwright";
import { chromiumArguments } from "../fixtures/chromium-arguments";
import { mainJobTurns, plantMimeProject, testCommand } from "../fixtures/mime-project";
import { type Script, type ScriptedTurn, startScriptedModel } from "../fixtures/scripted-model.mjs";
import { makeProductEnvironment, startProductServer } from "../fixtures/server";
import { SessionPageObject } from "../pages/session-page";
import { TerminalPageObject, withoutWebgl } from "../pages/terminal-page";

const folder = "docs/screenshots";
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const shownModels = ["qwen2.5-coder:7b", "qwen3:8b"];
const userRequest = '`extension("Text/HTML")` gives undefined. Find out why, fix it and run the tests.';
/** Request that the tour has answers for. */
const tourRequest = "Run the tests and fix what fails";
const tourRequestInChinese = "运行测试并修复失败项";

/** Prompts sent after the main job, each in place of the previous one, and the model's answers. */
const branchPrompts: readonly (readonly [text: string, answer: string])[] = [
  ["Write a test for mixed case.", "mixed case is covered"],
  ["Write a changelog entry.", "an entry under Fixed"],
];
const branchTurns: readonly ScriptedTurn[] = branchPrompts.map(([, answer]) => ({ text: `Done: ${answer}.` }));

const releaseWorkflow = `description: Checks the project and writes the notes of a release.
inputs:
  version: { description: Number of the release, default: 4.1.0 }
steps:
  - id: test
    run: npm test
    retry: 1
  - id: notes
    prompt: "Write release notes for \${{ inputs.version }} from the commits since the last tag."
  - id: approve
    ask: Publish these notes?
    options: [Publish, Leave]
  - id: publish
    when: steps.approve.output == 'Publish'
    run: git tag "v$VERSION"
    env: { VERSION: "\${{ inputs.version }}" }
`;

/** Runs a command through the menu of the message field. */
async function runMenuCommand(page: Page, name: string): Promise<void> {
  const field = page.locator("textarea").last();
  await field.fill(`/${name}`);
  await field.press("Enter");
}

interface ScreenshotStyle {
  readonly scheme?: "light" | "dark";
  readonly locale?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/**
 * Runs `work` with its own home, project, model and browser context. `script` null = no model server is reachable, "tour" =
 * the tour.
 */
async function withProduct(
  browser: Browser,
  script: Script | "tour" | null,
  style: ScreenshotStyle,
  work: (page: Page, home: string) => Promise<void>,
): Promise<void> {
  const model =
    script === null || script === "tour"
      ? null
      : await startScriptedModel({
          models: shownModels,
          vramShare: 1,
          defaults: { tps: 38, last: { eval_duration: 500_000_000 } },
          ...script,
        });
  const environment = makeProductEnvironment(model?.url);
  const place = { ...environment, project: join(environment.root, "mime") };
  mkdirSync(place.project);
  await plantMimeProject(place.project);
  const server = await startProductServer(place, script === "tour" ? ["--demo"] : []);
  const context = await browser.newContext({
    viewport: style.size ?? desktop,
    deviceScaleFactor: 2,
    colorScheme: style.scheme ?? "light",
    locale: style.locale ?? "en-US",
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await page.locator("[data-composer]").waitFor();
    await work(page, place.home);
  } finally {
    await context.close();
    await server.kill("SIGTERM");
    await model?.close();
    await place.remove();
  }
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  // Waits until fonts are loaded, no skeleton is shown, and the last frame is drawn.
  await page.evaluate("document.fonts.ready");
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  if ((await page.getByText(/Change 1 line|修改 1 行/).count()) > 0)
    await page.locator("[data-line] [style*=color]").first().waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * Sends the request and allows cards until the one with this number waits; with a number past the last card the run
 * completes.
 */
async function runMainJob(page: Page, text: string, card: number): Promise<void> {
  const session = new SessionPageObject(page);
  // By its place, so that it is found in every language.
  const field = page.locator("[data-composer][data-state=idle] textarea");
  await field.fill(text);
  await field.press("Enter");
  let allowed = "";
  for (let number = 1; number < card; number += 1) {
    await session.cards.locator(`xpath=self::*[@data-approval!="${allowed}"]`).first().waitFor();
    allowed = await session.card.id();
    await session.cards
      .first()
      .getByRole("button")
      .filter({ hasText: /Allow once|允许一次/ })
      .click();
  }
  if (card > cardsOfMainJob) await session.expectIdle();
  else await session.cards.locator(`xpath=self::*[@data-approval!="${allowed}"]`).first().waitFor();
}

const repeatedSearchTurn: ScriptedTurn = {
  text: "I look for where extensions are found.",
  toolCalls: [{ name: "grep", arguments: { pattern: "extension", path: "mime.js" } }],
};
/** Failures of a local model's server, each with its remedy on screen. */
const failureTurns: readonly { readonly name: string; readonly turns: readonly ScriptedTurn[] }[] = [
  {
    name: "out-of-memory",
    turns: [{ status: 500, error: "llama runner process has terminated: cudaMalloc failed: out of memory" }],
  },
  { name: "cut-prompt", turns: [{ text: "What should I look at?", last: { prompt_eval_count: 300 } }] },
  { name: "loop", turns: [repeatedSearchTurn, repeatedSearchTurn, repeatedSearchTurn] },
];

/** Two edits and two commands. */
const cardsOfMainJob = 4;

const screenshotTasks: readonly ((browser: Browser) => Promise<void>)[] = [
  (browser) =>
    withProduct(browser, null, {}, async (page) => {
      await page.getByRole("button", { name: "Download and run" }).waitFor();
      await takeScreenshot(page, "first-run");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await runMainJob(page, userRequest, 2);
      await takeScreenshot(page, "approval");
    }),
  (browser) =>
    withProduct(browser, "tour", {}, async (page) => {
      await page.getByRole("radio", { name: "Code" }).click();
      await page.getByRole("treeitem", { name: "cart.js" }).click();
      await page.locator(".cm-content").waitFor();
      await runMainJob(page, tourRequest, 2);
      await takeScreenshot(page, "tour");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await runMainJob(page, userRequest, cardsOfMainJob + 1);
      await takeScreenshot(page, "finished");
      await page.locator("[data-composer]").getByRole("button", { name: /% of / }).click();
      await page.getByText("Current window").waitFor();
      await takeScreenshot(page, "context");
      await page.keyboard.press("Escape");
      await new SessionPageObject(page).conversation.getByRole("button", { name: "Review" }).click();
      await page.locator("[data-file] [data-line]").first().waitFor();
      await takeScreenshot(page, "review");
      await page.goto(new URL("/history", page.url()).href);
      await page.getByRole("searchbox").fill("lower case");
      await page.locator("mark").first().waitFor();
      await takeScreenshot(page, "history");
      await page.goto(new URL("/settings/model", page.url()).href);
      await page.getByText("qwen3:8b").filter({ visible: true }).first().waitFor();
      await takeScreenshot(page, "settings");
    }),
  (browser) =>
    withProduct(browser, { turns: [...mainJobTurns, ...branchTurns] }, {}, async (page) => {
      const session = new SessionPageObject(page);
      await runMainJob(page, userRequest, cardsOfMainJob + 1);
      for (const [text, answer] of branchPrompts) {
        if (text !== branchPrompts[0]?.[0]) await runMenuCommand(page, "rewind");
        await session.sendMessage(text);
        await page.getByText(answer).waitFor();
        await session.expectIdle();
      }
      await runMenuCommand(page, "tree");
      await page
        .getByRole("dialog")
        .getByText(branchPrompts[0]?.[0] ?? "")
        .first()
        .waitFor();
      await takeScreenshot(page, "tree");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await runMainJob(page, userRequest, cardsOfMainJob + 1);
      await page.getByRole("banner").getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("img", { name: "QR code for the link" }).waitFor();
      await takeScreenshot(page, "share");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await withoutWebgl(page);
      await page.reload();
      await runMainJob(page, userRequest, cardsOfMainJob + 1);
      const terminal = new TerminalPageObject(page);
      await terminal.open();
      // The prompt of this machine names its user.
      await terminal.type("PS1='mime $ '; clear");
      await expect.poll(() => terminal.text()).toMatch(/^mime \$ *$/);
      await terminal.type("git diff --stat");
      await expect.poll(() => terminal.text()).toMatch(/1 file changed[^$]*mime \$ *$/);
      await terminal.type(testCommand);
      await expect.poll(() => terminal.text()).toMatch(/test\.js\n[^$]*mime \$ *$/);
      await takeScreenshot(page, "terminal");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await page.getByRole("radio", { name: "Code" }).click();
      await page.keyboard.press("Control+Shift+F");
      await page.getByRole("searchbox", { name: "Search files" }).fill("extensions");
      const lines = page.getByRole("tree", { name: "Search results" }).locator("[data-line]");
      await lines.filter({ hasText: "this.extensions" }).first().click();
      await page.locator(".cm-content").waitFor();
      await takeScreenshot(page, "search");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, { scheme: "dark" }, async (page) => {
      await runMainJob(page, userRequest, 3);
      await takeScreenshot(page, "dark");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page, home) => {
      mkdirSync(join(home, "workflows"), { recursive: true });
      writeFileSync(join(home, "workflows/release.yaml"), releaseWorkflow);
      await page.goto(new URL("/settings/workflows", page.url()).href);
      await page.getByRole("button", { name: "release" }).click();
      await page.getByRole("region", { name: "Steps" }).getByRole("listitem").nth(3).waitFor();
      await takeScreenshot(page, "workflow");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await page.goto(new URL("/settings/automations", page.url()).href);
      await page.getByRole("button", { name: "New automation" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Morning check");
      await page
        .getByRole("textbox", { name: "Prompt" })
        .fill("Run the tests. If one fails, say why in two sentences.");
      await page.getByRole("combobox", { name: "When" }).selectOption("Every day");
      await page.getByRole("list", { name: "Next times" }).getByRole("listitem").nth(4).waitFor();
      await takeScreenshot(page, "automation");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await runMainJob(page, userRequest, 2);
      await page.goto(new URL("/overview", page.url()).href);
      await page.getByRole("region", { name: "Waiting for you" }).getByRole("button").first().waitFor();
      await takeScreenshot(page, "overview");
    }),
  (browser) =>
    withProduct(browser, "tour", { locale: "zh-CN" }, async (page) => {
      await runMainJob(page, tourRequestInChinese, 2);
      await takeScreenshot(page, "chinese");
    }),
  ...failureTurns.map(
    ({ name, turns }) =>
      (browser: Browser) =>
        withProduct(browser, { turns }, {}, async (page) => {
          await new SessionPageObject(page).sendMessage(userRequest);
          await page.getByRole("log").getByRole("button", { name: "Details" }).first().waitFor();
          await new SessionPageObject(page).expectIdle();
          await takeScreenshot(page, name);
        }),
  ),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, { size: phone }, async (page) => {
      await runMainJob(page, userRequest, 1);
      await takeScreenshot(page, "phone");
    }),
];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: [...chromiumArguments],
});
try {
  for (const shot of screenshotTasks) await shot(browser);
} finally {
  await browser.close();
}
