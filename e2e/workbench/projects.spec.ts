/** The list of projects: pinned, renamed, removed and brought back. */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "../pages/mime-stage";

test.use({ hasOwnServer: true });

test("projects are pinned, renamed, removed from the list and brought back", async ({ bench, page, place, server }) => {
  await bench.expectOnline();
  const second = join(place.home, "second-project");
  await mkdir(second, { recursive: true });
  const menu = page.getByRole("menu");
  const item = (name: string) => menu.getByRole("menuitemradio", { name });
  await bench.project.click();
  await item("Open folder").click();
  await page.getByRole("dialog").getByRole("combobox").fill(second);
  await page.keyboard.press("Enter");
  await expect(bench.project).toContainText("second-project");

  const openList = async (): Promise<void> => {
    await bench.project.click();
    await item("All projects").click();
  };
  const dialog = page.getByRole("dialog");
  const rows = dialog.getByRole("listitem");
  await openList();
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText("second-project");
  const other = basename(place.project);
  await dialog.getByRole("button", { name: `Pin ${other}` }).click();
  await expect(rows.first()).toContainText(place.project);

  await dialog.getByRole("button", { name: `Rename ${other}` }).click();
  await dialog.getByRole("textbox", { name: "Project name" }).fill("Mime types");
  await page.keyboard.press("Enter");
  await expect(rows.first()).toContainText("Mime types");

  await dialog.getByRole("button", { name: "Remove second-project from the list" }).click();
  const pins = dialog.getByRole("button", { name: /^(?:Pin|Unpin) / });
  await expect(pins).toHaveCount(1);
  await dialog.getByRole("button", { name: "Undo" }).click();
  await expect(pins).toHaveCount(2);
  await dialog.getByRole("button", { name: "Remove second-project from the list" }).click();
  await expect(pins).toHaveCount(1);
  await dialog.getByRole("button", { name: `Mime types ${place.project}` }).click();
  await expect(bench.project).toContainText("Mime types");

  await page.goto(server.origin);
  await bench.project.click();
  await expect(item("Mime types")).toBeVisible();
  await expect(item("second-project")).toHaveCount(0);
});

test("a chat without a project: its session is in the workspace, which has files of its own", async ({
  bench,
  page,
  place,
  model,
}) => {
  model.setScript({ turns: [{ text: "Hello." }] });
  await bench.expectOnline();
  await page.getByRole("button", { name: "Chat without a project" }).click();
  await expect(bench.project).toContainText("workspace");
  await expect(page.getByRole("button", { name: "Chat without a project" })).toHaveCount(0);
  await bench.begin("hi");
  await expect(bench.session.conversation.getByText("Hello.")).toBeVisible();
  expect(JSON.stringify(model.requests.at(-1))).toContain("Personal workspace");
  expect(existsSync(join(place.home, "workspace/AGENTS.md"))).toBe(true);
});
