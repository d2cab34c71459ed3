/** The keyboard's place on the settings pages, where a pressed control disappears. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";

test.use({ hasOwnServer: true, opensPage: false });

test(
  "the focus stays beside a control that disappears, and returns to the row of a closed page",
  onlyInFull,
  async ({ page, server, place }) => {
    mkdirSync(join(place.home, "extensions"));
    for (const name of ["first", "second"])
      writeFileSync(
        join(place.home, "extensions", `${name}.sh`),
        `#!/usr/bin/env bash\n# gopi:\n#   commands: [{ name: ${name}, prompt: Hello }]\n`,
        { mode: 0o755 },
      );
    await page.goto(`${server.origin}/settings/extensions`);
    const row = page.getByRole("button", { name: "second", exact: true });
    await row.press("Enter");
    await expect(page.getByRole("button", { name: "All extensions" })).toBeFocused();
    await page.getByRole("button", { name: "Enable", exact: true }).press("Enter");
    await expect(page.getByRole("button", { name: "Disable" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Enable", exact: true })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(row).toBeFocused();

    await page.getByRole("link", { name: "Web", exact: true }).press("Enter");
    const key = page.getByRole("textbox", { name: "API key of Brave Search" });
    await key.fill("a-key");
    await key.press("Enter");
    const replace = page.getByRole("button", { name: "Replace" });
    await expect(replace).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(key).toBeFocused();

    // A press beside all controls takes the focus away, and a later change does not bring it back.
    await page.getByRole("heading", { name: "Search engines" }).click();
    await expect(page.locator("body")).toBeFocused();
  },
);
