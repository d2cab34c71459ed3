/** The tables that link tests: every row has what it needs, and every link is the title of a test in the linked file. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = import.meta.dirname;
const readPage = (name: string): string => readFileSync(join(folder, name), "utf8");

interface LinkRow {
  readonly id: string;
  readonly cells: readonly string[];
  readonly links: readonly { readonly id: string; readonly title: string; readonly target: string }[];
}

/** The rows of a page whose first cell is a number, or a letter and a number; the last cell has the links. */
const rowsOf = (text: string): readonly LinkRow[] =>
  text
    .split("\n")
    .filter((line) => /^\| [AS]?\d+ \|/.test(line))
    .map((line) => {
      const [id = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      const links = [...(cells.pop() ?? "").matchAll(/\[(.+?)\]\((\S+?)\)(?= ·|$)/g)];
      return { id, cells, links: links.map(([, title = "", target = ""]) => ({ id, title, target })) };
    });

/** The first numbers, `1` or with the letter `A1`. */
const numbersFrom = (letter: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);

const reliability = readPage("reliability.md");
const faults = rowsOf(reliability);
const page = readPage("requirements.md");
const requirements = rowsOf(page);
const serverRows = rowsOf(readPage("model-servers.md"));
/** The first table has the abilities by server, the second their tests. */
const abilities = serverRows.filter(({ cells }) => cells.length > 0);
const abilityTests = serverRows.filter(({ cells }) => cells.length === 0);

describe("the fault table", () => {
  it("is numbered from 1, without a gap", () => {
    expect(faults.length).toBeGreaterThan(40);
    expect(faults.map(({ id }) => id)).toEqual(numbersFrom("", faults.length));
  });

  it("has what is seen, what holds and a test for every fault", () => {
    expect(faults.filter(({ cells, links }) => cells.length !== 3 || cells.includes("") || links.length === 0)).toEqual(
      [],
    );
  });

  it("has no row about something that does not exist", () => {
    expect(reliability).not.toMatch(/\bnot (?:yet )?(?:built|implemented|supported)\b|\bplanned\b/i);
  });
});

describe("the table of model servers", () => {
  it("says for every ability where each of the seven kinds of servers has it from", () => {
    expect(abilities.map(({ id }) => id)).toEqual(numbersFrom("", abilities.length));
    // The last cell is not among them.
    expect(abilities.filter(({ cells }) => cells.length !== 7 || cells.includes(""))).toEqual([]);
  });

  it("has tests for every ability", () => {
    expect(abilityTests.filter(({ links }) => links.length > 0).map(({ id }) => id)).toEqual(
      abilities.map(({ id }) => id),
    );
  });
});

describe("the tables of requirements", () => {
  it("have every row once, in order", () => {
    expect(requirements.map(({ id }) => id)).toEqual([...numbersFrom("A", 79), ...numbersFrom("S", 28)]);
  });

  it("have a verdict for every row: a test where something works, a reason where something is missing", () => {
    const faulty = requirements.filter(({ cells: [requirement = "", verdict = "", ...more], links }) => {
      if (requirement === "" || more.length > 0) return true;
      if (/^works(?:: .|$)/.test(verdict)) return links.length === 0;
      return !/^(?:partly: .+|not built: .+)/.test(verdict) || (verdict.startsWith("partly") && links.length === 0);
    });
    expect(faulty).toEqual([]);
  });

  it.each([
    ["A", 79],
    ["S", 28],
  ])("are counted in the summary: %s1 to %i", (letter, last) => {
    const verdicts = requirements.filter(({ id }) => id.startsWith(letter)).map(({ cells }) => cells[1] ?? "");
    const counts = ["works", "partly", "not built"].map(
      (kind) => verdicts.filter((one) => one.startsWith(kind)).length,
    );
    expect(page).toContain(`| ${letter}1 to ${letter}${last} | ${counts.join(" | ")} |`);
  });
});

it.each([...faults, ...requirements, ...abilityTests].flatMap(({ links }) => links))(
  "row $id: $target has the test $title",
  ({ title, target }) => {
    const path = join(folder, target);
    expect(existsSync(path)).toBe(true);
    const titles = [...readFileSync(path, "utf8").matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`/g)];
    expect(titles.map(([found]) => found.slice(1, -1).replaceAll('\\"', '"'))).toContain(title);
  },
);
