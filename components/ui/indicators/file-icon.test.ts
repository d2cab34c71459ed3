import { Braces, File, FileCode, FileCog, FileKey, FileText } from "lucide-react";
import { expect, test } from "vitest";
import { fileIconOf } from "./file-icon";

test.each([
  ["src/a.TS", FileCode],
  ["package.json", Braces],
  [".gitignore", FileCog],
  ["docs/LICENSE", FileText],
  [".env.local", FileKey],
  ["Dockerfile", FileCog],
  ["notes", File],
  ["a.unknown", File],
])("%s has an icon of its kind", (path, icon) => {
  expect(fileIconOf(path)).toBe(icon);
});
