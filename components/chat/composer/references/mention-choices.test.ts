import { expect, test } from "vitest";
import { mentionChoices } from "./mention-choices";

const paths = ["src/app.ts", "src/app/menu.ts", "docs/guide.md"];
const offered = (typed: string) => mentionChoices(paths, typed).map(({ kind, path }) => `${kind} ${path}`);

test("without letters the files are offered in their order", () => {
  expect(offered("")).toEqual(["file src/app.ts", "file src/app/menu.ts", "file docs/guide.md"]);
});

test("files and their folders are offered, best match first", () => {
  expect(offered("app")).toEqual(["file src/app.ts", "folder src/app", "file src/app/menu.ts"]);
  expect(offered("docs/")).toEqual(["folder docs", "file docs/guide.md"]);
});

test("the matched characters are those of the path", () => {
  expect(mentionChoices(paths, "guide")).toEqual([{ kind: "file", path: "docs/guide.md", positions: [5, 6, 7, 8, 9] }]);
});
