import { expect, test } from "vitest";
import { matchSkill } from "./match-skill";

const skills = [
  {
    name: "pdf",
    description: "Fills in and splits PDF forms, extracts tables. Use it when a form has to be filled in.",
  },
  { name: "release-notes", description: "Writes the changelog of a version from the git history." },
  { name: "表格", description: "整理电子表格中的数据，制作图表。" },
];

test.each<readonly [text: string, name: string | null]>([
  ["Split this PDF into pages", "pdf"],
  ["please write the release notes for 2.0", "release-notes"],
  ["draft the changelog for the next version out of the git history", "release-notes"],
  ["extract the tables of these forms", "pdf"],
  ["fix the release", null],
  ["add a note about the version", null],
  ["use this file and make it work with the project", null],
  ["请帮我整理电子表格", "表格"],
  ["请修复这个错误", null],
  ["/skill:pdf go", null],
  ["!pdf", null],
  ["", null],
])("%j is about %j", (text, name) => expect(matchSkill(text, skills)).toBe(name));

test("of two skills that fit equally well the first is found", () => {
  const twins = ["one", "two"].map((name) => ({ name, description: "Deploys the staging cluster." }));
  expect(matchSkill("deploys the staging cluster", twins)).toBe("one");
});

test("the words of a skill are read once, not at each key", () => {
  let reads = 0;
  const skill = {
    name: "pdf",
    get description() {
      reads += 1;
      return "Fills in forms.";
    },
  };
  for (const text of ["f", "fo", "for"]) matchSkill(text, [skill]);
  expect(reads).toBe(1);
});
