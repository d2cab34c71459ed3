import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { asId, type ClientId } from "@/lib/events/id";
import type { CommandInput } from "@/lib/protocol/command";
import {
  failureAnswer,
  makeGate,
  makeTestHarness,
  promptAndWait,
  type TestHarnessOptions,
  textAnswer,
  truncatedAnswer,
} from "@/server/session/testing/test-harness";
import type { CommandClient } from "@/server/handlers/handlers";
import { sourceControlFeature } from "../source-control-feature";

const client: CommandClient = { id: asId<ClientId>("tab"), access: "owner", join: () => {}, leave: () => {} };

/** A repository with one commit, and a model with a script. */
async function makeMessages(options: TestHarnessOptions = {}) {
  const harness = await makeTestHarness(options);
  const { root, userHome, store } = harness;
  const core = harness.services();
  const session = harness.session();
  const { projectId } = session.view;
  store.projects.setTrust(projectId, 1);
  const environment: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: userHome, NODE_ENV: "test" };
  const stopped = new AbortController();
  const { commands, start } = sourceControlFeature({ ...core, environment, settings: () => harness.settings.current });
  void start(stopped.signal);
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: root,
      env: environment,
      encoding: "utf8",
    });
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  git("init", "-q", "-b", "main");
  put("a.txt", "one\n");
  git("add", "-A");
  git("commit", "-qm", "feat(parser): 第一");
  return {
    ...harness,
    session,
    commands,
    git,
    put,
    stopped,
    untrust: () => store.projects.setTrust(projectId, null),
    write: (input: Partial<CommandInput<"source.write_message">> = {}) =>
      commands["source.write_message"]({ projectId, scope: "staged", ...input }, client),
    stop: () => commands["source.stop_message"]({ projectId }),
    /** The instruction of the newest request. */
    ask: () => harness.requests.at(-1)?.messages.at(-1)?.text ?? "",
  };
}

