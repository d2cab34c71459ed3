import { expect, test } from "vitest";
import { buildLegacyTables } from "./legacy-encodings";
import { prepareDecoding } from "./prepare-decoding";

/** Lead bytes of the tables of five encodings. */
const rows = 5 * 126;

test("the tables are built a row at a time, and once", async () => {
  expect([...buildLegacyTables(new Map())].length).toBeGreaterThanOrEqual(rows);
  await prepareDecoding(Buffer.of(0xd6, 0xd0));
  expect([...buildLegacyTables()]).toEqual([]);
});
