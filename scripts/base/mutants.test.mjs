import { expect, test } from "vitest";
import { listMutants } from "./mutants.mjs";

const changed = (text) =>
  listMutants("a.ts", text).map(({ from, to, text: by }) => text.slice(0, from) + by + text.slice(to));

test.each([
  ["a === b;", [";", "a !== b;"]],
  ["f(a < 1);", [";", "f(a <= 1);", "f(a < 2);"]],
  ["if (!ok) stop();", ["if (false) stop();", "if (ok) stop();", "if (!ok) ;"]],
  ["const x = a ? 1 : true;", ["const x = a ? true : 1;", "const x = a ? 2 : true;", "const x = a ? 1 : false;"]],
])("%s", (text, expected) => {
  expect(changed(text)).toEqual(expected);
});

test("types and imports have no mutants", () => {
  expect(listMutants("a.ts", 'import a from "a";\ninterface B { readonly c: true | 1 }\ntype D = false;')).toEqual([]);
});
