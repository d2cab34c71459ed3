import { expect, test } from "vitest";
import { buildLegacyTables } from "./legacy-encodings";
import { prepareDecoding } from "./prepare-decoding";

/** Lead bytes of the tables of five encodings. */
const rows = 5 * 126;

test("UTF-8 needs no tables; other bytes build them once, a row at a time", async () => {
  await prepareDecoding(Buffer.from("中文"));
  expect([...buildLegacyTables()].length).toBeGreaterThanOrEqual(rows);
  await prepareDecoding(Buffer.of(0xd6, 0xd0));
  expect([...buildLegacyTables()].length).toBeLessThan(10);
});
