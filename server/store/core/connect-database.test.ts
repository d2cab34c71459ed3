import { expect, test } from "vitest";
import { connectDatabase } from "./connect-database";

test("a connection keeps at most 2 MB of pages", () => {
  const database = connectDatabase(":memory:", {});
  expect(database.pragma("cache_size", { simple: true })).toBe(-2_000);
  database.close();
});
