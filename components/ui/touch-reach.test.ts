/** Controls that appear on hover have to be visible for pointers that cannot hover. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const components = join(import.meta.dirname, "..");
const markup = readdirSync(components, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".tsx"));
const appearsOnHover = (list: string): boolean =>
  /(^|\s)opacity-0(\s|$)/.test(list) && /(^|\s)group-hover(\/\w+)?:opacity-100(\s|$)/.test(list);

test("controls that appear on hover are visible for a coarse pointer", () => {
  const classLists = markup.flatMap((path) =>
    [...readFileSync(join(components, path), "utf8").matchAll(/"([^"\n]*)"/g)].map(
      (match) => `${path}: ${match[1] ?? ""}`,
    ),
  );
  const hovered = classLists.filter(appearsOnHover);
  expect(hovered.length).toBeGreaterThan(3);
  expect(hovered.filter((list) => !/pointer-coarse:opacity-100/.test(list))).toEqual([]);
});
