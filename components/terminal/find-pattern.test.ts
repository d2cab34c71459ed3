import { expect, test } from "vitest";
import { compileFindPattern } from "./find-pattern";

const none = { caseSensitive: false, wholeWord: false };

const rows = [
  ["text, in any case", "foo", {}, "Foo foofoo", [0, 4, 7]],
  ["matches do not overlap", "aa", {}, "aaaaa", [0, 2]],
  ["signs of expressions are text", "a.b*(c)/[d]{1}|$^\\", {}, "a.b*(c)/[d]{1}|$^\\ axb", [0]],
  ["case of other scripts", "ÄΩ", {}, "äω ÄΩ", [0, 3]],
  ["match case", "foo", { caseSensitive: true }, "Foo foo", [4]],
  ["whole words after parts of words", "foo", { wholeWord: true }, "foobar barfoo foo Foo-foo", [14, 18, 22]],
  ["letters, digits and underscores make words", "a", { wholeWord: true }, "éa a1 _a 文a a/a", [12, 14]],
  ["signs at the ends have no word to end", "--a", { wholeWord: true }, "x--a --ab --a", [1, 10]],
  ["whole words with case", "foo", { wholeWord: true, caseSensitive: true }, "Foo foo", [4]],
] as const;

test.each(rows)("%s", (_title, text, options, line, starts) => {
  const pattern = compileFindPattern({ text, ...none, ...options });
  expect([...line.matchAll(pattern)].map(({ index }) => index)).toEqual(starts);
});
