/** The plan above the message field: it follows the model's lists, is changed by the user, and is in the session list. */
import type { Page } from "@playwright/test";
import { callCommand } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, ownServerTest, test } from "../pages/mime-stage";

const first = "I will do this:\n\n- [x] Read `mime.types`\n- [ ] Write the parser\n- [ ] Run the tests";
const ls = { toolCalls: [{ name: "ls", arguments: {} }] };

const panelOf = (page: Page) => page.getByRole("region", { name: "Plan" });

test("follows the model, a change steers the run, and a reload keeps it", async ({ page, bench, model }) => {
  const { session, list } = bench;
  const panel = panelOf(page);
  model.setScript({
    turns: [
      { text: first, ...ls },
      { holdAfter: 0, text: "- [x] Write the parser", ...ls },
      { holdAfter: 0, text: "Working.", ...ls },
      { text: "- [x] Document it" },
    ],
  });
  await session.sendMessage("Begin");
  await expect(panel).toContainText("1 of 3");
  await expect(panel).toContainText("Write the parser");
  await expect(list.getByTitle("Plan: 1 of 3 steps done")).toBeVisible();
  model.release();
  await expect(panel).toContainText("2 of 3");

  await panel.getByRole("button", { name: /^Plan/ }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(3);
  await expect(panel.locator("[aria-current=step]")).toHaveText("Run the tests");
  await panel.getByRole("button", { name: "Edit plan" }).click();
  await panel.getByRole("textbox", { name: "Step 3" }).press("Enter");
  await page.keyboard.type("Document it");
  await panel.getByRole("button", { name: "Send to the model" }).press("Enter");
  await expect(panel.getByRole("textbox")).toHaveCount(0);
  await expect(panel.getByRole("button", { name: /^Plan/ })).toBeFocused();
  model.release();
  await session.expectIdle();
  const [body = ""] = chatRequestBodies(model).slice(-1);
  expect(body).toContain("- [x] Write the parser\\n- [ ] Run the tests\\n- [ ] Document it");
  await expect(panel).toContainText("3 of 4");
  await page.reload();
  await expect(panel).toContainText("3 of 4");
  const sent = session.userMessage("I changed the plan.");
  await expect(sent.getByRole("listitem")).toHaveText([
    "Read mime.types",
    "Write the parser",
    "Run the tests",
    "Document it",
  ]);
  await expect(sent).not.toContainText("[x]");
  const [tick, step] = await Promise.all([
    sent.getByRole("listitem").locator("svg, span").first().boundingBox(),
    sent.getByText("Read mime.types", { exact: true }).boundingBox(),
  ]);
  const middle = (box: typeof tick): number => (box === null ? Number.NaN : box.y + box.height / 2);
  expect(Math.abs(middle(tick) - middle(step))).toBeLessThan(1.5);
  await expect(panel).toContainText("Run the tests");
});

ownServerTest(
  "on a narrow screen in Chinese the changed plan of an idle session starts a run",
  onlyInFull,
  async ({ page, bench, model, server }) => {
    const { session } = bench;
    await callCommand(server, "settings.write", { patch: { language: "zh-CN" } });
    await page.setViewportSize({ width: 390, height: 844 });
    const panel = page.getByRole("region", { name: "计划" });
    model.setScript({ turns: [{ text: first }, { text: "- [x] Write the parser\n- [x] Run the tests" }] });
    await page.getByRole("textbox").fill("Begin");
    await page.getByRole("textbox").press("Enter");
    await panel.getByRole("button", { name: /^计划/ }).click();
    await panel.getByRole("button", { name: "编辑计划" }).click();
    await panel.getByRole("checkbox", { name: "第 2 步已完成" }).check();
    await panel.getByRole("button", { name: "发送并继续" }).click();
    await expect(page.getByText("我修改了计划，请按下面的计划继续：")).toBeVisible();
    await session.expectIdle();
    await expect(panel).toHaveCount(0);
  },
);
