/** Skills: their page, with warnings and switches, and in the message field by name and by the chip. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { phone } from "../fixtures/phone";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const skillFile = (name: string, description: string, text: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${text}\n`;

/** Writes two skills that can be used and one that cannot. */
function writeSkills(home: string): void {
  const place = join(home, "skills");
  writeFile(
    join(place, "pdf/SKILL.md"),
    skillFile(
      "pdf",
      "Fills in PDF forms. Use it when a form has to be filled in.",
      "# Forms\n\nLook first. <b>Then</b> fill.",
    ),
  );
  writeFile(join(place, "pdf/references/FORMS.md"), "fields");
  writeFile(join(place, "notes/SKILL.md"), skillFile("release-notes", "Writes release notes.", "Read the log.\u200B"));
  writeFile(join(place, "broken/SKILL.md"), "no frontmatter");
}

const field = (page: Page) => page.locator("[data-composer][data-state=idle] textarea");

test("skills are listed with their warnings, read, and switched off", async ({ page, server, place }) => {
  await page.goto(`${server.origin}/settings/skills`);
  await expect(page.getByText("No skills yet")).toBeVisible();
  await expect(page.getByText(join(place.home, "skills"), { exact: true }).first()).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  writeSkills(place.home);
  await page.reload();
  const list = page.getByRole("list", { name: `Skills in ${join(place.home, "skills")}` });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list.getByText("Can't be used")).toBeVisible();
  await expect(list.getByText("Fills in PDF forms.", { exact: false })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  const use = list.getByRole("switch", { name: "Offer pdf to the model" });
  await use.click();
  await expect(use).not.toBeChecked();
  await page.reload();
  await expect(use).not.toBeChecked();

  const back = page.getByRole("button", { name: "All skills" });
  await list.getByRole("button", { name: "pdf" }).click();
  await expect(back).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(back).toHaveCount(0);
  await list.getByRole("button", { name: "pdf" }).click();
  await expect(page.getByRole("region", { name: "SKILL.md" }).last()).toContainText("Look first. <b>Then</b> fill.");
  await expect(page.getByText("references/FORMS.md")).toBeVisible();
  await page.getByRole("switch", { name: "Offer to the model" }).click();
  await expect(page.getByText("begin a message with /skill:pdf", { exact: false })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await back.click();
  await list.getByRole("button", { name: "release-notes" }).click();
  const notes = page.getByRole("region", { name: "Notes" });
  await expect(notes.getByText("The name isn't that of the folder, notes.", { exact: false })).toBeVisible();
  await expect(notes.getByText("Hidden characters: 1.", { exact: false })).toBeVisible();
});

test(
  "the name of a skill is completed, and a skill is offered for the words of a message",
  onlyInFull,
  async ({ page, server, place }) => {
    writeSkills(place.home);
    await page.goto(server.origin);
    await field(page).fill("/skill:p");
    const menu = page.getByRole("listbox", { name: "Skills" });
    await expect(menu.getByRole("option")).toHaveCount(1);
    const chosen = await menu.getByRole("option").getAttribute("id");
    await expect(field(page)).toHaveAttribute("aria-activedescendant", chosen ?? "none");
    await field(page).press("Enter");
    await expect(field(page)).toHaveValue("/skill:pdf ");
    await expect(menu).toBeHidden();

    await field(page).fill("write the release notes");
    const chip = page.getByRole("group", { name: "Skills" });
    await expect(chip).toContainText("Use skill release-notes?");
    await chip.getByRole("button", { name: "Not now" }).press("Enter");
    await expect(chip).toBeHidden();
    await expect(field(page)).toBeFocused();

    await field(page).fill("fill in this PDF");
    await chip.getByRole("button", { name: "Use", exact: true }).click();
    await expect(field(page)).toHaveValue("/skill:pdf fill in this PDF");
    await expect(chip).toBeHidden();
  },
);

test.describe("on a phone", onlyInFull, () => {
  test.use(phone);

  test("a skill is switched off, read, and left for the list again", async ({ page, server, place }) => {
    writeSkills(place.home);
    await page.goto(`${server.origin}/settings/skills`);
    const list = page.getByRole("list", { name: `Skills in ${join(place.home, "skills")}` });
    const use = list.getByRole("switch", { name: "Offer pdf to the model" });
    await use.tap();
    await expect(use).not.toBeChecked();
    await list.getByRole("button", { name: "pdf" }).tap();
    await expect(page.getByRole("region", { name: "SKILL.md" }).last()).toContainText("Look first. <b>Then</b> fill.");
    await page.getByRole("button", { name: "All skills" }).tap();
    await expect(list.getByRole("listitem")).toHaveCount(3);
  });
});

test("an unknown skill is refused, and the text stays", onlyInFull, async ({ page, server }) => {
  await page.goto(server.origin);
  await field(page).fill("/skill:none go");
  await field(page).press("Enter");
  await expect(page.getByText("skill:none", { exact: false }).first()).toBeVisible();
  await expect(field(page)).toHaveValue("/skill:none go");
});

test.describe("in Chinese", onlyInFull, () => {
  test.use({ locale: "zh-CN" });

  test("skills are listed and offered", async ({ page, server, place }) => {
    await page.goto(`${server.origin}/settings/skills`);
    await expect(page.getByText("还没有技能")).toBeVisible();
    writeSkills(place.home);
    await page.reload();
    await expect(page.getByText("无法使用")).toBeVisible();
    await page.goto(server.origin);
    await field(page).fill("填写 PDF");
    await expect(page.getByText("要使用技能 pdf 吗？")).toBeVisible();
  });
});
