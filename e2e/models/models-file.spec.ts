/** The options of one model and models.yaml from the user's view. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "../fixtures/test";

test.use({ hasOwnServer: true, opensPage: false });

test("an option changed on a model's page is written into models.yaml; a change of the file shows on the page", async ({
  page,
  place,
  server,
}) => {
  const path = join(place.home, "models.yaml");
  await page.goto(`${server.origin}/settings/model`);
  // The status bar has a button of the same name, and the list of all models a field of the same name.
  await page.getByRole("main").getByRole("button", { name: "scripted:latest" }).click();
  await expect(page.getByRole("heading", { name: "scripted:latest" })).toBeVisible();
  const temperature = page.getByRole("textbox", { name: "Temperature" });
  await temperature.fill("0.4");
  await temperature.press("Enter");
  await expect.poll(() => readFile(path, "utf8").catch(() => "")).toContain("temperature: 0.4");

  await writeFile(path, '# by hand\n"scripted*":\n  temperature: 0.7\n  keep_alive: 2h\n');
  await expect(temperature).toHaveValue("0.7");
  await expect(page.getByRole("textbox", { name: "Keep model in memory" })).toHaveValue("120m");

  await page.goBack();
  const file = page.getByRole("textbox", { name: "models.yaml" });
  await expect(file).toContainText("# by hand");
  await file.fill('"scripted*":\n  think: true\n  temperature: hot\n');
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Not saved. Line 3: temperature must be a number from 0 to 2, or auto.")).toBeVisible();
  expect(await readFile(path, "utf8")).toContain("# by hand");
});
