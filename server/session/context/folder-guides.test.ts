/** Guides of folders: at the end of the first result below the folder, once, in trusted projects only. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { callAnswer, makeTestHarness, promptAndWait, testCommandId, textAnswer } from "../testing/test-harness";

async function makeGuided(
  files: Readonly<Record<string, string>>,
  options: { trusted?: boolean; numCtx?: number } = {},
) {
  const harness = await makeTestHarness({ numCtx: options.numCtx ?? 16_384 });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(harness.root, path)), { recursive: true });
    writeFileSync(join(harness.root, path), text);
  }
  const session = harness.session("full");
  if (options.trusted !== false) harness.store.projects.setTrust(session.view.projectId, 1);
  return { harness, session };
}

/** The guides in each result of the last request, by the first line of their text. */
function guidesInResults({ requests }: Awaited<ReturnType<typeof makeTestHarness>>): readonly (readonly string[])[] {
  return (requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ text }) => [...text.matchAll(/<context about="guide">\n(.*)\n/g)].map(([, heading = ""]) => heading));
}

const heading = (name: string): string => `Instructions for the folder ${dirname(name)}, from ${name}:`;

test("the guides around a path come with the first result below them, outer first, and once", async () => {
  const { harness, session } = await makeGuided({
    "AGENTS.md": "Root.",
    "src/AGENTS.md": "Use tabs.",
    "src/CLAUDE.md": "Not read beside AGENTS.md.",
    "src/api/CLAUDE.md": "No classes.",
    "src/api/a.ts": "export {};",
    "src/b.ts": "export {};",
    "docs/AGENTS.md": "Be brief.",
  });
  harness.script(
    callAnswer(["ls", {}]),
    callAnswer(["read", { path: "src/api/a.ts" }]),
    callAnswer(["read", { path: "src/b.ts" }], ["write", { path: "docs/x.md", content: "x\n" }]),
    callAnswer(["grep", { pattern: "export", path: "src/api" }], ["read", { path: "docs/none.md" }]),
    textAnswer("Done."),
  );
  await promptAndWait(session, "go");
  expect(guidesInResults(harness)).toEqual([
    [],
    [heading("src/AGENTS.md"), heading("src/api/CLAUDE.md")],
    [],
    [heading("docs/AGENTS.md")],
    [],
    [],
  ]);
  const text = JSON.stringify(harness.requests.at(-1)?.messages);
  expect(text).toContain("Use tabs.");
  expect(text).not.toContain("Not read beside");
  // Every request begins with the one before it.
  for (const [index, { messages }] of harness.requests.slice(1).entries()) {
    const before = harness.requests[index]?.messages ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
  }
});

test("a restart does not repeat a guide; a rewind that removed it lets the next result bring it", async () => {
  const { harness, session } = await makeGuided({ "src/AGENTS.md": "Use tabs.", "src/a.ts": "a", "src/b.ts": "b" });
  const readOf = (path: string) => callAnswer(["read", { path }]);
  harness.script(textAnswer("Hello."), readOf("src/a.ts"), textAnswer("Ok."));
  await promptAndWait(session, "hi");
  const border = session.view.seq;
  await promptAndWait(session, "read it");
  await harness.restart();
  const again = harness.reload(session);
  harness.script(readOf("src/b.ts"), textAnswer("Ok."));
  await promptAndWait(again, "and the other");
  expect(guidesInResults(harness)).toEqual([[heading("src/AGENTS.md")], []]);
  again.rewind(border, testCommandId());
  harness.script(readOf("src/b.ts"), textAnswer("Ok."));
  await promptAndWait(again, "read the other");
  expect(guidesInResults(harness)).toEqual([[heading("src/AGENTS.md")]]);
});

test("none without trust, of an ignored folder, or through a link that leads out; four at most", async () => {
  const files = Object.fromEntries(
    ["a", "b", "c", "d", "e"].flatMap((name) => [
      [`${name}/AGENTS.md`, `Of ${name}.`],
      [`${name}/x.ts`, "x"],
    ]),
  );
  const reads = ["a", "b", "c", "d", "e"].map((name) => callAnswer(["read", { path: `${name}/x.ts` }]));
  const untrusted = await makeGuided(files, { trusted: false });
  untrusted.harness.script(...reads, textAnswer("Ok."));
  await promptAndWait(untrusted.session, "go");
  expect(guidesInResults(untrusted.harness)).toEqual([[], [], [], [], []]);
  const ignored = await makeGuided({ ...files, ".gitignore": "a/\n" });
  ignored.harness.script(...reads, textAnswer("Ok."));
  await promptAndWait(ignored.session, "go");
  expect(guidesInResults(ignored.harness).map((guides) => guides.length)).toEqual([0, 1, 1, 1, 1]);
  const { harness, session } = await makeGuided(files);
  harness.script(...reads, textAnswer("Ok."));
  await promptAndWait(session, "go");
  expect(guidesInResults(harness).map((guides) => guides.length)).toEqual([1, 1, 1, 1, 0]);
});

test.each([4_096, 16_384])(
  "a long guide takes at most 1/32 of a window of %i and says where it is cut",
  async (numCtx) => {
    const long = Array.from({ length: 2_000 }, (_, index) => `Rule ${index}: be careful.`).join("\n");
    const { harness, session } = await makeGuided({ "src/AGENTS.md": long, "src/a.ts": "a" }, { numCtx });
    harness.script(callAnswer(["read", { path: "src/a.ts" }]), textAnswer("Ok."));
    await promptAndWait(session, "go");
    const [, guide = ""] =
      /<context about="guide">\n([^]*?)\n<\/context>/.exec(harness.requests.at(-1)?.messages.at(-1)?.text ?? "") ?? [];
    expect(guide).toMatch(/\[src\/AGENTS\.md is cut here, after line \d+ of 2000: read it for the rest\]$/);
    expect(estimateTokens(guide.slice(guide.indexOf("\n") + 1))).toBeLessThanOrEqual(numCtx / 32);
  },
);
