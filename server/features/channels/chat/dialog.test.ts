import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pathEntries } from "@/lib/view/view";
import { callAnswer, makeGate, testCommandId, textAnswer, waitForView } from "@/server/session/testing/test-harness";
import { inboxFolder, safeFileName } from "./received-files";
import { ada, bob, makeTestChannels, type TestChannels } from "../test-channels";

async function connected(options?: Parameters<typeof makeTestChannels>[0]): Promise<TestChannels> {
  const channels = await makeTestChannels(options);
  await channels.connect();
  await channels.pair(ada, "talk");
  return channels;
}

describe("a message", () => {
  test("starts a session in the personal workspace, with the person's name, and the answer comes as a message", async () => {
    const channels = await connected();
    channels.harness.script(textAnswer("Hello from the model."));
    await channels.write(ada, "good morning");
    const answer = await channels.gets(ada, "Hello from the model.");
    expect(answer.text).toContain("5 tokens");
    const { view } = await channels.session(ada);
    expect(view.cwd).toBe(join(channels.harness.home, "workspace"));
    expect(view.mode).toBe("ask");
    expect(pathEntries(view)).toContainEqual(
      expect.objectContaining({ role: "user", origin: { kind: "channel", name: "Ada" } }),
    );
  });

  test("continues the same session, and steers a run", async () => {
    const channels = await connected();
    const gate = makeGate();
    channels.harness.script([{ type: "text", text: "One." }, gate, ...textAnswer("")], textAnswer("Steered."));
    await channels.write(ada, "first");
    await gate.reached;
    await channels.write(ada, "second");
    const session = await channels.session(ada);
    await waitForView(session, ({ queue }) =>
      queue.some(({ intent, text }) => intent === "steer" && text === "second"),
    );
    gate.open();
    const answer = await channels.gets(ada, "Steered.");
    expect(answer.text).toContain("One.");
    expect((await channels.session(ada)).id).toBe(session.id);
  });

  test("that a full queue of the session does not take waits, and is done later; commands do not wait", async () => {
    const channels = await connected();
    const gate = makeGate();
    channels.harness.script([gate, ...textAnswer("First.")], textAnswer("All read."), textAnswer("Rest read."));
    await channels.write(ada, "first");
    await gate.reached;
    for (let at = 0; at < 53; at += 1) await channels.write(ada, `more ${at}`);
    await channels.write(ada, "/help");
    await channels.gets(ada, "/sessions");
    expect((await channels.view()).people[0]?.waitingMessages).toBe(3);
    gate.open();
    await channels.gets(ada, "All read.");
    const session = await channels.session(ada);
    await waitForView(
      session,
      ({ run, queue, entries }) => run === null && queue.length === 0 && JSON.stringify(entries).includes("more 52"),
    );
    expect((await channels.view()).people[0]?.waitingMessages).toBe(0);
  });

  test("that is delivered twice is done once", async () => {
    const channels = await connected();
    channels.harness.script(textAnswer("Once."));
    const update = channels.messenger.message(ada, "go");
    await Promise.all([channels.messenger.deliver(update), channels.messenger.deliver(update)]);
    await channels.gets(ada, "Once.");
    await channels.messenger.deliver(update);
    await channels.write(ada, "/mode");
    await channels.gets(ada, "Mode: ask");
    expect(channels.harness.requests).toHaveLength(1);
  });

  test("is shown while it is answered; the end clears that", async () => {
    const channels = await connected();
    const gate = makeGate();
    channels.harness.script([{ type: "text", text: "Half of it and " }, gate, ...textAnswer("the rest.")]);
    await channels.write(ada, "go");
    await gate.reached;
    await channels.messenger.when(() =>
      channels.messenger.shown.some(({ text }) => text?.includes("Half of it") === true),
    );
    gate.open();
    await channels.gets(ada, "Half of it and the rest.");
    expect(channels.messenger.shown.at(-1)).toEqual({ chatId: ada.id, text: null });
  });

  test("of a person who may only look is refused without a request to the model", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada, "look");
    await channels.write(ada, "do something");
    await channels.gets(ada, "not write");
    expect(channels.harness.requests).toEqual([]);
  });

  test("is not sent in a session with more rights than Ask mode has", async () => {
    const channels = await connected();
    channels.harness.script(textAnswer("One."));
    await channels.write(ada, "one");
    await channels.gets(ada, "One.");
    const session = await channels.session(ada);
    session.update({ mode: "full" }, testCommandId());
    await channels.write(ada, "two");
    await channels.gets(ada, "more rights");
    expect(channels.harness.requests).toHaveLength(1);
  });
});

