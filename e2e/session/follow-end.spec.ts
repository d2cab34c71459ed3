/** The end of the conversation is followed until the reader scrolls up, by however little. */
import { expect, test } from "../fixtures/test";
import { SessionPageObject } from "../pages/session-page";

/** Short words: the scripted server counts four characters as a token, and streams one word at a time. */
const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${word} of it is ${index + 1}.`).join("\n\n");

test.use({
  script: {
    turns: [{ text: lines("First", 60) }, { text: lines("Second", 40) }, { text: "Third." }],
  },
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])
  test(`an answer is followed; scrolled up, it shows the way to the end (${viewport.width} px)`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const session = new SessionPageObject(page);
    const jump = session.root.getByRole("button", { name: "Jump to latest" });
    await session.sendMessage("One");
    await session.expectFirstRunEnd();
    await expect(session.conversation.getByText("First of it is 60.")).toBeInViewport();
    await expect(jump).toHaveCount(0);

    // Less than the distance at which the end still counts as visible.
    await session.conversation.hover();
    const before = await session.conversation.evaluate((box) => box.scrollTop);
    await page.mouse.wheel(0, -12);
    await expect.poll(() => session.conversation.evaluate((box) => box.scrollTop)).toBeLessThan(before);
    await expect(jump).toHaveCount(0);
    await session.sendMessage("Two");
    await expect(jump).toBeVisible();
    await session.expectIdle();
    await expect(session.conversation.getByText("Second of it is 40.")).not.toBeInViewport();
    await jump.click();
    await expect(session.conversation.getByText("Second of it is 40.")).toBeInViewport();
    await expect(jump).toHaveCount(0);
    await session.sendMessage("Three");
    await expect(session.conversation.getByText("Third.", { exact: true })).toBeInViewport();
  });
