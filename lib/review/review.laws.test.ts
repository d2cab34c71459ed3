import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runSteps } from "../async/steps";
import { lawRuns } from "../testing/law-runs";
import {
  type Baseline,
  computeBaselineSteps,
  plainBaseline,
  repeatChangeSteps,
  type ReviewedStep,
  contentText,
} from "./baseline";
import { acceptCommittedSteps } from "./committed-lines";
import {
  acceptHunksSteps,
  type ChosenHunk,
  findReviewSteps,
  rejectHunksSteps,
  type ReviewedHunk,
} from "./review-hunks";

type Writer = "agent" | "bash" | "user" | "program";
interface Edit {
  /** Place as a share of the text. */
  readonly at: number;
  readonly removed: number;
  /** "own" = a line that occurs once. */
  readonly added: readonly string[];
}
type Act =
  | { readonly kind: "write"; readonly by: Writer; readonly edits: readonly Edit[] }
  | { readonly kind: "decide"; readonly picks: readonly number[]; readonly reject: boolean };

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat({ max: 3 }),
  added: fc.array(fc.constantFrom("own", "own", "own", "}", ""), { maxLength: 4 }),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      by: fc.constantFrom<Writer>("agent", "agent", "bash", "user", "program"),
      edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("decide" as const),
      picks: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
      reject: fc.boolean(),
    }),
  },
);
const history = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 8 }),
  start: fc.array(fc.constantFrom("own", "own", "own", "}", ""), { maxLength: 15 }),
  isOpen: fc.boolean(),
});

/** A file with its log, as the agent, the user and programs change it. */
function playHistory({ acts, start, isOpen }: { acts: readonly Act[]; start: readonly string[]; isOpen: boolean }) {
  let count = 0;
  const named = (lines: readonly string[], by: string): readonly string[] =>
    lines.map((line) => (line === "own" ? `${by} ${(count += 1)}` : line));
  const join = (lines: readonly string[]): string => lines.join("\n") + (isOpen || lines.length === 0 ? "" : "\n");
  const split = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
  let now = join(named(start, "start"));
  const steps: ReviewedStep[] = [];
  for (const one of acts) {
    if (one.kind === "decide") {
      const state = look(steps, now);
      const chosen = one.picks
        .filter((pick) => pick < state.hunks.length && !(one.reject && state.hunks[pick]?.collides === true))
        .map((hunk) => ({ hunk }));
      const decided = decide(state, chosen, one.reject ? "reject" : "accept");
      steps.push({ kind: "decision", before: now, after: decided.now, baseline: decided.baseline });
      now = decided.now;
      continue;
    }
    const lines = split(now);
    for (const { at, removed, added } of one.edits)
      lines.splice(Math.round(at * lines.length), removed, ...named(added, one.by));
    const after = join(lines);
    if (one.by === "agent" || one.by === "bash") steps.push({ kind: "write", before: now, after });
    now = after;
  }
  return { steps, now };
}

interface ReviewedFile {
  readonly baseline: Baseline;
  readonly now: string;
  readonly hunks: readonly ReviewedHunk[];
}

function look(steps: readonly ReviewedStep[], now: string): ReviewedFile {
  return withHunks(runSteps(computeBaselineSteps(steps, now)), now);
}

function withHunks(baseline: Baseline, now: string): ReviewedFile {
  const found = runSteps(findReviewSteps(baseline, now));
  expect(found?.whole).toBeUndefined();
  return { baseline, now, hunks: found?.hunks ?? [] };
}

function decide(
  { baseline, now, hunks }: ReviewedFile,
  chosen: readonly ChosenHunk[],
  verdict: "accept" | "reject",
): ReviewedFile {
  return verdict === "reject"
    ? withHunks(baseline, contentText(runSteps(rejectHunksSteps(baseline, now, hunks, chosen))))
    : withHunks(runSteps(acceptHunksSteps(baseline, now, hunks, chosen)), now);
}

const textOf = ({ content }: Baseline): string => (typeof content === "string" ? content : "");
const isBy = (line: string, ...writers: readonly string[]): boolean =>
  writers.some((writer) => line.startsWith(`${writer} `));
const linesBy = (text: string, ...writers: readonly string[]): readonly string[] =>
  text.split("\n").filter((line) => isBy(line, ...writers));
const allOf = (hunks: readonly ReviewedHunk[]): readonly ChosenHunk[] =>
  hunks.flatMap(({ collides }, hunk) => (collides === true ? [] : [{ hunk }]));

const runs = { numRuns: lawRuns(10_000) };

