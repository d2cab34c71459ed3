// The fault table of reliability.md against the tests it links: every file and every test name is there, and no row is missing.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = import.meta.dirname;
const rows = readFileSync(join(folder, "reliability.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => {
    const [, number = "", fault = "", effect = "", holds = "", tests = ""] = line.split("|").map((cell) => cell.trim());
    const links = [...tests.matchAll(/\[(.+?)\]\((\S+?)\)(?= ·|$)/g)].map(([, name = "", target = ""]) => ({
      name,
      target,
    }));
    return { number: Number(number), fault, sees: effect, holds, links };
  });

describe("the fault table", () => {
  it("has the rows 1 to 43, in order", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 43 }, (_, index) => index + 1));
  });

  it("says of every fault what is seen, what holds and where it is tested, or that it is not built", () => {
    const bare = rows.filter(({ sees, holds, links }) => sees !== "not built" && (holds === "" || links.length === 0));
    expect(bare).toEqual([]);
    expect(rows.filter(({ sees }) => sees === "not built").map(({ number }) => number)).toEqual([33, 34, 37]);
  });

  it.each(rows.flatMap(({ number, links }) => links.map((link) => ({ number, ...link }))))(
    "row $number: $target has the test $name",
    ({ name, target }) => {
      const path = join(folder, target);
      expect(existsSync(path)).toBe(true);
      if (`../${name}` === target) return;
      // A name may be broken over lines by the formatter, never within its quotes.
      expect(readFileSync(path, "utf8")).toContain(name);
    },
  );
});
