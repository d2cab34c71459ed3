/**
 * Images in a message: kept with the reason while the model has no vision, sent to a model with vision and shown
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

test("an image waits in the message field while the model has no vision, is sent to one that has it, and shown", async ({
  bench,
  model,
}) => {
  const { session, page } = bench;
  const composer = page.locator("[data-composer]");
  await pasteImage(session.composer);
  const thumbnail = composer.getByRole("img", { name: "Image 1" });
  await expect(thumbnail).toBeVisible();
  await expect(composer.getByText("can't see images. Choose a model with vision, or remove the images.")).toBeVisible();
  await session.composer.fill("What is this?");
  await expect(composer.getByRole("button", { name: "Send" })).toBeDisabled();
  model.setScript({ capabilities: ["completion", "tools", "vision"], turns: [{ text: "One pixel." }] });
  await expect(async () => {
    await composer.getByRole("button", { name: "Remove image 1" }).click();
    await pasteImage(session.composer);
    await expect(composer.getByRole("button", { name: "Send" })).toBeEnabled({ timeout: 1_000 });
  }).toPass();
  await session.composer.press("Enter");
  await expect(session.conversation.getByText("One pixel.")).toBeVisible();
  await expect(session.conversation.getByRole("img", { name: "Image 1" })).toBeVisible();
  await expect(thumbnail).toHaveCount(0);
  expect(JSON.stringify(model.requests)).toContain(png);
});

test("files of the device are added by the menu, and by a drop anywhere on the conversation", async ({ bench }) => {
  const { session, page } = bench;
  const composer = page.locator("[data-composer]");
  const add = composer.getByRole("button", { name: "Add to the message" });
  const chooser = page.waitForEvent("filechooser");
  await add.click();
  await page.getByRole("menuitem", { name: "Image or photo…" }).click();
  await (await chooser).setFiles({ name: "shot.png", mimeType: "image/png", buffer: Buffer.from(png, "base64") });
  await expect(composer.getByRole("img", { name: "Image 1" })).toBeVisible();
  const drop = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["dropped text"], "notes.txt", { type: "text/plain" }));
    return data;
  });
  const heading = page.getByRole("region", { name: "Conversation" });
  const frameColour = (): Promise<string> =>
    session.composer.evaluate((field) => getComputedStyle(field.closest(".rounded-dialog") ?? field).borderTopColor);
  await session.composer.focus();
  const atRest = await frameColour();
  await heading.dispatchEvent("dragover", { dataTransfer: drop });
  await expect(composer).toHaveAttribute("data-drop");
  await expect.poll(frameColour).not.toBe(atRest);
  await heading.dispatchEvent("drop", { dataTransfer: drop });
  await expect(composer.getByRole("listitem").filter({ hasText: "notes.txt" })).toBeVisible();
  await expect(composer).not.toHaveAttribute("data-drop");
  await expect(session.composer).toHaveValue("");
});
