/**
 * The JavaScript that the first screen loads: an exact figure, so it is a test and not only a row of the
 * bench.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { emptyPageReference, gzipBytes, neverIdle, loadedScripts } from "../fixtures/first-screen";
import { expect, test } from "../fixtures/test";

const budgetBytes = 110_000;

const ui = resolve("dist/ui");

test("the first screen takes at most 110 KB of JavaScript above an empty page", async ({ page, server }) => {
  const { version } = JSON.parse(readFileSync(resolve("node_modules/next/package.json"), "utf8"));
  expect(version, "another Next version: measure the empty page again").toBe(emptyPageReference.next);
  await page.addInitScript(neverIdle);
  await page.goto(server.origin);
  await page.locator("[data-composer][data-state=idle] textarea").waitFor();
  await page.waitForLoadState("networkidle");
  const scripts = await loadedScripts(page);
  expect(gzipBytes(ui, scripts) - emptyPageReference.scriptBytes).toBeLessThanOrEqual(budgetBytes);
  // Checks that the whole program was measured: its start, its messages and its composer.
  const text = scripts.map((path) => readFileSync(join(ui, path), "utf8")).join("\n");
  expect(text).toContain("data-composer");
});

test("no script is requested before the first frame, and each is started once", async ({ page, server }) => {
  // Runs before the page's own callback of that frame, which starts the scripts.
  await page.addInitScript("requestAnimationFrame(() => { window.firstFrameAt = performance.now(); })");
  await page.goto(server.origin);
  await page.locator("[data-composer][data-state=idle] textarea").waitFor();
  const firstFrameAt: number = await page.evaluate("firstFrameAt");
  const firstScriptAt: number = await page.evaluate(
    'Math.min(...performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js")).map((one) => one.startTime))',
  );
  // After three seconds without a frame they are started anyway.
  expect(firstScriptAt).toBeGreaterThanOrEqual(Math.min(firstFrameAt, 3_000));
  const started: string[] = await page.evaluate("[...document.scripts].map((one) => one.src).filter(Boolean)");
  expect(new Set(started).size).toBe(started.length);
  expect(started.length).toBeGreaterThan(5);
});

test("the token of the sign-in link is not in the address once the page is in use", async ({ browser, server }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("[data-composer][data-state=idle] textarea").waitFor();
  expect(page.url()).toBe(`${server.origin}/`);
  await page.reload();
  await page.locator("[data-composer][data-state=idle] textarea").waitFor();
  expect(page.url()).toBe(`${server.origin}/`);
  await context.close();
});

test("the first screen contains neither the editor nor the conversation nor scripts for old browsers, and a single language", async ({
  page,
  server,
}) => {
  await page.addInitScript(neverIdle);
  await page.goto(server.origin);
  await page.locator("[data-composer][data-state=idle] textarea").waitFor();
  await page.waitForLoadState("networkidle");
  const loaded = new Set(await loadedScripts(page));
  const html = readFileSync(join(ui, "index.html"), "utf8");
  const old = [...html.matchAll(/<script[^>]*src="([^"?]+)[^>]*noModule/gi)].map((found) => String(found[1]));
  expect(old).not.toEqual([]);
  const chunks = "/_next/static/chunks";
  const all = readdirSync(join(ui, chunks)).filter((name) => name.endsWith(".js"));
  const later = all.filter((name) => {
    const text = readFileSync(join(ui, chunks, name), "utf8");
    // The editor's frame; a marker of the conversation; the Chinese catalogue.
    return /cm-editor|overflow-anchor:none/.test(text) || (text.match(/[\u4e00-\u9fff]/g)?.length ?? 0) > 1_000;
  });
  expect(later.length).toBeGreaterThanOrEqual(3);
  expect([...old, ...later.map((name) => `${chunks}/${name}`)].filter((path) => loaded.has(path))).toEqual([]);
});