describe("the output", () => {
  test("has no secret, also not one that a border of messages or a shortened line divides", async () => {
    const secret = "Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4";
    const channels = await connected({ environment: { SERVICE_TOKEN: secret } });
    const filler = "word ".repeat(144);
    channels.harness.script(textAnswer(`${filler}\n\nThe value is ${secret} and that was it.\n\n${filler}`));
    await channels.write(ada, "go");
    await channels.gets(ada, "that was it");
    const all = [...channels.messenger.textsOf(ada.id), ...channels.messenger.shown.map(({ text }) => text)].join("\n");
    expect(all).toContain("•••");
    for (let from = 0; from + 8 <= secret.length; from += 1) expect(all).not.toContain(secret.slice(from, from + 8));
  });

  test("comes in messages of the allowed length, in order", async () => {
    const channels = await connected();
    const lines = Array.from({ length: 60 }, (_, index) => `Line number ${index} of the long answer.`);
    channels.harness.script(textAnswer(lines.join("\n")));
    await channels.write(ada, "go");
    await channels.gets(ada, "5 tokens");
    const all = channels.messenger.textsOf(ada.id).slice(1).join("\n");
    expect(all.split("\n").filter((line) => line.startsWith("Line"))).toEqual(lines);
  });

  test("has a line for each call, and the files and tokens of the run", async () => {
    const channels = await connected();
    const usage = { promptTokens: 0, outputTokens: 1_200, loadMs: 0, promptMs: 1, outputMs: 1 };
    channels.harness.script(
      [
        { type: "text", text: "Looking." },
        { type: "call", name: "ls", input: { path: "." } },
        { type: "finish", stop: "done", usage },
      ],
      textAnswer("Seen."),
    );
    await channels.write(ada, "go");
    const { text } = await channels.gets(ada, "Seen.");
    expect(text).toMatch(/Looking\.\n\n✓ ls `\.?`?.*\n\nSeen\.\n\n\d+ s · 1 tool call · 1205 tokens/);
  });
});

describe("the commands", () => {
  test("/help lists them, /mode and /project choose, /new begins another session", async () => {
    const channels = await connected();
    await channels.write(ada, "/help");
    await channels.gets(ada, "/sessions");
    const { projectId } = channels.harness.session().view;
    await channels.call("channels.set", { kind: "telegram", projectId });
    await channels.messenger.when(channels.messenger.isOnline);
    await channels.write(ada, "/project");
    expect((await channels.gets(ada, "2. project")).text).toContain("1. your personal workspace");
    await channels.write(ada, "/mode plan");
    await channels.gets(ada, "Mode: plan");
    channels.harness.script(textAnswer("In the project."));
    await channels.write(ada, "one");
    await channels.gets(ada, "In the project.");
    const first = await channels.session(ada);
    expect(first.view).toMatchObject({ projectId, mode: "plan" });
    await channels.write(ada, "/project 1");
    await channels.gets(ada, "new session in your personal workspace");
    channels.harness.script(textAnswer("In the workspace."), textAnswer("Again."));
    await channels.write(ada, "two");
    await channels.gets(ada, "In the workspace.");
    const second = await channels.session(ada);
    expect(second.view.projectId).not.toBe(projectId);
    await channels.write(ada, "/new");
    await channels.write(ada, "three");
    await channels.gets(ada, "Again.");
    expect((await channels.session(ada)).id).not.toBe(second.id);
    await channels.write(ada, "/project 3");
    await channels.gets(ada, "no such number");
  });

  test("/sessions continues one of the project and shows its last answer; a person who only looks may do so", async () => {
    const channels = await makeTestChannels();
    await channels.connect();
    await channels.pair(ada, "talk");
    await channels.pair(bob, "look");
    channels.harness.script(textAnswer("The last answer."));
    await channels.write(ada, "the first request");
    await channels.gets(ada, "The last answer.");
    await channels.write(bob, "/sessions");
    await channels.gets(bob, "1. the first request");
    await channels.write(bob, "/sessions 1");
    await channels.gets(bob, "The last answer.");
    // From then on he sees its answers.
    channels.harness.script(textAnswer("One more."));
    await channels.write(ada, "again");
    await channels.gets(bob, "One more.");
    expect(channels.messenger.textsOf(bob.id).filter((text) => text.includes("The last answer."))).toHaveLength(1);
  });

  test("/stop ends the run, /status reports it, /new and /project wait for its end", async () => {
    const channels = await connected();
    await channels.write(ada, "/status");
    await channels.gets(ada, "no session yet");
    await channels.write(ada, "/stop");
    await channels.gets(ada, "Nothing is running.");
    const gate = makeGate();
    channels.harness.script([gate, ...textAnswer("never")]);
    await channels.write(ada, "a long task");
    await gate.reached;
    await channels.write(ada, "/status");
    expect((await channels.gets(ada, "Model: scripted")).text).toContain("a long task");
    await channels.write(ada, "/new");
    await channels.gets(ada, "/stop first");
    await channels.write(ada, "/stop");
    await channels.gets(ada, "The run was stopped.");
    expect((await channels.session(ada)).view.run).toBeNull();
  });
});

