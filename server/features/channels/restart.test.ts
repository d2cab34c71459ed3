/** The program is killed and started again, with a messenger that repeats what was not confirmed. */
import { expect, test } from "vitest";
import { fail } from "@/lib/events/error";
import { pathEntries } from "@/lib/view/view";
import { callAnswer, makeGate, textAnswer, waitForCards, waitForView } from "@/server/session/testing/test-harness";
import { ada, bob, makeTestChannels, type TestChannels } from "./test-channels";

async function connected(): Promise<TestChannels> {
  const channels = await makeTestChannels();
  await channels.connect();
  await channels.pair(ada);
  return channels;
}

test("a run that the kill interrupted is reported, its message is not run again", async () => {
  const channels = await connected();
  const gate = makeGate();
  channels.harness.script([{ type: "text", text: "Half of it." }, gate, ...textAnswer("never")]);
  const update = channels.messenger.message(ada, "a long task");
  await channels.messenger.deliver(update);
  await gate.reached;
  await channels.restart();
  await channels.messenger.deliver(update);
  await channels.gets(ada, "The run was interrupted.");
  channels.harness.script(textAnswer("Continued."));
  await channels.write(ada, "go on");
  await channels.gets(ada, "Continued.");
  expect(channels.harness.requests).toHaveLength(2);
});

test("an answer that was stored but not sent is sent; one that was being sent is sent again, with a mark", async () => {
  const channels = await connected();
  channels.harness.script(textAnswer("The answer."));
  // The messenger takes the message, and the program is killed before it reads that.
  channels.messenger.faults.set(2, ({ text }) => {
    expect(text).toContain("The answer.");
    throw new Error("the connection ended");
  });
  await channels.write(ada, "go");
  await channels.messenger.when(() => channels.messenger.shown.at(-1)?.text === null);
  await channels.restart();
  const { text } = await channels.gets(ada, "The answer.");
  expect(text.startsWith("(sent again)\n")).toBe(true);
});

test("an answer that ended when the program was killed, before a message of it was stored, is sent by the next start", async () => {
  const channels = await connected();
  const gate = makeGate();
  channels.harness.script([gate, ...textAnswer("The answer.")]);
  await channels.write(ada, "go");
  await gate.reached;
  const session = await channels.session(ada);
  channels.killAfter(1);
  gate.open();
  await waitForView(session, ({ run }) => run === null);
  expect(channels.messenger.textsOf(ada.id).join()).not.toContain("The answer.");
  await channels.restart();
  expect((await channels.gets(ada, "The answer.")).text).not.toContain("sent again");
});

/** Resolves when everything before is sent, and the program has stored that. */
async function settle(channels: TestChannels): Promise<void> {
  await channels.write(ada, "/help");
  await channels.gets(ada, "/sessions");
}

test("a card stays as it is over a kill, and its buttons still answer it", async () => {
  const channels = await connected();
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]));
  await channels.write(ada, "go");
  await channels.gets(ada, "Approval needed");
  await settle(channels);
  await channels.restart();
  channels.harness.script(textAnswer("Finished."));
  await channels.press(ada, "Allow once");
  await channels.gets(ada, "Finished.");
  await channels.gets(ada, "Allowed by Ada.");
  expect(channels.messenger.textsOf(ada.id).filter((text) => text.includes("Approval needed"))).toHaveLength(1);
});

test("a card that was being sent is sent again with other buttons; the first ones have no effect", async () => {
  const channels = await connected();
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]));
  await channels.write(ada, "go");
  const before = (await channels.gets(ada, "Approval needed")).buttons[0]?.value ?? "";
  await channels.restart();
  await channels.gets(ada, "(sent again)");
  await channels.messenger.deliver(channels.messenger.pressOf(ada, before));
  await channels.messenger.when(() => channels.messenger.acknowledged.includes("This button has no effect."));
  channels.harness.script(textAnswer("Finished."));
  await channels.press(ada, "Allow once");
  await channels.gets(ada, "Finished.");
});

