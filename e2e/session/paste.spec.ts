/**
 * A paste of excessive size (row 30 of docs/reliability.md): reported before anything is sent, earlier text stays, and the
 * page stays responsive.
 */
import { onlyInFull } from "../fixtures/full-run";
import type { WorkbenchPageObject } from "../pages/workbench-page";
import { expect, test } from "../pages/mime-stage";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** Pastes through the clipboard and the keyboard, as a user does. */
async function paste({ page, session }: WorkbenchPageObject, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await session.composer.press("ControlOrMeta+V");
}

test(
  "pasting a prompt of 5 MB shows by how much it is too long, earlier text stays, and the page responds",
  onlyInFull,
  async ({ bench, model }) => {
    const { session } = bench;
    const notice = bench.page.locator("[data-composer]").getByText("too long");
    await session.composer.fill("Look at this: ");
    await paste(bench, "x".repeat(5_000_000));
    await expect(notice).toContainText("4,800,014 characters too long");
    await expect(session.composer).toHaveValue("Look at this: ");
    model.setScript({ turns: [{ text: "At what?" }] });
    await session.composer.press("Enter");
    await expect(session.conversation.getByText("At what?")).toBeVisible();
    await expect(notice).toHaveCount(0);
  },
);