test("a chat shows no answer of a session whose project is not the person's any more", async () => {
  const channels = await connected();
  const { projectId } = channels.harness.session().view;
  await channels.call("channels.set", { kind: "telegram", projectId });
  channels.harness.script(textAnswer("Seen."));
  await channels.write(ada, "hello");
  await channels.gets(ada, "Seen.");
  const session = await channels.session(ada);
  await channels.call("channels.set", { kind: "telegram", projectId: null });
  channels.harness.script(textAnswer("Not for her."));
  const sent = session.send("go on", "prompt", testCommandId());
  expect(sent.ok && (await sent.value.done)).toBe("done");
  expect(JSON.stringify(channels.messenger.shown)).not.toContain("Not for her.");
  expect(channels.messenger.textsOf(ada.id).join("\n")).not.toContain("Not for her.");
});

describe("files", () => {
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(20)]);
  const photo = { reference: "p", name: "photo.png", mediaType: "image/png", size: png.length, isPhoto: true };

  test("a photo goes to a model that sees images, and is explained for another one", async () => {
    let hasVision = false;
    const channels = await connected({ seesImages: () => hasVision });
    channels.messenger.files.set("p", png);
    await channels.write(ada, "", { files: [photo] });
    await channels.gets(ada, "cannot see images");
    hasVision = true;
    channels.harness.script(textAnswer("A picture."));
    await channels.write(ada, "what is this?", { files: [photo] });
    await channels.gets(ada, "A picture.");
    const { view } = await channels.session(ada);
    expect(JSON.stringify(pathEntries(view))).toContain('"type":"image"');
  });

  test("a document is stored in the inbox for the owner alone, and the model gets its path", async () => {
    const channels = await connected();
    channels.messenger.files.set("d", Buffer.from("rm -rf /"));
    channels.harness.script(textAnswer("Read."));
    const file = { reference: "d", name: "../../.ssh/run me\u202e.sh", mediaType: "text/x-sh", isPhoto: false };
    await channels.write(ada, "", { files: [file] });
    await channels.gets(ada, "Read.");
    const folder = join(channels.harness.home, inboxFolder);
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/^[\w-]{12}-run me_\.sh$/);
    expect(readFileSync(join(folder, name), "utf8")).toBe("rm -rf /");
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(JSON.stringify(channels.harness.requests)).toContain(join(folder, name));
    expect(existsSync(join(channels.harness.home, ".ssh"))).toBe(false);
    channels.harness.script(callAnswer(["read", { path: join(folder, name) }]), textAnswer("Read again."));
    await channels.write(ada, "read it with the tool");
    expect((await channels.gets(ada, "Read again.")).text).toContain("✓ read");
  });

  test.each([
    ["paused", { isPaused: true }],
    ["set to look", { right: "look" }],
  ] as const)("a message whose file is loaded while its person is %s is not sent", async (_name, change) => {
    const channels = await connected();
    let load = (): void => {};
    channels.messenger.files.set("d", new Promise((resolve) => (load = () => resolve(Buffer.from("-")))));
    await channels.write(ada, "run this", { files: [{ reference: "d", name: "a", mediaType: "", isPhoto: false }] });
    await channels.call("channels.set_person", { kind: "telegram", id: ada.id, ...change });
    load();
    await channels.call("channels.set_person", { kind: "telegram", id: ada.id, isPaused: false });
    await channels.write(ada, "/status");
    await channels.gets(ada, "There is no session yet.");
    expect(channels.harness.requests).toEqual([]);
  });

  test("a file that is too large or cannot be loaded is explained, and nothing is sent", async () => {
    const channels = await connected();
    const file = { reference: "x", name: "x", mediaType: "", size: 2_000, isPhoto: false };
    await channels.write(ada, "look", { files: [file] });
    await channels.gets(ada, "larger than");
    await channels.write(ada, "look", { files: [{ ...file, size: 5 }] });
    await channels.gets(ada, "could not be loaded");
    expect(channels.harness.requests).toEqual([]);
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\Users\\a\\b.txt", "b.txt"],
    [".bashrc", "bashrc"],
    ["a\u0000b\nc.txt", "a_b_c.txt"],
    ["报告 1.pdf", "报告 1.pdf"],
    ["..", "file"],
    ["", "file"],
    [`${"x".repeat(200)}.pdf`, `${"x".repeat(76)}.pdf`],
  ])("the name %j becomes %j", (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });
});
