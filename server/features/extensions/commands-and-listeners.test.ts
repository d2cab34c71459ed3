/** Slash commands and listeners of extensions: real scripts; only the model is a script. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type BlobId } from "@/lib/events/id";
import { eventually } from "@/lib/testing/test-waits";
import { killProcess } from "@/lib/testing/test-process";
import { callAnswer, failureAnswer, promptAndWait, textAnswer } from "@/server/session/testing/test-harness";
import { toListenedEvent } from "./event-payload";
import { expandPrompt } from "./slash-commands";
import {
  bashScript,
  type ExtensionsRig,
  makeExtensionsRig,
  nodeScript,
  pythonScript,
  valueOf,
  writeExtension,
} from "./test-extensions";

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test.each([
  ["Fix $1 in $2: $ARGUMENTS", 'a "b c"', 'Fix a in b c: a "b c"'],
  ["Fix $1", "", "Fix "],
  ["Fix it", " the login ", "Fix it\n\nthe login"],
  ["Fix it", "", "Fix it"],
  ["$ARGUMENTS", "$1 $ARGUMENTS", "$1 $ARGUMENTS"],
  ["cost: $20", "", "cost: 0"],
])("%j with %j is %j", (prompt, text, expected) => expect(expandPrompt(prompt, text)).toBe(expected));

const expand = async (rig: ExtensionsRig, name: string, text = "") =>
  rig.commands["extensions.expand"]({ projectId: rig.projectId, name, arguments: text });
const listed = async (rig: ExtensionsRig) =>
  valueOf(await rig.commands["extensions.commands"]({ projectId: rig.projectId })).commands.map(({ name }) => name);

describe("a slash command", () => {
  test.each([
    ["bash", "run.sh", bashScript(`read -r line; echo "$line" | sed 's/.*"arguments":"\\([^"]*\\)".*/got \\1/'`)],
    ["node", "run.mjs", nodeScript("console.log('got ' + call.arguments);")],
    ["python", "run.py", pythonScript("print('got', call['arguments'])")],
  ])("by a script in %s returns what it writes", async (_kind, file, text) => {
    const rig = await makeExtensionsRig();
    writeExtension(rig.place, "notes", { "extension.yaml": `commands: [{name: notes, run: ${file}}]`, [file]: text });
    expect(await listed(rig)).toEqual([]);
    expect(await expand(rig, "notes")).toMatchObject({ error: { code: "not_found" } });
    await rig.enable("notes");
    expect(await listed(rig)).toEqual(["notes"]);
    expect(valueOf(await expand(rig, "notes", "v1 to v2")).text).toBe("got v1 to v2");
  });

  test("by a script that fails says why, and one that runs is stopped", async () => {
    const rig = await makeExtensionsRig();
    const mark = join(rig.harness.userHome, "runs");
    writeExtension(rig.place, "notes", {
      "extension.yaml": "commands: [{name: bad, run: bad.sh}, {name: slow, run: slow.sh}]",
      "bad.sh": bashScript("echo 'no tag' >&2; exit 1"),
      "slow.sh": bashScript(`touch '${mark}'; sleep 100`),
    });
    await rig.enable("notes");
    expect(await expand(rig, "bad")).toMatchObject({
      error: { code: "tool_failed", detail: expect.stringContaining("no tag") },
    });
    const preparing = expand(rig, "slow");
    await rig.commands["extensions.stop"]({ projectId: rig.projectId });
    expect(await preparing).toMatchObject({ error: { code: "aborted" } });
    expect(existsSync(mark)).toBe(false);
    const running = expand(rig, "slow");
    await eventually(() => expect(existsSync(mark)).toBe(true));
    await rig.commands["extensions.stop"]({ projectId: rig.projectId });
    expect(await running).toMatchObject({ error: { code: "aborted" } });
  });

  test("is also a Markdown file: of the home, and of other agents' folders in a trusted project", async () => {
    const rig = await makeExtensionsRig();
    const { home, root, userHome, store } = rig.harness;
    write(join(home, "commands/review.md"), "---\ndescription: Reviews a file\n---\nReview $1.\n");
    write(join(root, ".claude/commands/git/push.md"), "Push it.");
    write(join(root, ".opencode/command/fix.md"), "Fix $ARGUMENTS.");
    write(join(root, ".opencode/commands/review.md"), "Another review.");
    write(join(userHome, "outside.md"), "secret");
    symlinkSync(join(userHome, "outside.md"), join(root, ".claude/commands/outside.md"));
    expect(await listed(rig)).toEqual(["review"]);
    store.projects.setTrust(rig.projectId, 1);
    expect(await listed(rig)).toEqual(["review", "git:push", "fix"]);
    expect(valueOf(await expand(rig, "review", "a.ts")).text).toBe("Review a.ts.");
    expect(valueOf(await expand(rig, "fix", "the bug")).text).toBe("Fix the bug.");
  });

  test("with frontmatter that has an alias is described by its text, and hides no other command", async () => {
    const rig = await makeExtensionsRig();
    write(join(rig.harness.home, "commands/types.md"), "---\nglobs: *.ts\n---\nCheck the types.");
    write(join(rig.harness.home, "commands/review.md"), "Review $1.");
    const { commands } = valueOf(await rig.commands["extensions.commands"]({ projectId: rig.projectId }));
    expect(commands).toMatchObject([
      { name: "review", description: "Review $1" },
      { name: "types", description: "Check the types" },
    ]);
  });
});

