import assert from "node:assert/strict";
import { test } from "node:test";
import { median } from "./median.js";

test("an odd number of values", () => assert.equal(median([9, 10, 100]), 10));
test("an even number of values", () => assert.equal(median([1, 30, 200, 4]), 17));
test("the list stays as it is", () => {
  const list = [3, 1, 2];
  median(list);
  assert.deepEqual(list, [3, 1, 2]);
});
