/** The review of the changes of subagents, in the session that started them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeGate, callAnswer, testCommandId, textAnswer } from "@/server/session/testing/test-harness";
import type { Session } from "@/server/session/core/session-types";
import { makeTestSubagents, spawnAnswer } from "./test-subagents";

const edit = (old: string, now: string) => ["bash", { command: `sed -i s/${old}/${now}/ a.txt` }] as const;

async function makeParent() {
  const made = await makeTestSubagents();
  const file = join(made.harness.root, "a.txt");
  writeFileSync(file, "a\nb\nc\n");
  return { ...made, file, parent: made.session("full"), read: () => readFileSync(file, "utf8") };
}

async function stateOf(session: Session) {
  const state = await session.review.state();
  if (!state.ok) throw new Error(state.error.code);
  return state.value;
}

async function reject(session: Session) {
  const decisions = (await stateOf(session)).files.map(({ path, hash }) => ({
    path,
    hash,
    verdict: "reject" as const,
  }));
  const done = await session.review.decide(decisions, testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

test("edits of a subagent in the same lines are one hunk, which is taken out at once", async () => {
  const { harness, parent, begin, ended, read } = await makeParent();
  harness.script(
    spawnAnswer({ task: "edit", look: false }),
    callAnswer(edit("b", "first")),
    callAnswer(edit("first", "second")),
    textAnswer("ok"),
    textAnswer("ok"),
  );
  await begin(parent, "go");
  await ended(parent);
  expect(read()).toBe("a\nsecond\nc\n");
  const { files } = await stateOf(parent);
  expect(files).toMatchObject([{ path: "a.txt", added: 1, removed: 1, hunks: [{}] }]);
  expect(files[0]?.hunks[0]?.collides).toBeUndefined();
  expect(await reject(parent)).toMatchObject({ failed: [] });
  expect(read()).toBe("a\nb\nc\n");
});

test("while a subagent works, a rejection waits for the end of the turn", async () => {
  const { harness, parent, begin, ended, read } = await makeParent();
  const gate = makeGate();
  harness.script(
    spawnAnswer({ task: "edit", look: false }),
    callAnswer(edit("b", "first")),
    [gate, ...textAnswer("ok")],
    textAnswer("ok"),
  );
  await begin(parent, "go");
  await gate.reached;
  expect(await reject(parent)).toMatchObject({ waits: true, failed: [] });
  expect(read()).toBe("a\nfirst\nc\n");
  gate.open();
  await ended(parent);
  expect(await stateOf(parent)).toMatchObject({ files: [], waiting: 0, decided: 1 });
  expect(read()).toBe("a\nb\nc\n");
});
