import { expect, test } from "vitest";
import { makeToolShares } from "./tool-shares";

test("the tools after the limit are left out, those of later lists first; a list that is not cut is the same", () => {
  const share = makeToolShares<string>(5);
  const [first, second, third] = [["a", "b"], ["c", "d", "e", "f"], ["g"]];
  const shares = share([first, second, third]);
  expect(shares).toEqual([["a", "b"], ["c", "d", "e"], []]);
  expect(shares[0]).toBe(first);
  // The catalogue is made again only when a list is another one.
  expect(share([first, second, third]).every((list, at) => list === shares[at])).toBe(true);
  expect(share([second, third])).toEqual([["c", "d", "e", "f"], ["g"]]);
});
