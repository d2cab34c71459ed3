import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { computeHash } from "@/server/base/id";
import type { Session } from "../core/session-types";
import {
  promptAndWait,
  callAnswer,
  testCommandId,
  type TestHarness,
  makeTestHarness,
  storedRows,
  textAnswer,
} from "../testing/test-harness";
import { auditLog } from "../testing/test-audit";

/** Deterministic random numbers of one seed. */
function makeRandom(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const below = (count: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % count;
  };
  return { below, pick: <T>(list: readonly T[]): T => list[below(list.length)] ?? fail() };
}
const fail = (): never => {
  throw new Error("nothing to pick from");
};

type Tree = ReadonlyMap<string, string>;

/** Every file with its permission bits and its content. */
function readTree(root: string, folder = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) for (const [below, text] of readTree(root, path)) found.set(below, text);
    else {
      const place = join(root, path);
      found.set(path, `${(statSync(place).mode & 0o777).toString(8)} ${readFileSync(place, "utf8")}`);
    }
  }
  return found;
}

const paths = ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"] as const;

async function act(
  harness: TestHarness,
  session: Session,
  random: ReturnType<typeof makeRandom>,
  step: number,
): Promise<void> {
  const path = random.pick(paths);
  const exists = existsSync(join(harness.root, path));
  const word = `word${step}`;
  const quoted = `'${path}'`;
  const moves: readonly (readonly [string, Json])[] = [
    ["write", { path, content: `${word}\n` }],
    ["bash", { command: `mkdir -p '${dirname(path)}'; echo ${word} >> ${quoted}` }],
    ["bash", { command: `chmod ${random.pick(["600", "755", "644"])} ${quoted}; echo ${word} > other.txt` }],
    ["bash", { command: `find . -path './${path}' -delete; find . -type d -empty -delete` }],
    ...(exists ? ([["delete", { path }]] as const) : []),
    ...(existsSync(join(harness.root, "sub")) ? ([["delete", { path: "sub" }]] as const) : []),
  ];
  harness.script(callAnswer(random.pick(moves)), textAnswer("done"));
  await promptAndWait(session, word);
}

const undo = async (session: Session, seq: number) => {
  const done = await session.files.restore({ toSeq: seq, conversation: false }, testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
};

test("after random file changes by the model, a restore gives the files of its position, and undoing it those of before", async () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const random = makeRandom(seed);
    const harness = await makeTestHarness();
    mkdirSync(join(harness.root, "sub"));
    writeFileSync(join(harness.root, "a.txt"), "a\n");
    writeFileSync(join(harness.root, "sub/c.txt"), "c\n");
    chmodSync(join(harness.root, "sub/c.txt"), 0o755);
    const session = harness.session("full");
    const states: { readonly seq: number; readonly tree: Tree }[] = [{ seq: 0, tree: readTree(harness.root) }];
    for (let step = 1; step <= 8; step += 1) {
      if (step % 3 === 0) {
        const { seq, tree } = random.pick(states);
        const before = readTree(harness.root);
        const restored = await undo(session, seq);
        expect(restored.failed).toEqual([]);
        expect(readTree(harness.root), `seed ${seed}, to ${seq}`).toEqual(tree);
        if (random.below(2) === 0) {
          await undo(session, restored.seq - 1);
          expect(readTree(harness.root), `seed ${seed}, undone`).toEqual(before);
        }
      } else await act(harness, session, random, step);
      states.push({ seq: session.view.seq, tree: readTree(harness.root) });
    }
    for (const { seq, tree } of [...states].reverse()) {
      await undo(session, seq);
      expect(readTree(harness.root), `seed ${seed}, back to ${seq}`).toEqual(tree);
    }
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
  }
});

test("the user's changes are never overwritten without their hash, and are recoverable afterwards", async () => {
  for (let seed = 11; seed <= 14; seed += 1) {
    const random = makeRandom(seed);
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "a\n");
    const session = harness.session("full");
    for (let step = 1; step <= 4; step += 1) await act(harness, session, random, step);
    const path = random.pick(paths);
    mkdirSync(dirname(join(harness.root, path)), { recursive: true });
    if (random.below(4) === 0) rmSync(join(harness.root, path), { force: true });
    else writeFileSync(join(harness.root, path), `mine ${seed}\n`);
    const current = readTree(harness.root).get(path);
    await undo(session, 0);
    expect(readTree(harness.root).get(path), `seed ${seed}`).toBe(current);
    const plan = await session.files.plan(0);
    if (!plan.ok) throw new Error(plan.error.code);
    expect(plan.value.steps.every(({ conflict }) => conflict)).toBe(true);
    const overwrite = plan.value.steps.map(({ path: one, now }) => ({ path: one, hash: now }));
    const stale = overwrite.map(({ path: one }) => ({ path: one, hash: computeHash("something else") }));
    await session.files.restore({ toSeq: 0, conversation: false, overwrite: stale }, testCommandId());
    expect(readTree(harness.root).get(path)).toBe(current);
    const done = await session.files.restore({ toSeq: 0, conversation: false, overwrite }, testCommandId());
    if (!done.ok) throw new Error(done.error.code);
    if (overwrite.length > 0) await undo(session, done.value.seq - 1);
    expect(readTree(harness.root).get(path), `seed ${seed}, had again`).toBe(current);
  }
});