describe("the message of a commit by the model", () => {
  test("is for the staged changes alone, in the form of the last messages", async () => {
    const { put, git, script, write, ask, requests } = await makeMessages({ cacheUse: () => "unknown" });
    put("a.txt", "one\ntwo\n");
    git("add", "a.txt");
    put("a.txt", "not staged\n");
    put("b.txt", "untracked\n");
    script(textAnswer("```\nfeat(parser): 第二\n```"));
    expect(await write()).toEqual({ ok: true, value: { message: "feat(parser): 第二" } });
    expect(ask()).toContain("  feat(parser): 第一\n");
    expect(ask()).toContain("a.txt +1 -0\n\ndiff --git a/a.txt b/a.txt");
    expect(ask()).toContain("\n+two");
    expect(ask()).not.toMatch(/not staged|b\.txt/);
    expect(requests).toEqual([
      expect.objectContaining({ tools: [], think: false, numCtx: 16_384, maxOutputTokens: 400, model: "scripted" }),
    ]);
  });

  test("is for the amended commit, also the first one", async () => {
    const { put, git, script, write, ask } = await makeMessages({ cacheUse: () => "unknown" });
    put("b.txt", "b\n");
    git("add", "b.txt");
    script(textAnswer("feat: all"), textAnswer("feat: b"));
    expect(await write({ scope: "amended" })).toMatchObject({ value: { message: "feat: all" } });
    expect(ask()).toContain("a.txt +1 -0\nb.txt +1 -0\n");
    git("commit", "-qm", "second");
    await write({ scope: "amended" });
    expect(ask()).toContain("\nb.txt +1 -0\n\ndiff");
    expect(ask()).not.toContain("a.txt");
  });

  test("is for all changes or some paths, staged or not, untracked and removed ones, with odd names", async () => {
    const { put, git, script, write, ask, root } = await makeMessages({ cacheUse: () => "unknown" });
    const odd = 'q"uote :(top)*\n名.txt';
    put("gone.txt", "gone\n");
    git("add", "-A");
    git("commit", "-qm", "second");
    put("a.txt", "one\r\nstaged\r\n");
    git("add", "a.txt");
    git("rm", "-q", "--cached", "gone.txt");
    execFileSync("rm", [join(root, "gone.txt")]);
    put(odd, "odd\nlines\n");
    put("folder/deep.bin", new Uint8Array([0, 1, 2]));
    script(textAnswer("All"), textAnswer("Some"));
    await write({ scope: "all" });
    expect(ask()).toContain(
      'a.txt +2 -1\nfolder/deep.bin (not text)\ngone.txt +0 -1\nq\\"uote :(top)*\\n名.txt +2 -0\n\ndiff',
    );
    expect(ask()).toContain("\n+odd\n+lines");
    await write({ scope: "all", paths: [odd, "gone.txt"] });
    expect(ask()).toContain("\ngone.txt +0 -1\nq");
    expect(ask()).not.toMatch(/a\.txt \+|deep\.bin/);
  });

  test("is written before the first commit", async () => {
    const { git, script, write, ask } = await makeMessages({ cacheUse: () => "unknown" });
    git("update-ref", "-d", "HEAD");
    script(textAnswer("Add a"), textAnswer("Add a"));
    for (const scope of ["staged", "all"] as const) {
      expect(await write({ scope })).toMatchObject({ value: { message: "Add a" } });
      expect(ask()).toContain("a.txt +1 -0\n\ndiff");
      expect(ask()).toContain("in the imperative");
    }
  });

  test("does not show the model what it may not read", async () => {
    const { put, git, script, write, ask, requests } = await makeMessages({ cacheUse: () => "unknown" });
    put(".env", "TOKEN=secret-value\n");
    git("add", "-A");
    expect(await write()).toMatchObject({ error: { code: "protected" } });
    put("b.txt", "b\n");
    git("add", "-A");
    script(textAnswer("Add b"));
    await write();
    expect(ask()).toContain("b.txt +1 -0\n… and 1 file more");
    expect(JSON.stringify(requests)).not.toMatch(/secret-value|\.env/);
  });

  test("continues the session that the server holds, and leaves no trace in it", async () => {
    const { session, script, put, git, write, requests, ask } = await makeMessages();
    script(textAnswer("Done."), textAnswer("feat: second"), textAnswer("Yes."));
    await promptAndWait(session, "Change a.");
    const { seq } = session.view;
    put("a.txt", "two\n");
    git("add", "-A");
    expect(await write()).toMatchObject({ value: { message: "feat: second" } });
    expect(session.view.seq).toBe(seq);
    const [run, written] = requests;
    expect(written?.messages.slice(0, -2)).toEqual(run?.messages);
    expect(written).toMatchObject({ tools: run?.tools, think: run?.think, maxOutputTokens: 400 });
    expect(ask()).toContain("+two");
    await promptAndWait(session, "Is it done?");
    expect(requests[2]?.messages.slice(0, -1)).toEqual(written?.messages.slice(0, -1));
  });

  test("takes at most a quarter of the window", async () => {
    const { session, script, put, git, write, ask, requests } = await makeMessages({ numCtx: 4_096 });
    put("long.txt", "a line of the file\n".repeat(5_000));
    git("add", "-A");
    script(textAnswer("Done."), textAnswer("Add lines"));
    await promptAndWait(session, "Change a.");
    expect(await write()).toMatchObject({ value: { message: "Add lines" } });
    expect(requests[1]?.messages).toHaveLength((requests[0]?.messages.length ?? 0) + 2);
    expect(estimateTokens(ask())).toBeLessThanOrEqual(1_024);
    expect(ask()).toContain("+a line of the file\n(");
  });

  test("a conversation that the server would lose is replaced only after a yes", async () => {
    const { session, script, put, git, write, requests } = await makeMessages({ cacheUse: () => "replaces" });
    script(textAnswer("Done."), textAnswer("feat: second"));
    await promptAndWait(session, "Change a.");
    put("a.txt", "two\n");
    git("add", "-A");
    expect(await write()).toEqual({ ok: true, value: { message: null } });
    expect(requests).toHaveLength(1);
    expect(await write({ mayReplace: true })).toMatchObject({
      value: { message: "feat: second" },
    });
    expect(requests[1]?.messages).toHaveLength(1);
  });

  test.each<[what: string, answer: Parameters<typeof promptAndWait>[1], code: string]>([
    ["nothing", " \n", "empty_answer"],
    ["only thinking", "<think>Hm.</think>", "empty_answer"],
    ["a call", '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>', "empty_answer"],
    ["JSON without a message", '{"ok": true}', "empty_answer"],
  ])("an answer with %s is reported", async (_what, answer, code) => {
    const { script, put, git, write } = await makeMessages({ cacheUse: () => "unknown" });
    put("a.txt", "two\n");
    git("add", "-A");
    script(textAnswer(answer));
    expect(await write()).toMatchObject({ error: { code } });
  });

  test("a cut answer is used, a failure is reported", async () => {
    const { script, put, git, write } = await makeMessages({ cacheUse: () => "unknown" });
    put("a.txt", "two\n");
    git("add", "-A");
    script(truncatedAnswer("Change a\n\nIt was"), failureAnswer("server_unreachable", true));
    expect(await write()).toMatchObject({ value: { message: "Change a\n\nIt was" } });
    expect(await write()).toMatchObject({ error: { code: "server_unreachable" } });
  });

  test("nothing is requested without changes or trust, or while the server works", async () => {
    let use: "busy" | "unknown" = "unknown";
    const { write, untrust, put, git, requests } = await makeMessages({ cacheUse: () => use });
    expect(await write()).toMatchObject({ error: { code: "no_changes" } });
    put("a.txt", "two\n");
    git("add", "-A");
    use = "busy";
    expect(await write()).toMatchObject({ error: { code: "busy" } });
    untrust();
    expect(await write()).toMatchObject({ error: { code: "untrusted" } });
    expect(await write({ paths: ["../a"], scope: "all" })).toMatchObject({ error: { code: "outside" } });
    expect(requests).toEqual([]);
  });

  test("nothing is requested while the newest session works", async () => {
    const { write, put, git, script, session, requests } = await makeMessages();
    put("a.txt", "two\n");
    git("add", "-A");
    const gate = makeGate();
    script([gate, ...textAnswer("Done.")], textAnswer("Change a"));
    const run = promptAndWait(session, "Change a.");
    await gate.reached;
    expect(await write()).toMatchObject({ error: { code: "busy" } });
    gate.open();
    await run;
    expect(await write()).toMatchObject({ value: { message: "Change a" } });
    expect(requests).toHaveLength(2);
  });

  test("Stop ends it; another one waits for none", async () => {
    const { write, put, git, script, stop, stopped } = await makeMessages({ cacheUse: () => "unknown" });
    put("a.txt", "two\n");
    git("add", "-A");
    const gate = makeGate();
    script([gate, ...textAnswer("Change a")], textAnswer("Change a again"));
    const first = write();
    await gate.reached;
    expect(await write()).toMatchObject({ error: { code: "busy" } });
    stop();
    expect(await first).toMatchObject({ error: { code: "aborted" } });
    expect(await write()).toMatchObject({ value: { message: "Change a again" } });
    stopped.abort();
    expect(await write()).toMatchObject({ error: { code: "aborted" } });
  });
});
