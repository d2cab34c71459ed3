/** Trials of tools on the pages of a server and of an extension, and the pin of an unpinned server. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

test("a tool of a server is tried, with its image, and stopped", async ({ page, server, place }) => {
  const launch = { command: process.execPath, args: [program, "stdio"] };
  writeFileSync(join(place.home, "mcp.json"), JSON.stringify({ mcpServers: { everything: launch } }));
  await page.goto(`${server.origin}/settings/tools`);
  await page.getByRole("button", { name: "everything" }).click();
  await page.getByRole("button", { name: "Test and approve" }).click();

  await page.getByRole("button", { name: /^echo/ }).click();
  const echo = page.getByRole("region", { name: "Try everything__echo" });
  await echo.getByRole("textbox").fill("hello");
  await echo.getByRole("button", { name: "Show call" }).click();
  await expect(echo.getByRole("region", { name: "Show call" })).toContainText('"message": "hello"');
  await echo.getByRole("button", { name: "Call", exact: true }).click();
  await expect(echo.getByRole("region", { name: "Answer" })).toContainText("hello");
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^echo/ }).click();

  await page.getByRole("button", { name: /^get-tiny-image/ }).click();
  const image = page.getByRole("region", { name: "Try everything__get-tiny-image" });
  await image.getByRole("button", { name: "Show call" }).click();
  await image.getByRole("button", { name: "Call", exact: true }).click();
  await expect(image.getByRole("img", { name: "Image 1" })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: /^get-tiny-image/ }).click();

  await page.getByRole("button", { name: /^trigger-long-running-operation/ }).click();
  const long = page.getByRole("region", { name: "Try everything__trigger-long-running-operation" });
  await long.getByRole("textbox", { name: /^duration/ }).fill("100");
  await long.getByRole("button", { name: "Show call" }).click();
  await long.getByRole("button", { name: "Call", exact: true }).click();
  await long.getByRole("button", { name: "Stop" }).click();
  await expect(long.getByText(/^Stopped\./)).toBeVisible();
});

test(
  "a package without a version is pinned by the user's package manager, then approved again",
  onlyInFull,
  async ({ page, server, place }) => {
    const programs = join(place.home, "programs");
    mkdirSync(programs);
    writeFileSync(join(programs, "npm"), `#!/bin/sh\necho '[{"version":"2.0.1"}]'\n`);
    chmodSync(join(programs, "npm"), 0o755);
    const file = join(place.home, "mcp.json");
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: { files: { command: join(programs, "npx"), args: ["-y", "files"] } } }),
    );
    await page.goto(`${server.origin}/settings/tools`);
    await page.getByRole("list", { name: "Servers" }).getByRole("button", { name: "files" }).click();
    const warning = page.getByRole("region", { name: "Runs the newest version at each start" });
    await warning.getByRole("button", { name: "Pin" }).press("Enter");
    await expect(page.getByText("Pinned to version 2.0.1. Approve the server to use it.")).toBeVisible();
    await expect(warning).toBeHidden();
    await expect(page.getByRole("button", { name: "Test and approve" })).toBeFocused();
    await expect(page.getByText(/-y files@2\.0\.1$/)).toBeVisible();
    expect(readFileSync(file, "utf8")).toContain('"files@2.0.1"');
    expect(await findViolations(page)).toEqual([]);
  },
);
