import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";
import { completeYamlKeys } from "./complete-yaml-keys";

const keys = [
  { section: "tools", name: "bash_timeout", label: "Command timeout", note: "In seconds." },
  { section: "tools", name: "read_max_lines", label: "Lines per read" },
  { section: "editor", name: "tab_size", label: "Tab size" },
];

/** Completes at the sign `|` of a text. */
function complete(marked: string, explicit = false) {
  const pos = marked.indexOf("|");
  const state = EditorState.create({ doc: marked.replace("|", "") });
  const result = completeYamlKeys(keys, { state, pos, explicit });
  return result === null ? null : { from: result.from, labels: result.options.map(({ label }) => label) };
}

test.each([
  ["sections at the start of a line", "t|", { from: 0, labels: ["tools", "editor"] }],
  [
    "the keys of the section above",
    "editor:\n  tab_size: 2\n# note\ntools:\n  bash_timeout: 9s\n  re|",
    { from: 57, labels: ["bash_timeout", "read_max_lines"] },
  ],
  ["nothing before the first letter", "tools:\n  |", null],
  ["nothing in a value", "tools:\n  bash_timeout: 3|", null],
  ["nothing in a comment", "# to|", null],
  ["nothing in an unknown section", "extensions:\n  x|", null],
] as const)("completes %s", (_name, marked, expected) => {
  expect(complete(marked)).toEqual(
    expected === null ? null : { ...expected, from: marked.replace("|", "").search(/\S*$/) },
  );
});

test("the key for completion lists the keys before the first letter", () => {
  expect(complete("tools:\n  |", true)?.labels).toEqual(["bash_timeout", "read_max_lines"]);
});

test("a key has its label and note as description", () => {
  const state = EditorState.create({ doc: "tools:\n  b" });
  const [first] = completeYamlKeys(keys, { state, pos: 10, explicit: false })?.options ?? [];
  expect(first).toMatchObject({ label: "bash_timeout", detail: "Command timeout", info: "In seconds." });
});