const recorder = (path: string): string =>
  nodeScript(
    `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(path)}, JSON.stringify(call) + "\\n");`,
  );
const keeper = (path: string): string =>
  `#!/usr/bin/env python3\nimport sys, os\nfor line in sys.stdin:\n    with open(${JSON.stringify(path)}, "a") as file: file.write(str(os.getpid()) + " " + line)\n`;
const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];

describe("a listener", () => {
  test("gets the events of a run, after the fact and without secrets", async () => {
    const rig = await makeExtensionsRig({ environment: { MY_API_KEY: "key-abcdefgh-123" } });
    const path = join(rig.harness.userHome, "events");
    writeExtension(rig.place, "log", {
      "extension.yaml": "on: [{event: [run_start, tool_end, file_change, run_end], run: run.mjs}]",
      "run.mjs": recorder(path),
    });
    await rig.enable("log");
    rig.harness.script(callAnswer(["write", { path: "a.txt", content: "key-abcdefgh-123" }]), textAnswer("Done."));
    await promptAndWait(rig.session, "go");
    await eventually(() => expect(linesOf(path).length).toBe(4));
    const events: readonly unknown[] = linesOf(path).map((line): unknown => JSON.parse(line));
    expect(events).toMatchObject([
      { event: "run_start", hook_event_name: "RunStart", session_id: rig.session.id, cwd: rig.harness.root },
      { event: "file_change", path: "a.txt" },
      { event: "tool_end", tool_name: "write", outcome: "ok", hook_event_name: "PostToolUse" },
      { event: "run_end", reason: "done" },
    ]);
    expect(readFileSync(path, "utf8")).not.toContain("key-abcdefgh-123");
    expect(rig.bugs).toEqual([]);
  });

  test("gets messages, answers, retries and starts of calls", async () => {
    const rig = await makeExtensionsRig();
    const path = join(rig.harness.userHome, "events");
    writeExtension(rig.place, "log", {
      "extension.yaml": "on: [{event: [user_message, answer, retry, tool_start], run: run.mjs}]",
      "run.mjs": recorder(path),
    });
    await rig.enable("log");
    rig.harness.script(
      failureAnswer("server_unreachable", true),
      callAnswer(["ls", { path: "." }]),
      textAnswer("Two files."),
    );
    await promptAndWait(rig.session, "look around");
    await eventually(() => expect(linesOf(path).length).toBe(6));
    expect(linesOf(path).map((line): unknown => JSON.parse(line))).toMatchObject([
      { event: "user_message", prompt: "look around", origin: "web", hook_event_name: "UserPromptSubmit" },
      { event: "answer", text: "", stop: "error" },
      { event: "retry", attempt: 1, code: "server_unreachable" },
      { event: "answer", text: "", stop: "done" },
      { event: "tool_start", tool_name: "ls", tool_input: { path: "." } },
      { event: "answer", text: "Two files." },
    ]);
  });

  test("gets that the model changed and that the conversation was shortened", async () => {
    const { session } = await makeExtensionsRig();
    const model = { type: "model_change", provider: "ollama", model: "m:8b", toolMode: "native", numCtx: 1 } as const;
    const changed = { ...model, think: false, profile: "default", prompt: asId<BlobId>("b") } as const;
    expect(toListenedEvent(changed, session.view)).toMatchObject({ name: "model_change", subject: "m:8b" });
    const compacted = { type: "compaction_end", head: [], summary: "", keepFromSeq: 1, tokensAfter: 7 } as const;
    expect(toListenedEvent(compacted, session.view)).toMatchObject({ name: "compaction", facts: { tokens_after: 7 } });
  });

  test("gets only what matches", async () => {
    const rig = await makeExtensionsRig();
    const path = join(rig.harness.userHome, "events");
    writeExtension(rig.place, "log", {
      "extension.yaml": 'on: [{event: tool_end, match: "w*", run: run.mjs}, {event: run_end, run: run.mjs}]',
      "run.mjs": recorder(path),
    });
    await rig.enable("log");
    rig.harness.script(callAnswer(["ls", {}], ["write", { path: "a.txt", content: "x" }]), textAnswer("Done."));
    await promptAndWait(rig.session, "go");
    await eventually(() => expect(linesOf(path).length).toBe(2));
    expect(linesOf(path).join("\n")).not.toContain('"ls"');
  });

  test("that is kept is one process, started again after its end, and ended when it is disabled", async () => {
    const rig = await makeExtensionsRig();
    const path = join(rig.harness.userHome, "events");
    const extension = join(rig.place, "log");
    writeExtension(rig.place, "log", {
      "extension.yaml": "on: [{event: run_end, run: run.py, keep: true}]",
      "run.py": keeper(path),
    });
    await rig.enable("log");
    const pids = () => linesOf(path).map((line) => line.split(" ")[0] ?? "");
    const run = async (count: number): Promise<void> => {
      rig.harness.script(textAnswer("Done."));
      await promptAndWait(rig.session, "go");
      await eventually(() => expect(linesOf(path).length).toBeGreaterThanOrEqual(count));
    };
    await run(1);
    await run(2);
    expect(new Set(pids()).size).toBe(1);
    killProcess(Number(pids()[0]));
    await eventually(async () => expect(await rig.log("log")).toContain("run.py ended"));
    await run(3);
    expect(new Set(pids()).size).toBe(2);
    const last = Number(pids().at(-1));
    valueOf(await rig.commands["extensions.disable"]({ projectId: rig.projectId, extension }));
    await eventually(() => expect(() => process.kill(last, 0)).toThrow());
    expect(await rig.commands["extensions.log"]({ projectId: rig.projectId, extension })).toMatchObject({
      value: { text: expect.stringContaining("was started") },
    });
  });

  test("ends with the program", async () => {
    const rig = await makeExtensionsRig();
    const path = join(rig.harness.userHome, "events");
    writeExtension(rig.place, "log", {
      "extension.yaml": "on: [{event: run_end, run: run.py, keep: true}]",
      "run.py": keeper(path),
    });
    await rig.enable("log");
    rig.harness.script(textAnswer("Done."));
    await promptAndWait(rig.session, "go");
    await eventually(() => expect(linesOf(path).length).toBe(1));
    const pid = Number(linesOf(path)[0]?.split(" ")[0]);
    await rig.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
