import { expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import type { UploadChoice } from "../../state/uploads";
import { findUploadProblem, planUploads, uploadedEntries } from "./upload-plan";

const file = new File(["x"], "x");
const named = (...names: readonly string[]) => names.map((name) => ({ name, file }));

/** Plans with these answers in turn, and returns the plan, and the paths of the questions with the number of others. */
async function plan(names: readonly string[], answers: readonly (readonly [UploadChoice, boolean] | null)[]) {
  const questions: string[] = [];
  const existing = [
    { path: "src/a", isFolder: false, version: "1" },
    { path: "src/b", isFolder: false, version: "1" },
    { path: "src/dir", isFolder: true, version: "1" },
  ];
  const planned = await planUploads(named(...names), "src", existing, async ({ path, others }) => {
    const answer = answers[questions.length] ?? null;
    questions.push(`${path} +${others}`);
    return answer === null ? null : { choice: answer[0], isForAll: answer[1] };
  });
  return { planned: planned?.map(({ name, conflict }) => `${name} ${conflict}`) ?? null, questions };
}

test.each([
  ["new files are sent without a question", ["n", "dir/a"], [], ["n fail", "dir/a fail"], []],
  [
    "each existing file has a question",
    ["a", "n", "b"],
    [
      ["replace", false],
      ["skip", false],
    ],
    ["a replace", "n fail"],
    ["src/a +1", "src/b +0"],
  ],
  ["an answer for all is not repeated", ["a", "b"], [["keep", true]], ["a keep", "b keep"], ["src/a +1"]],
  [
    "a folder is not replaced by an answer for all",
    ["a", "dir", "b"],
    [
      ["replace", true],
      ["keep", false],
    ],
    ["a replace", "dir keep", "b replace"],
    ["src/a +2", "src/dir +1"],
  ],
  ["without an answer nothing is sent", ["n", "a", "b"], [["replace", false], null], null, ["src/a +1", "src/b +0"]],
] as const)("%s", async (_title, names, answers, planned, questions) => {
  expect(await plan(names, answers)).toEqual({ planned, questions });
});

test.each([
  ["a.txt", 1, null],
  ["dir/图.txt", limits.uploadBytes, null],
  ["a.txt", limits.uploadBytes + 1, "too_large"],
  ["a\nb", 1, "bad_path"],
  ["../a", 1, "bad_path"],
] as const)("%j with %i bytes: %s", (name, size, problem) => {
  expect(findUploadProblem({ name, file: { size } })).toBe(problem);
});

test("the entries of an upload are its files and the folders that contain the others", () => {
  expect(uploadedEntries("", ["a", "dir/b", "dir/deep/c"])).toEqual(["a", "dir"]);
  expect(uploadedEntries("src", ["src/a", "src/dir/b"])).toEqual(["src/a", "src/dir"]);
});

test("only a replacement is bound to the version that the user was asked about", async () => {
  const existing = ["a", "b"].map((path) => ({ path, isFolder: false, version: `v-${path}` }));
  const choices: UploadChoice[] = ["replace", "keep"];
  const planned = await planUploads(named("a", "b", "n"), "", existing, async () => ({
    choice: choices.shift() ?? "skip",
    isForAll: false,
  }));
  expect(planned?.map(({ version }) => version)).toEqual(["v-a", null, null]);
});
