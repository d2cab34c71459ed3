/** The fault table of reliability.md against the tests it links: every row has one, and every link is the title of a test. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = import.meta.dirname;
const page = readFileSync(join(folder, "reliability.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| \d+ \|/.test(line))
  .map((line) => {
    const [, number = "", , effect = "", holds = "", tests = ""] = line.split("|").map((cell) => cell.trim());
    const links = [...tests.matchAll(/\[(.+?)\]\((\S+?)\)(?= ·|$)/g)].map(([, name = "", target = ""]) => ({
      name,
      target,
    }));
    return { number: Number(number), sees: effect, holds, links };
  });

describe("the fault table", () => {
  it("is numbered from 1, without a gap", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
  });

  it("has what is seen, what holds and a test for every fault", () => {
    expect(rows.filter(({ sees, holds, links }) => sees === "" || holds === "" || links.length === 0)).toEqual([]);
  });

  it("has no row about something that does not exist", () => {
    expect(page).not.toMatch(/\bnot (?:yet )?(?:built|implemented|supported)\b|\bplanned\b/i);
  });

  it.each(rows.flatMap(({ number, links }) => links.map((link) => ({ number, ...link }))))(
    "row $number: $target has the test $name",
    ({ name, target }) => {
      const path = join(folder, target);
      expect(existsSync(path)).toBe(true);
      const titles = [...readFileSync(path, "utf8").matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g)];
      expect(titles.map(([title]) => title.slice(1, -1).replaceAll('\\"', '"'))).toContain(name);
    },
  );
});
