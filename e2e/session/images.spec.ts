/**
 * Images in a message: refused with an explanation for a model without vision, sent to a model with vision and shown
 * in the conversation.
 */
import type { Locator } from "@playwright/test";
import { expect, test } from "../pages/mime-stage";

test.use({ hasOwnServer: true });

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Simulates a paste of an image from the clipboard. */
const pasteImage = (field: Locator): Promise<void> =>
  field.evaluate((element, base64) => {
    const bytes = Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, png);

test("an image is refused while the model has no vision, then sent to one that has it and shown in the message", async ({
  bench,
  model,
}) => {
  const { session, page } = bench;
  const composer = page.locator("[data-composer]");
  await pasteImage(session.composer);
  await expect(composer.getByText("can't see images. Choose a model with vision.")).toBeVisible();
  model.setScript({ capabilities: ["completion", "tools", "vision"], turns: [{ text: "One pixel." }] });
  const thumbnail = composer.getByRole("img", { name: "Image 1" });
  // Until the page has the new abilities of the model, an image is refused.
  await expect(async () => {
    if ((await thumbnail.count()) === 0) await pasteImage(session.composer);
    await expect(thumbnail).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await session.composer.fill("What is this?");
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("One pixel.")).toBeVisible();
  await expect(session.conversation.getByRole("img", { name: "Image 1" })).toBeVisible();
  await expect(thumbnail).toHaveCount(0);
  expect(JSON.stringify(model.requests)).toContain(png);
});
