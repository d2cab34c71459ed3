/** Files with what the owner decided that cannot be read: their pages name the file and the next step. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

const pages = { "extensions.json": "extensions", "skills.json": "skills", "web.json": "web" } as const;

test("each file is named on the page that it concerns", onlyInFull, async ({ page, server, place }) => {
  for (const [file, section] of Object.entries(pages)) {
    const path = join(place.home, file);
    mkdirSync(path);
    await page.goto(`${server.origin}/settings/${section}`);
    await expect(page.getByRole("alert").filter({ hasText: path })).toContainText(/move it away/);
  }
  expect(await findViolations(page)).toEqual([]);
});
