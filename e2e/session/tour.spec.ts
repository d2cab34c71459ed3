/** The tour of --demo: from the first page to green tests, without a model server. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { callCommand } from "../fixtures/call-command";
import { phone } from "../fixtures/phone";
import { startProductServer } from "../fixtures/server";
import { expect, ownServerTest } from "../fixtures/test";
import { ChangesPageObject } from "../pages/changes-page";
import { WorkbenchPageObject } from "../pages/workbench-page";

/** The server shows the tour; `project` is the sample. */
const test = ownServerTest.extend({
  server: async ({ place }, use) => {
    const server = await startProductServer(place, ["--demo"]);
    await use(server);
    await server.kill("SIGTERM");
    expect(existsSync(dirname(server.home))).toBe(false);
  },
  project: async ({ server }, use) => use(join(dirname(server.home), "cart")),
});

const question = "Run the tests and fix what fails";
const testRun = { verb: "Ran", target: "node --test" };
const bug = "total += item.price;";
const fix = "total += item.price * item.quantity;";

test("deny, edit the queue, reload, green tests, undo", async ({ page, project }) => {
  const { session } = new WorkbenchPageObject(page);
  const { card, conversation } = session;
  const label = page.getByText("Tour: the answers of “scripted” are written in advance, everything else is real.");
  await page.getByRole("button", { name: question }).click();

  await test.step("a denied command does not run, and is proposed again", async () => {
    await expect(card.root).toContainText(testRun.target);
    await card.deny.click();
    await expect(conversation).toContainText("You denied that");
    await session.sendMessage("go on");
    await expect(card.root).toContainText(testRun.target);
  });
  await test.step("a message waits in the queue and is edited there", async () => {
    await session.composer.fill("Is it the discount?");
    await session.composer.press("Enter");
    await session.queue.getByRole("button", { name: "Edit message" }).click();
    const edited = session.queue.getByRole("textbox");
    await expect(edited).toHaveValue("Is it the discount?");
    await edited.fill("Is it the sum?");
    await edited.press("Enter");
    await expect(session.queue).toContainText("Is it the sum?");
    await card.once.click();
    await expect(session.lines(testRun).first()).toContainText("exit 1");
    await expect(session.userMessage("Is it the sum?")).toBeVisible();
    await expect(conversation).toContainText("Choose a model to ask your own");
  });
  await test.step("the card of the change survives a reload", async () => {
    await expect(card.changed("add")).toContainText(fix);
    await page.reload();
    await expect(card.changed("remove")).toContainText(bug);
    await card.once.click();
  });
  await test.step("the tests are green", async () => {
    await card.once.click();
    await expect(session.lines(testRun).last()).toContainText("exit 0");
    await expect(conversation).toContainText("All tests pass");
    await session.expectIdle();
    expect(await readFile(join(project, "cart.js"), "utf8")).toContain(fix);
    await expect(label).toBeVisible();
  });
  await test.step("undo brings the bug back, and the tour repairs it once more", async () => {
    const changes = new ChangesPageObject(page);
    await conversation.getByRole("button", { name: "Undo 1 file…" }).click();
    await changes.submit.click();
    await expect.poll(() => readFile(join(project, "cart.js"), "utf8")).toContain(bug);
    await session.sendMessage(question);
    await card.always.click();
    await expect(card.changed("add")).toContainText(fix);
    await card.once.click();
    await expect(session.lines(testRun).last()).toContainText("exit 0");
    await session.expectIdle();
    await expect(session.cards).toHaveCount(0);
  });
  await test.step("another question needs a model", async () => {
    await session.sendMessage("What is a monad?");
    await expect(conversation).toContainText("I can't answer that");
  });
});

test.describe(() => {
  test.use({ ...phone, isMobile: true, locale: "zh-CN" });
  test("on a phone, in Chinese, by taps alone; a killed tour starts again", async ({ page, server, project }) => {
    const { session } = new WorkbenchPageObject(page);
    const begin = async (): Promise<void> => page.getByRole("button", { name: "运行测试并修复失败项" }).tap();
    const allow = session.cards.getByRole("button", { name: "允许一次" });
    await begin();
    await expect(allow).toBeVisible();
    await server.kill("SIGKILL");
    await server.restart();
    expect(existsSync(project)).toBe(false);
    await page.goto(server.url);
    await begin();
    for (const shown of ["node --test", fix, "node --test"]) {
      await expect(session.cards).toContainText(shown);
      await allow.tap();
      await expect(session.cards.filter({ hasText: shown })).toHaveCount(0);
    }
    await expect(page.getByText("测试全部通过")).toBeVisible();
    await expect(page.getByText("导览：“scripted”的回答是预先写好的，其余都是真实的。")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

ownServerTest(
  "without a model server, the tour runs beside the own project and is left without a trace",
  async ({ page, server, model }) => {
    await model.close();
    await page.goto(server.origin);
    const { session } = new WorkbenchPageObject(page);
    const start = page.getByRole("button", { name: "Start the tour" });
    await page.getByRole("button", { name: "Try again" }).click();
    await start.click();
    await page.getByRole("button", { name: question }).click();
    await expect(session.card.root).toContainText(testRun.target);
    await session.card.once.click();
    await expect(session.card.changed("add")).toContainText(fix);
    await page.getByRole("button", { name: "Leave the tour" }).click();
    await expect(start).toBeVisible();
    await expect(page.getByText(/^Tour: /)).toHaveCount(0);
    expect((await callCommand(server, "session.list", {})).rows).toEqual([]);
    expect((await callCommand(server, "connections.list", {})).connections).toEqual([]);
  },
);
