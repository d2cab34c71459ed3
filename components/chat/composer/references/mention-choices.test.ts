import { expect, test } from "vitest";
import { mentionChoices } from "./mention-choices";

const paths = ["src/app.ts", "src/app/menu.ts", "docs/guide.md"];
const offered = (typed: string) => mentionChoices(paths, typed).map(({ kind, path }) => `${kind} ${path}`);

test("without letters the files are offered in their order", () => {
  expect(offered("")).toEqual(["file src/app.ts", "file src/app/menu.ts", "file docs/guide.md"]);
});

test("without letters hidden files come last, because many are protected", () => {
  const found = mentionChoices([".env", "a.ts", ".github/ci.yml", "src/.keep", "b.ts"], "");
  expect(found.map(({ path }) => path)).toEqual(["a.ts", "b.ts", ".env", ".github/ci.yml", "src/.keep"]);
});

test("files and their folders are offered, best match first", () => {
  expect(offered("app")).toEqual(["file src/app.ts", "folder src/app", "file src/app/menu.ts"]);
  expect(offered("docs/")).toEqual(["folder docs", "file docs/guide.md"]);
});

test("the matched characters are those of the path", () => {
  expect(mentionChoices(paths, "guide")).toEqual([{ kind: "file", path: "docs/guide.md", positions: [5, 6, 7, 8, 9] }]);
});
