import { expect, test } from "vitest";
import { sortConnections, moveInOrder } from "./connection-order";

const withIds = (...ids: readonly string[]) => ids.map((id) => ({ id }));

test.each<[readonly string[], readonly string[]]>([
  [[], ["a", "b", "c"]],
  [["c"], ["c", "a", "b"]],
  [
    ["b", "gone", "a"],
    ["b", "a", "c"],
  ],
  [
    ["c", "b", "a"],
    ["c", "b", "a"],
  ],
])("an order of %j gives %j", (order, ids) => {
  expect(sortConnections(withIds("a", "b", "c"), order)).toEqual(withIds(...ids));
});

test.each<[string, number, readonly string[]]>([
  ["b", -1, ["b", "a", "c"]],
  ["b", 1, ["a", "c", "b"]],
  ["a", -1, ["a", "b", "c"]],
  ["c", 1, ["a", "b", "c"]],
  ["none", 1, ["a", "b", "c"]],
])("%s moved by %i gives %j", (id, step, ids) => {
  expect(moveInOrder(["a", "b", "c"], id, step)).toEqual(ids);
});
