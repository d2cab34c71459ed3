import { expect, test } from "vitest";
import { pathAt } from "./path-at";

const at = (marked: string, file = "src/app/main.ts") => pathAt(marked.replace("|", ""), marked.indexOf("|"), file);

test.each([
  ["an import beside the file", 'import { a } from "./vi|ew";', "src/app/view.ts"],
  ["an import of a compiled name", 'import { a } from "../li|b/view.js";', "src/lib/view.ts"],
  ["a path from the root", "See docs/gui|de.md for more", "docs/guide.md"],
  ["a path in brackets", "(see src/a|.ts)", "src/a.ts"],
  ["a path with a bracket of its own", "app/(home)/pa|ge.tsx", "app/(home)/page.tsx"],
  ["an alias of the root", 'from "@/lib/i|d"', "lib/id.ts"],
  ["a link in Markdown", "[text](./no|tes.md)", "src/app/notes.md"],
])("%s", (_title, line, expected) => {
  expect(at(line)?.candidates).toContain(expected);
});

test.each([")", "a/"])("a long word of %j is no path", (part) => {
  expect(pathAt(part.repeat(100_000), 5, "a.ts")).toBeNull();
});

test("the line of a reference is kept", () => {
  expect(at("at src/a|.ts:12:3")).toMatchObject({ line: 12 });
});

test.each(["const a| = 1;", "https://example.com/a|.ts", "import x from '../../../../out|side.ts'", "|", "a / b| / c"])(
  "%s names no file of the project",
  (line) => {
    expect(at(line)).toBeNull();
  },
);
