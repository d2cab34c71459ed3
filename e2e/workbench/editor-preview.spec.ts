/** Previews of Markdown, tables and SVG in the editor. */
import type { Page } from "@playwright/test";
import { onlyInFull } from "../fixtures/full-run";
import { expect, test } from "../fixtures/test";
import { openFileByName } from "../pages/open-file";

const pixel =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="teal"/></svg>';
const readme = `# Guide

[Code](src/a.ts) [Part](#second-part) [Web](https://example.com/x) [Out](../x.md)

![Logo](docs/logo.svg) ![Far](https://example.com/far.png)

<img src=x onerror="document.body.dataset.ran='yes'"><script>document.body.dataset.ran = "yes"</script>

${"Text.\n\n".repeat(80)}

## Second part

End.
`;
const rows = 100_000;

test.use({
  files: {
    "guide.md": readme,
    "docs/logo.svg": pixel,
    "src/a.ts": "export const a = 1;\n",
    "script.svg": pixel.replace("<rect", "<script>alert(1)</script><rect"),
    "small.csv": 'name;note\n"x;y";"two\nlines"\nragged\n',
    "large.csv": `id,name,value\n${Array.from({ length: rows }, (_, row) => `${row},name ${row},"${row},5"`).join("\n")}\n`,
  },
});

const requestedHosts = (page: Page): Set<string> => {
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).hostname));
  return hosts;
};

/** Counts the arrays of the page in use with an entry for each row of the large table. */
async function countArraysOfRows(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send("Runtime.evaluate", { expression: "Array.prototype" });
  const { objects } = await devtools.send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "" });
  const count = await devtools.send("Runtime.callFunctionOn", {
    objectId: objects.objectId,
    functionDeclaration: `function () { return this.filter((array) => array.length >= ${rows}).length; }`,
    returnByValue: true,
  });
  // Its handles keep the arrays in use.
  await devtools.detach();
  return Number(count.result.value);
}

test("Markdown: images and links of the project work, HTML is text, nothing remote is loaded", async ({ page }) => {
  const hosts = requestedHosts(page);
  await openFileByName(page, "guide.md");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Typed ");
  await page.keyboard.press("Control+Shift+V");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview).toBeFocused();
  await expect(preview).toContainText("Typed # Guide");
  const logo = preview.getByRole("img", { name: "Logo" });
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
  await expect(preview).toContainText("onerror");
  await expect(preview.getByRole("link", { name: "Web" })).toHaveAttribute("rel", /noopener noreferrer/);
  await expect(preview.getByRole("link", { name: "Web" })).toHaveAttribute("target", "_blank");
  await expect(page.locator("body")).not.toHaveAttribute("data-ran");
  expect([...hosts]).not.toContain("example.com");

  await preview.getByRole("button", { name: "Part" }).click();
  await expect(preview.getByRole("heading", { name: "Second part" })).toBeInViewport();
  await preview.getByRole("button", { name: "Out" }).click();
  await expect(page.getByText("This link leads outside the project.")).toBeVisible();
  await page.getByRole("button", { name: "Show text" }).click();
  await expect(page.locator(".cm-content")).toContainText("Typed # Guide");
  await page.getByRole("button", { name: "Show preview" }).click();
  await preview.getByRole("button", { name: "Code" }).click();
  await expect(page.locator("[data-editor]")).toHaveAttribute("data-editor", "src/a.ts");
  await expect(page.getByRole("button", { name: "Show preview" })).toHaveCount(0);
});

test(
  "a table is shown with its quoted fields; 100,000 rows scroll under their header",
  onlyInFull,
  async ({ page }) => {
    await openFileByName(page, "small.csv");
    await page.getByRole("tab", { name: "small.csv" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Switch between text and preview" }).click();
    const table = page.getByRole("table", { name: "Table" });
    await expect(table.getByRole("columnheader")).toHaveText(["name", "note"]);
    await expect(table.getByRole("cell")).toHaveText(["x;y", "two\nlines", "ragged"]);

    await openFileByName(page, "large.csv");
    await page.keyboard.press("Control+Shift+V");
    await expect(page.getByText("Rows: 100,000, columns: 3")).toBeVisible();
    await expect(table).toBeFocused();
    await expect(table).toHaveAttribute("aria-rowcount", `${rows + 1}`);
    await page.keyboard.press("PageDown");
    await expect(table.getByRole("cell", { name: "name 0", exact: true })).not.toBeInViewport();
    await page.keyboard.press("End");
    const last = table.getByRole("row", { name: "99999,5" });
    await expect(last).toBeInViewport({ ratio: 1 });
    await expect(last).toHaveAttribute("aria-rowindex", `${rows + 1}`);
    await expect(table.getByRole("columnheader", { name: "value" })).toBeInViewport();
    await expect(table).toBeFocused();
  },
);

test("a large table has no row element or measurement of a row that is far from view", onlyInFull, async ({ page }) => {
  await openFileByName(page, "large.csv");
  await page.keyboard.press("Control+Shift+V");
  const table = page.getByRole("table", { name: "Table" });
  await expect(table).toBeFocused();
  for (const [key, cell] of [
    ["PageDown", "name 30"],
    ["End", "name 99999"],
    ["Home", "name 0"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(table.getByRole("cell", { name: cell, exact: true })).toBeInViewport();
    await expect.poll(() => table.getByRole("row").count()).toBeLessThan(100);
  }
  // The starts of the rows in the text.
  await expect.poll(() => countArraysOfRows(page)).toBe(1);
});

test("an SVG is drawn as an image, and the palette switches back", onlyInFull, async ({ page }) => {
  await openFileByName(page, "script.svg");
  await page.getByRole("button", { name: "Show preview" }).click();
  const image = page.getByRole("region", { name: "Image" }).getByRole("img", { name: "script.svg" });
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(40);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Switch between text");
  await expect(page.getByRole("option").first()).toContainText("Switch between text");
  await page.keyboard.press("Enter");
  await expect(page.locator(".cm-content")).toContainText("alert(1)");
});

test("a phone has the button beside the tabs", onlyInFull, async ({ page }) => {
  await openFileByName(page, "small.csv");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Show preview" }).click();
  await expect(page.getByRole("table", { name: "Table" })).toBeVisible();
  await page.getByRole("button", { name: "Show text" }).click();
  await expect(page.locator(".cm-content")).toBeVisible();
});
