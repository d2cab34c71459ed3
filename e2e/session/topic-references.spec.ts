/** References to the changes of the project, to earlier sessions and to symbols of a file: found, measured, sent and shown. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { trustProject } from "../fixtures/call-command";
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";

const menu = (page: Page) => page.getByRole("listbox", { name: "Files and folders to add" });
const chips = (page: Page) => page.getByRole("list", { name: "Added to the message" });
const sent = (page: Page) => page.getByRole("list", { name: "Sent with this message" });

test("by keyboard: the uncommitted changes are added with their size", async ({
  page,
  bench,
  model,
  place,
  server,
}) => {
  await trustProject(server);
  await writeFile(join(place.project, "added.txt"), "first line\n");
  const { session } = bench;
  await session.composer.fill("Review @changes");
  await expect(menu(page).getByRole("option").first()).toContainText(/Current changes.*tokens/);
  await session.composer.press("Enter");
  await expect(session.composer).toHaveValue("Review @Current changes ");
  await expect(chips(page).getByRole("listitem")).toHaveText([/^Current changes.* tokens$/]);
  model.setScript({ turns: [{ text: "Reviewed." }] });
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("Reviewed.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain(String.raw`+++ b/added.txt\n@@ -0,0 +1,1 @@\n+first line`);
  await sent(page).getByRole("button", { name: "Current changes" }).click();
  await expect(session.conversation.getByText("+first line")).toBeVisible();
});

test("by keyboard and pointer: a symbol of a file adds its lines", onlyInFull, async ({ page, bench, place }) => {
  await writeFile(
    join(place.project, "shapes.ts"),
    "export const one = 1;\n\nexport function area(side: number) {\n  return side * side;\n}\n\nexport class Circle {\n  radius = 1;\n}\n",
  );
  const { session } = bench;
  await session.composer.fill("Explain @shapes.ts#are");
  await expect(menu(page).getByRole("option").first()).toContainText(/area.*shapes\.ts:3-5.*tokens/);
  await session.composer.press("Enter");
  await expect(session.composer).toHaveValue("Explain @shapes.ts:3-5 ");
  await session.composer.pressSequentially("and @shapes.ts#");
  await menu(page)
    .getByRole("option", { name: /Circle/ })
    .click();
  await expect(session.composer).toHaveValue("Explain @shapes.ts:3-5 and @shapes.ts:7-9 ");
  await expect(chips(page).getByRole("listitem")).toHaveText([/^shapes\.ts:3-5/, /^shapes\.ts:7-9/]);
});

test("by pointer: an earlier session is found by its title", onlyInFull, async ({ page, bench, model }) => {
  const { session } = bench;
  model.setScript({ turns: [{ text: "It reads types.json." }, { text: "Continued." }] });
  await bench.begin("Where do the types come from?");
  await session.expectFirstRunEnd();
  await session.composer.fill("/title Origin of types");
  await session.composer.press("Enter");
  await session.composer.fill("/new");
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("It reads types.json.")).toHaveCount(0);
  await session.composer.fill("@");
  await menu(page)
    .getByRole("option", { name: /Earlier session/ })
    .click();
  await expect(session.composer).toHaveValue("@session:");
  await session.composer.pressSequentially("orig");
  const option = menu(page).getByRole("option", { name: /Origin of types/ });
  await expect(option).toContainText("tokens");
  await option.click();
  await expect(session.composer).toHaveValue("@Origin of types ");
  await session.composer.pressSequentially("go on");
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("Continued.")).toBeVisible();
  expect(chatRequestBodies(model).at(-1)).toContain(
    String.raw`<attached text=\"Origin of types\">\n# Origin of types\n\n## Last request\n\nWhere do the types come from?\n\n## Last answer\n\nIt reads types.json.\n</attached>`,
  );
});