test("messages of more than ten minutes ago wait for a yes; then they are run in order", async () => {
  const channels = await connected();
  const old = channels.clock.now - 10 * 60_000 - 1;
  for (const text of ["one", "two", "three"]) await channels.write(ada, text, { sentAt: old });
  await channels.gets(ada, "3 messages came while I was off. Run them?");
  expect(channels.harness.requests).toEqual([]);
  await settle(channels);
  await channels.restart();
  await channels.write(ada, "/mode");
  await channels.gets(ada, "Mode: ask");
  expect(channels.messenger.textsOf(ada.id).filter((text) => text.includes("Run them?"))).toHaveLength(1);
  channels.harness.script(...["A.", "B.", "C."].map(textAnswer));
  await channels.press(ada, "Run them");
  await channels.gets(ada, "Running them now.");
  // The last of them is done when a command after them is.
  await channels.write(ada, "/status");
  await channels.gets(ada, "Model: scripted");
  const view = await waitForView(await channels.session(ada), ({ run, queue }) => run === null && queue.length === 0);
  const texts = pathEntries(view).flatMap((entry) =>
    entry.kind === "message" && entry.role === "user"
      ? entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );
  expect(texts).toEqual(["one", "two", "three"]);
});

test("old messages are discarded with a no, and a command among them waits too", async () => {
  const channels = await connected();
  const old = channels.clock.now - 10 * 60_000 - 1;
  await channels.write(ada, "/help", { sentAt: old });
  await channels.gets(ada, "1 message came while I was off. Run it?");
  await channels.press(ada, "Discard them");
  await channels.gets(ada, "They were discarded.");
  await channels.write(ada, "/mode");
  await channels.gets(ada, "Mode: ask");
  expect(channels.messenger.textsOf(ada.id).join("\n")).not.toContain("/sessions");
  expect((await channels.view()).people[0]?.waitingMessages).toBe(0);
});

test("old messages that come after the question are a question of their own", async () => {
  const channels = await connected();
  const old = channels.clock.now - 10 * 60_000 - 1;
  await channels.write(ada, "/help", { sentAt: old });
  await channels.gets(ada, "1 message came while I was off.");
  await channels.write(ada, "/mode", { sentAt: old });
  await channels.press(ada, "Run them");
  await channels.gets(ada, "/sessions");
  await channels.messenger.when(
    () => channels.messenger.textsOf(ada.id).filter((text) => text.endsWith("Run it?")).length === 1,
  );
  await channels.press(ada, "Discard them");
  await channels.gets(ada, "They were discarded.");
  expect(channels.messenger.textsOf(ada.id).join("\n")).not.toContain("Mode: ask");
});

test("a message that the messenger refuses is given up, and what follows is sent; a card is not repeated", async () => {
  const channels = await connected();
  channels.messenger.faults.set(2, () => fail("not_allowed"));
  channels.messenger.faults.set(3, () => fail("bad_input", "too strange"));
  await channels.write(ada, "/status");
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]));
  await channels.write(ada, "go");
  await channels.messenger.when(() => channels.messenger.sends() === 3);
  await waitForCards(await channels.session(ada));
  await settle(channels);
  expect(channels.logged.join("\n")).toContain("bad_input too strange");
  await channels.restart();
  await channels.write(ada, "/mode");
  await channels.gets(ada, "Mode: ask");
  expect(channels.messenger.textsOf(ada.id).join("\n")).not.toMatch(/Approval needed|no session yet/);
});

test("at most 100 messages of a chat wait; beyond them this is said once, and others are not affected", async () => {
  const channels = await connected();
  await channels.pair(bob);
  const old = channels.clock.now - 10 * 60_000 - 1;
  for (let at = 0; at < 130; at += 1) await channels.write(ada, `message ${at}`, { sentAt: old });
  expect((await channels.view()).people[0]?.waitingMessages).toBe(100);
  await channels.gets(ada, "100 messages wait.");
  await channels.gets(ada, "100 messages came");
  expect(channels.messenger.textsOf(ada.id).filter((text) => text.startsWith("100 messages wait."))).toHaveLength(1);
  await channels.write(bob, "/mode");
  await channels.gets(bob, "Mode: ask");
  expect(channels.harness.requests).toEqual([]);
});

test("old commands wait like messages, so that the button about them has an effect", async () => {
  const channels = await connected();
  const old = channels.clock.now - 10 * 60_000 - 1;
  for (let at = 0; at < 210; at += 1) await channels.write(ada, "/status", { sentAt: old });
  expect((await channels.view()).people[0]?.waitingMessages).toBe(100);
  await channels.press(ada, "Discard them");
  await channels.gets(ada, "They were discarded.");
  expect((await channels.view()).people[0]?.waitingMessages).toBe(0);
});
