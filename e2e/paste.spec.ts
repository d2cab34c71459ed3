/** A paste without measure (fault row 30): said before anything is sent, what was typed stays, and the page goes on. */
import type { WorkbenchPage } from "./pages/workbench-page";
import { expect, test } from "./pages/stage";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** Through the clipboard and the keyboard, as a user does. */
async function paste({ page, session }: WorkbenchPage, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await session.composer.press("ControlOrMeta+V");
}

test("a prompt of 5 MB that is pasted is told by how much it is too long, what was typed stays, and the page answers", async ({
  bench,
  model,
}) => {
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
});
