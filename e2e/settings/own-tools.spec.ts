/** The built-in tools on the Tools page, those of features too that no session has used yet. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

test("an own tool is switched off, and stays off after a reload", onlyInFull, async ({ page, server, place }) => {
  writeFileSync(join(place.home, "web.json"), JSON.stringify({ isEnabled: true }));
  await page.goto(`${server.origin}/settings/tools`);
  const fetch = page.getByRole("switch", { name: "Offer web_fetch to the model" });
  await expect(fetch).toBeChecked();
  await fetch.click();
  await expect(fetch).not.toBeChecked();
  expect(await findViolations(page)).toEqual([]);
  await page.reload();
  await expect(fetch).not.toBeChecked();
});
