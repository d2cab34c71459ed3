/** Takes the screenshots of the README: the real server, the real page, a scripted model. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { mainJobTurns, plantMimeProject } from "../fixtures/mime-project";
import { type Script, type ScriptedTurn, startScriptedModel } from "../fixtures/scripted-model.mjs";
import { makePlace, startServer } from "../fixtures/server";
import { SessionPage } from "../pages/session-page";

const folder = "docs/screenshots";
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const models = ["qwen2.5-coder:7b", "qwen3:8b"];
const request = '`extension("Text/HTML")` gives undefined. Find out why, fix it and run the tests.';
const requestInChinese = '`extension("Text/HTML")` 返回 undefined。请找出原因并修复，然后运行测试。';

const inChinese: readonly string[] = [
  "我先看看扩展名是在哪里查找的。",
  "类型里可能带有空格。",
  "",
  "问题在大小写，而不是空格。",
  "",
  "类型现在重新按小写比较，测试全部通过。",
];
const chineseTurns: readonly ScriptedTurn[] = mainJobTurns.map((turn, index) => ({
  ...turn,
  text: inChinese[index] ?? "",
}));

/** Prompts sent after the main job, each in place of the previous one, and the model's answers. */
const branches: readonly (readonly [text: string, answer: string])[] = [
  ["Write a test for mixed case.", "mixed case is covered"],
  ["Write a changelog entry.", "an entry under Fixed"],
];
const branchTurns: readonly ScriptedTurn[] = branches.map(([, answer]) => ({ text: `Done: ${answer}.` }));

/** Runs a command through the menu of the message field. */
async function command(page: Page, name: string): Promise<void> {
  const field = page.locator("textarea").last();
  await field.fill(`/${name}`);
  await field.press("Enter");
}

interface Look {
  readonly scheme?: "light" | "dark";
  readonly locale?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Runs `work` with its own home, project, model and browser context. `script` null = no model server is reachable. */
async function withProduct(
  browser: Browser,
  script: Script | null,
  look: Look,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const model =
    script === null
      ? null
      : await startScriptedModel({
          models,
          vramShare: 1,
          defaults: { tps: 38, last: { eval_duration: 500_000_000 } },
          ...script,
        });
  const made = makePlace(model?.url);
  const place = { ...made, project: join(made.root, "mime") };
  mkdirSync(place.project);
  await plantMimeProject(place.project);
  const server = await startServer(place);
  const context = await browser.newContext({
    viewport: look.size ?? desktop,
    deviceScaleFactor: 2,
    colorScheme: look.scheme ?? "light",
    locale: look.locale ?? "en-US",
    reducedMotion: "reduce",
  });
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await page.locator("textarea").last().waitFor();
    await work(page);
  } finally {
    await context.close();
    await server.kill("SIGTERM");
    await model?.close();
    await place.remove();
  }
}

async function photograph(page: Page, name: string): Promise<void> {
  // Waits until fonts are loaded, no skeleton is shown, and the last frame is drawn.
  await page.evaluate("document.fonts.ready");
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  if ((await page.getByText(/Change 1 line|修改 1 行/).count()) > 0)
    await page.locator("[data-line]").first().waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/**
 * Sends the request and allows cards until the one with this number waits; with a number past the last card the run
 * completes.
 */
async function go(page: Page, text: string, card: number): Promise<void> {
  const session = new SessionPage(page);
  const field = page.locator("textarea").last();
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

const search: ScriptedTurn = {
  text: "I look for where extensions are found.",
  toolCalls: [{ name: "grep", arguments: { pattern: "extension", path: "mime.js" } }],
};
/** Failures of a local model's server, each with its remedy on screen. */
const troubles: readonly { readonly name: string; readonly turns: readonly ScriptedTurn[] }[] = [
  {
    name: "out-of-memory",
    turns: [{ status: 500, error: "llama runner process has terminated: cudaMalloc failed: out of memory" }],
  },
  { name: "cut-prompt", turns: [{ text: "What should I look at?", last: { prompt_eval_count: 300 } }] },
  { name: "loop", turns: [search, search, search] },
];

/** Two edits and two commands. */
const cardsOfMainJob = 4;

const shots: readonly ((browser: Browser) => Promise<void>)[] = [
  (browser) => withProduct(browser, null, {}, (page) => photograph(page, "first-run")),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await go(page, request, 2);
      await photograph(page, "approval");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await page.getByRole("radio", { name: "Code" }).click();
      await page.getByRole("treeitem", { name: "mime.js" }).click();
      await page.locator(".cm-content").waitFor();
      await go(page, request, 3);
      await photograph(page, "main-job");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await go(page, request, cardsOfMainJob + 1);
      await photograph(page, "finished");
      await page.locator("[data-composer]").getByRole("button", { name: /% of / }).click();
      await page.getByText("Current window").waitFor();
      await photograph(page, "context");
      await page.keyboard.press("Escape");
      await new SessionPage(page).conversation.getByRole("button", { name: "Review" }).click();
      await page.locator("[data-file] [data-line]").first().waitFor();
      await photograph(page, "review");
      await page.goto(new URL("/history", page.url()).href);
      await page.getByRole("searchbox").fill("lower case");
      await page.locator("mark").first().waitFor();
      await photograph(page, "history");
      await page.goto(new URL("/settings/model", page.url()).href);
      await page.getByText("qwen3:8b").filter({ visible: true }).first().waitFor();
      await photograph(page, "settings");
    }),
  (browser) =>
    withProduct(browser, { turns: [...mainJobTurns, ...branchTurns] }, {}, async (page) => {
      const session = new SessionPage(page);
      await go(page, request, cardsOfMainJob + 1);
      for (const [text, answer] of branches) {
        if (text !== branches[0]?.[0]) await command(page, "rewind");
        await session.say(text);
        await page.getByText(answer).waitFor();
        await session.expectIdle();
      }
      await command(page, "tree");
      await page
        .getByRole("dialog")
        .getByText(branches[0]?.[0] ?? "")
        .first()
        .waitFor();
      await photograph(page, "tree");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, {}, async (page) => {
      await go(page, request, cardsOfMainJob + 1);
      await page.getByRole("banner").getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByRole("img", { name: "QR code for the link" }).waitFor();
      await photograph(page, "share");
    }),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, { scheme: "dark" }, async (page) => {
      await go(page, request, 3);
      await photograph(page, "dark");
    }),
  (browser) =>
    withProduct(browser, { turns: chineseTurns }, { locale: "zh-CN" }, async (page) => {
      await go(page, requestInChinese, 3);
      await photograph(page, "chinese");
    }),
  ...troubles.map(
    ({ name, turns }) =>
      (browser: Browser) =>
        withProduct(browser, { turns }, {}, async (page) => {
          await new SessionPage(page).say(request);
          await page.getByRole("log").getByRole("button", { name: "Details" }).first().waitFor();
          await new SessionPage(page).expectIdle();
          await photograph(page, name);
        }),
  ),
  (browser) =>
    withProduct(browser, { turns: mainJobTurns }, { size: phone }, async (page) => {
      await go(page, request, 1);
      await photograph(page, "phone");
    }),
];

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
try {
  for (const shot of shots) await shot(browser);
} finally {
  await browser.close();
}
