/** Choices after a command in the message field, and the command that writes AGENTS.md. */
import { onlyInFull } from "../fixtures/full-run";
import { chatRequestBodies, expect, test } from "../pages/mime-stage";
import { uiNames } from "../pages/ui-names";

test.use({ hasOwnServer: true });

test(
  "by keyboard and pointer: the choices of a command; /init sends its prompt",
  onlyInFull,
  async ({ page, bench, model }) => {
    const { session } = bench;
    const menu = page.getByRole("listbox", { name: uiNames.commands });
    await session.composer.pressSequentially("/mode ");
    await expect(menu.getByRole("option")).toHaveText([/ask/, /edits/, /plan/, /full/]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-composer]")).toHaveAttribute("data-mode", "plan");
    await session.composer.pressSequentially("/theme ");
    await menu.getByRole("option").filter({ hasText: "dark" }).first().click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(session.composer).toHaveValue("");

    model.setScript({ turns: [{ text: "Written." }] });
    await session.sendMessage("/init");
    await expect(session.conversation.getByText("Written.")).toBeVisible();
    expect(chatRequestBodies(model).at(-1)).toContain("Write the file AGENTS.md in the project folder");
  },
);