describe("a review of the agent's changes", () => {
  test("has no line that others wrote, and every line of the agent that was not accepted", () => {
    fc.assert(
      fc.property(history, (one) => {
        const { steps, now } = playHistory(one);
        const { baseline, hunks } = look(steps, now);
        const lines = hunks.flatMap((hunk) => hunk.lines);
        for (const hunk of hunks.filter(({ collides }) => collides !== true)) {
          // A line that got a line end, since the agent wrote below it, is removed and added.
          const removed = hunk.lines.flatMap(({ kind, text }) => (kind === "remove" ? [text] : []));
          const added = hunk.lines.flatMap(({ kind, text }) => (kind === "add" ? [text] : []));
          expect(added.filter((text) => isBy(text, "user", "program", "start") && !removed.includes(text))).toEqual([]);
        }
        const accepted = new Set(linesBy(textOf(baseline), "agent", "bash"));
        const added = new Set(lines.flatMap(({ kind, text }) => (kind === "add" ? [text] : [])));
        for (const line of linesBy(now, "agent", "bash")) if (!accepted.has(line)) expect(added).toContain(line);
        if (!one.acts.some(({ kind }) => kind === "decide")) expect([...accepted]).toEqual([]);
      }),
      runs,
    );
  });

  test("rejected as a whole keeps every line of others and none of the agent", () => {
    fc.assert(
      fc.property(history, (one) => {
        const { steps, now } = playHistory(one);
        const file = look(steps, now);
        const rejected = decide(file, allOf(file.hunks), "reject");
        for (const line of linesBy(now, "user", "program", "start")) expect(rejected.now.split("\n")).toContain(line);
        if (file.hunks.some(({ collides }) => collides === true)) return;
        expect(rejected.now).toBe(textOf(file.baseline));
        expect(rejected.hunks).toEqual([]);
      }),
      runs,
    );
  });

  test("accepted as a whole has no hunks", () => {
    fc.assert(
      fc.property(history, (one) => {
        const { steps, now } = playHistory(one);
        const file = look(steps, now);
        const all = file.hunks.map((_hunk, hunk) => ({ hunk }));
        const accepted = decide(file, all, "accept");
        expect(textOf(accepted.baseline)).toBe(now);
        expect(accepted).toMatchObject({ hunks: [], baseline: { marks: [] } });
      }),
      runs,
    );
  });

  test("a commit of any of its lines accepts just these", () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.boolean()), (one, picks) => {
        const { steps, now } = playHistory(one);
        const file = look(steps, now);
        const chosen = file.hunks.map(({ lines }, hunk) => ({
          hunk,
          lines: lines.flatMap(({ kind }, at) => (kind !== "same" && picks.next().value === true ? [at] : [])),
        }));
        const committed = runSteps(acceptHunksSteps(file.baseline, now, file.hunks, chosen)).content;
        const accepted = runSteps(acceptCommittedSteps(file.baseline, now, contentText(committed)));
        // Which of two equal lines is committed cannot be seen.
        const named = (text: string) => linesBy(text, "start", "agent", "bash", "user", "program");
        expect(named(textOf(accepted))).toEqual(named(contentText(committed)));
      }),
      runs,
    );
  });

  test("decided hunk by hunk in any order gives the same text, and undoing gives the text before", () => {
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.nat()), (one, first, second) => {
        const { steps, now } = playHistory(one);
        const file = look(steps, now);
        const results = [first, second].map((order) => {
          const log = [...steps];
          let state = file;
          // A hunk is found by its changed lines, whatever its index is by then.
          const verdicts = new Map(file.hunks.map((hunk, index) => [nameOf(hunk), index % 2 === 0]));
          for (const pick of order) {
            const open = state.hunks.flatMap((hunk, index) =>
              hunk.collides !== true && verdicts.has(nameOf(hunk)) ? [index] : [],
            );
            const hunk = open[pick % Math.max(1, open.length)];
            if (hunk === undefined) break;
            const verdict = verdicts.get(nameOf(state.hunks[hunk])) === true ? "accept" : "reject";
            const next = decide(state, [{ hunk }], verdict);
            log.push({ kind: "decision", before: state.now, after: next.now, baseline: next.baseline });
            state = next;
          }
          expect(look(log, state.now)).toEqual(state);
          for (const done of log.slice(steps.length).reverse())
            if (done.kind === "decision")
              state = { ...state, now: String(runSteps(repeatChangeSteps(done.after, done.before, state.now))) };
          expect(state.now).toBe(now);
          return textOf(look(log, log.at(-1)?.after === undefined ? now : String(log.at(-1)?.after)).baseline);
        });
        expect(results[0]).toBe(results[1]);
      }),
      runs,
    );
  });
});

const nameOf = (hunk: ReviewedHunk | undefined): string => {
  const changed = (hunk?.lines ?? []).filter(({ kind }) => kind !== "same");
  return JSON.stringify(changed.map(({ kind, text }) => [kind, text]));
};

test("the baseline of a file without changes is the file", () => {
  expect(runSteps(computeBaselineSteps([], "a\n"))).toEqual(plainBaseline("a\n"));
});
