/** Tests of references to changes and to other sessions: what the model gets, and what is refused. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import type { Reference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  testCommandId,
  type TestHarness,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

const tab = { id: asId<ClientId>("tab") };
const changes: Reference = { kind: "changes", label: "Current changes" };
const sessionReference = ({ id }: Session, more = {}): Reference => ({
  kind: "session",
  sessionId: id,
  label: "Parser",
  ...more,
});

const answered = (answer: string) => makeTestHarness({ answer: () => textAnswer(answer) });

async function send(harness: TestHarness, session: Session, reference: Reference) {
  const message = { text: "go on", intent: "prompt", references: [reference] } as const;
  const answer = await harness.sessions().send({ sessionId: session.id, commandId: testCommandId(), ...message }, tab);
  if (!answer.ok) return answer.error;
  await waitForView(session, (view) => view.run === null);
  return harness.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.text ?? "";
}

function makeRepository({ root, store }: TestHarness, session: Session): void {
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root, stdio: "ignore" });
  git("init", "-q");
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  writeFileSync(join(root, ".env"), "KEY=old\n");
  git("add", "--all", "--force");
  git("commit", "-qm", "first");
  store.projects.setTrust(session.view.projectId, 1);
}

test("the model gets the uncommitted changes without the files it may not read", async () => {
  const harness = await answered("Reviewed.");
  const session = harness.session();
  makeRepository(harness, session);
  expect(await send(harness, session, changes)).toMatchObject({
    code: "no_changes",
    facts: { reference: "Current changes" },
  });
  writeFileSync(join(harness.root, "a.txt"), "one\n2\n");
  writeFileSync(join(harness.root, "new.txt"), "fresh\n");
  writeFileSync(join(harness.root, ".env"), "KEY=swordfish\n");
  const prompt = await send(harness, session, changes);
  expect(prompt).toContain(
    '<attached text="Current changes">\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+fresh\n\n1 more changed file is not shown.\n</attached>',
  );
  expect(prompt).not.toContain("swordfish");
});

test("of changes longer than an added text the first files are shown, and the others counted", async () => {
  const harness = await answered("Reviewed.");
  const session = harness.session();
  makeRepository(harness, session);
  writeFileSync(join(harness.root, "a.txt"), `${"x".repeat(limits.promptMaxChars)}\n`);
  for (const name of ["b", "c", "d"])
    writeFileSync(join(harness.root, name), `${"x".repeat(limits.promptMaxChars * 0.4)}\n`);
  const linesOf = (first: number, last: number) => send(harness, session, { ...changes, lines: { first, last } });
  expect(await linesOf(1, 7)).toContain(
    "--- a/a.txt\n+++ b/a.txt\n(too large to show)\n\n--- /dev/null\n+++ b/b\n@@ -0,0 +1,1 @@",
  );
  expect(await linesOf(9, 12)).toContain("\n--- /dev/null\n+++ b/c\n@@ -0,0 +1,1 @@");
  expect(await linesOf(14, 99)).toContain("\n1 more changed file is not shown.");
});

test("without git the model gets what the session changed", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("edits");
  harness.script(
    callAnswer(["write", { path: "made.txt", content: "made\n" }]),
    textAnswer("Made."),
    textAnswer("Ok."),
  );
  await promptAndWait(session, "make it");
  expect(await send(harness, session, changes)).toContain("--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1,1 @@\n+made");
});

test("of another session the model gets title, last request and last answer", async () => {
  const harness = await answered("It ends at the bracket.");
  const other = harness.session();
  await promptAndWait(other, "Where does the parser stop?");
  harness.sessions().update({ sessionId: other.id, commandId: testCommandId(), title: "Parser" }, tab);
  const session = harness.session();
  const whole = await send(harness, session, sessionReference(other));
  expect(whole).toContain(
    '<attached text="Parser">\n# Parser\n\n## Last request\n\nWhere does the parser stop?\n\n## Last answer\n\nIt ends at the bracket.\n</attached>',
  );
  const part = await send(harness, session, sessionReference(other, { lines: { first: 1, last: 3 } }));
  expect(part).toContain('<attached text="Parser" lines="1-3">\n# Parser\n\n## Last request\n</attached>');
  expect(await send(harness, session, sessionReference(other, { lines: { first: 99, last: 99 } }))).toMatchObject({
    code: "bad_input",
  });
});

test("a session that does not exist is refused", async () => {
  const harness = await answered("Ok.");
  const session = harness.session();
  const reference: Reference = { kind: "session", sessionId: asId<SessionId>("none"), label: "Gone" };
  expect(await send(harness, session, reference)).toMatchObject({ code: "not_found", facts: { reference: "Gone" } });
});

test("changes that are too large are measured with the lines that fit", async () => {
  const harness = await makeTestHarness({ numCtx: 8_192 });
  const session = harness.session();
  makeRepository(harness, session);
  writeFileSync(join(harness.root, "a.txt"), `${"word ".repeat(20)}\n`.repeat(200));
  const input = { projectId: session.view.projectId, sessionId: session.id, references: [changes] };
  const answer = await harness.sessions().measureReferences(input, tab);
  const size = answer.ok ? answer.value.sizes[0] : undefined;
  expect(size).toMatchObject({ ok: true, fitting: { first: 1 } });
  const lines = size?.ok === true ? size.fitting : undefined;
  const part = await harness
    .sessions()
    .measureReferences({ ...input, references: [{ ...changes, lines: lines ?? undefined }] }, tab);
  expect(part.ok && part.value.sizes[0]).not.toHaveProperty("fitting");
});

test("the model gets git's patch of staged changes, of others, or of a commit, without files it may not read", async () => {
  const harness = await answered("Reviewed.");
  const session = harness.session();
  makeRepository(harness, session);
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b", ...words], {
      cwd: harness.root,
      encoding: "utf8",
    });
  const patch = (part: string) => send(harness, session, { kind: "changes", label: "git", git: part });
  expect(await patch("staged")).toMatchObject({ code: "no_changes" });
  writeFileSync(join(harness.root, "a.txt"), "one\n2\n");
  writeFileSync(join(harness.root, ".env"), "KEY=swordfish\n");
  git("add", "--all", "--force");
  writeFileSync(join(harness.root, "a.txt"), "one\n2\nthree\n");
  const staged = await patch("staged");
  expect(staged).toContain(
    "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n\n1 more changed file is not shown.",
  );
  expect(staged).not.toContain("swordfish");
  const changed = await patch("changed");
  expect(changed).toContain("@@ -1,2 +1,3 @@\n one\n 2\n+three");
  expect(changed).not.toContain("more changed");
  git("commit", "-qm", "Use digits\n\nBecause.");
  const id = git("rev-parse", "HEAD").trim();
  const commit = await patch(id);
  expect(commit).toContain(`commit ${id}\nAuthor: Ann\n`);
  expect(commit).toMatch(
    /Use digits\n\nBecause\.\n\ndiff --git a\/a\.txt b\/a\.txt\n[^]*\n-two\n\+2\n\n1 more changed file/,
  );
  expect(commit).not.toContain("swordfish");
  expect(await patch("1".repeat(40))).toMatchObject({ code: "not_found" });
  writeFileSync(join(harness.root, "a.txt"), `${"x".repeat(limits.promptMaxChars)}\n`);
  expect(await patch("changed")).toContain("diff --git a/a.txt b/a.txt\n(too large to show)");
  harness.store.projects.setTrust(session.view.projectId, null);
  expect(await patch("staged")).toMatchObject({ code: "untrusted" });
});
