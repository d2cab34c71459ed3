/** A database that cannot be read: the browser shows where it was moved. docs/reliability.md is the table of all faults. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makeProductEnvironment, type ProductEnvironment, startProductServer } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

for (const [damage, bytes] of [
  ["no database at all", Buffer.from("This was never a database.\n".repeat(400))],
  ["a database with a broken middle", null],
] as const) {
  test(`${damage}: the start page shows where it was moved, every byte of it is retained, and work starts with a new one`, async ({
    browser,
  }) => {
    const place = makeProductEnvironment();
    mkdirSync(place.home, { mode: 0o700 });
    const path = join(place.home, "gopi.db");
    const original = bytes ?? brokenDatabase(place);
    writeFileSync(path, original);
    const server = await startProductServer(place);
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url);
    await expect(page.getByText("The database couldn't be read. It was moved to")).toBeVisible();
    await page.context().close();
    await server.kill("SIGTERM");
    const [aside] = readdirSync(place.home).filter((name) =>
      /^gopi\.db\.corrupt-[^-]+-[^-]+-[^-]+-[^-]+-[\d.]+Z$/.test(name),
    );
    expect(readFileSync(join(place.home, aside ?? "missing")).equals(original)).toBe(true);
    expect(await server.stop()).toEqual([]);
  });
}

/** Creates a database with SQLite and overwrites the page of its table list. */
function brokenDatabase(place: ProductEnvironment): Buffer {
  const path = join(place.home, "gopi.db");
  const database = new Database(path);
  database.exec("CREATE TABLE events (body TEXT)");
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0x2a, 100, 4_096);
  return bytes;
}
