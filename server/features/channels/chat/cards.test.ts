import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { asId, type CallId, type ClientId } from "@/lib/events/id";
import { pendingApprovals } from "@/lib/view/view";
import { callAnswer, testCommandId, textAnswer, waitForCards } from "@/server/session/testing/test-harness";
import { ada, bob, makeTestChannels, type TestChannels } from "../test-channels";

/** Ada's session waits for the approval of a call. */
async function waiting(
  call: readonly [string, Json] = ["bash", { command: "touch made.txt" }],
  options?: Parameters<typeof makeTestChannels>[0],
): Promise<TestChannels> {
  const channels = await makeTestChannels(options);
  await channels.connect();
  await channels.pair(ada, "answer");
  channels.harness.script(callAnswer(call), textAnswer("Finished."));
  await channels.write(ada, "go");
  await channels.gets(ada, "Approval needed");
  return channels;
}

const isMade = (channels: TestChannels): boolean => existsSync(join(channels.harness.home, "workspace", "made.txt"));
const buttonsOf = async (channels: TestChannels) => (await channels.gets(ada, "Approval needed")).buttons;

test("a card shows the request whole; Allow once runs it, and the message says who allowed it", async () => {
  const channels = await waiting();
  const card = await channels.gets(ada, "Approval needed");
  expect(card.text).toContain("```\ntouch made.txt\n```");
  expect(card.buttons.map(({ label }) => label)).toEqual(["Allow once", "Deny", "Deny and say why"]);
  for (const { value } of card.buttons) expect(Buffer.byteLength(value)).toBeLessThanOrEqual(64);
  await channels.press(ada, "Allow once");
  await channels.gets(ada, "Finished.");
  expect(isMade(channels)).toBe(true);
  await channels.gets(ada, "Allowed by Ada.");
  expect((await channels.gets(ada, "Approval needed")).buttons).toEqual([]);
  expect(channels.messenger.acknowledged).toEqual(["Allowed once."]);
});

test("Deny denies it, and Deny and say why takes the next message as the reason that the model reads", async () => {
  const denied = await waiting();
  await denied.press(ada, "Deny");
  await denied.gets(ada, "Finished.");
  expect(isMade(denied)).toBe(false);

  const channels = await waiting();
  await channels.press(ada, "Deny and say why");
  await channels.gets(ada, "Your next message is the reason.");
  expect(await buttonsOf(channels)).toEqual([]);
  await channels.write(ada, "use the other folder");
  await channels.gets(ada, "Finished.");
  await channels.gets(ada, "Denied by Ada.");
  expect(JSON.stringify(channels.harness.requests.at(-1))).toContain("use the other folder");
});

test("an answer on the page ends the card, which then says so, and its buttons have no effect", async () => {
  const channels = await waiting();
  const [button] = await buttonsOf(channels);
  const session = await channels.session(ada);
  const [approval] = await waitForCards(session);
  expect(session.answer(approval?.approvalId ?? asId(""), { option: "deny" }, asId<ClientId>("tab"))).toBe(true);
  await channels.gets(ada, "Denied by the owner, on the page.");
  await channels.messenger.deliver(channels.messenger.pressOf(ada, button?.value ?? ""));
  await channels.messenger.when(() => channels.messenger.acknowledged.includes("This button has no effect."));
  await channels.gets(ada, "Finished.");
  expect(isMade(channels)).toBe(false);
});

describe("a button has no effect", () => {
  const attacks: readonly [name: string, press: (channels: TestChannels, value: string) => Promise<void>][] = [
    [
      "pressed by another person",
      (channels, value) => channels.messenger.deliver(channels.messenger.pressOf(bob, value)),
    ],
    [
      "pressed in another chat",
      (channels, value) => channels.messenger.deliver(channels.messenger.pressOf(ada, value, bob.id)),
    ],
    [
      "with another nonce",
      (channels, value) =>
        channels.messenger.deliver(
          channels.messenger.pressOf(ada, `${value.startsWith("A") ? "B" : "A"}${value.slice(1)}`),
        ),
    ],
    [
      "that does something else",
      (channels, value) => channels.messenger.deliver(channels.messenger.pressOf(ada, `${value.slice(0, -1)}x`)),
    ],
    ["that is empty", (channels) => channels.messenger.deliver(channels.messenger.pressOf(ada, ""))],
    [
      "pressed in a group",
      async (channels, value) => {
        const press = channels.messenger.pressOf(ada, value);
        await channels.messenger.deliver({ ...press, isPrivate: false, chatId: "-5" });
      },
    ],
    [
      "pressed by a stranger",
      (channels, value) => channels.messenger.deliver(channels.messenger.pressOf({ id: "9", name: "Ada" }, value)),
    ],
    [
      "after the right to answer was taken",
      async (channels, value) => {
        await channels.call("channels.set_person", { kind: "telegram", id: ada.id, right: "talk" });
        await channels.messenger.deliver(channels.messenger.pressOf(ada, value));
      },
    ],
  ];
  test.each(attacks)("%s", async (_name, attack) => {
    const channels = await waiting();
    await channels.pair(bob, "answer");
    const value = (await buttonsOf(channels))[0]?.value ?? "";
    await attack(channels, value);
    // The commands of both chats are handled after the press.
    await channels.write(ada, "/mode");
    await channels.gets(ada, "Mode: ask");
    await channels.write(bob, "/mode");
    await channels.gets(bob, "Mode: ask");
    expect(pendingApprovals((await channels.session(ada)).view)).toHaveLength(1);
    expect(isMade(channels)).toBe(false);
  });

  test("pressed twice: the first press counts", async () => {
    const channels = await waiting();
    const [allow, deny] = await buttonsOf(channels);
    await Promise.all(
      [allow, deny, allow].map((button) =>
        channels.messenger.deliver(channels.messenger.pressOf(ada, button?.value ?? "")),
      ),
    );
    await channels.messenger.when(() => channels.messenger.acknowledged.length === 3);
    expect(channels.messenger.acknowledged).toEqual([
      "Allowed once.",
      "This button has no effect.",
      "This button has no effect.",
    ]);
    await channels.gets(ada, "Finished.");
    expect(isMade(channels)).toBe(true);
  });
});

test("two persons at one session: the first answer counts, and both messages say whose it was", async () => {
  const channels = await makeTestChannels();
  await channels.connect();
  await channels.pair(ada, "answer");
  await channels.pair(bob, "answer");
  channels.harness.script(textAnswer("Ready."));
  await channels.write(ada, "hello");
  await channels.gets(ada, "Ready.");
  await channels.write(bob, "/sessions 1");
  await channels.gets(bob, "Ready.");
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]), textAnswer("Finished."));
  await channels.write(ada, "go");
  await channels.gets(ada, "Approval needed");
  await channels.gets(bob, "Approval needed");
  await channels.press(bob, "Allow once");
  for (const person of [ada, bob]) await channels.gets(person, "Allowed by Bob.");
  await channels.gets(ada, "Finished.");
  expect(isMade(channels)).toBe(true);
});

test.each(["look", "talk"] as const)("a person with the right %s sees the request without buttons", async (right) => {
  const channels = await waiting();
  await channels.pair(bob, right);
  await channels.write(bob, "/sessions 1");
  const card = await channels.gets(bob, "Approval needed");
  expect(card.text).toContain("touch made.txt");
  expect(card.buttons).toEqual([]);
});

test("a long request and a diff of more than 60 lines are for the screen", async () => {
  const long = await waiting(["bash", { command: `touch ${"a".repeat(700)}` }]);
  const card = await long.gets(ada, "Open it on your screen");
  expect(card.buttons).toEqual([]);
  const content = Array.from({ length: 70 }, (_, index) => `${index}`).join("\n");
  const diff = await waiting(["write", { path: "a.txt", content }]);
  expect((await diff.gets(ada, "Open it on your screen")).buttons).toEqual([]);
  const short = await waiting(["write", { path: "a.txt", content: "one\n" }]);
  const shown = await short.gets(ada, "Create a.txt");
  expect(shown.text).toContain("+one");
  expect(shown.buttons).toHaveLength(3);
});

test("a request that contains a secret is masked, and marks of code in it stay text", async () => {
  const secret = "Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4Zk4";
  const command = `curl -H 'X: ${secret}' https://x.example # \`\`\` *bold*`;
  const channels = await waiting(["bash", { command }], { environment: { SERVICE_TOKEN: secret } });
  const { text } = await channels.gets(ada, "Approval needed");
  expect(text).not.toContain(secret.slice(0, 8));
  expect(text).toContain("````\ncurl -H 'X: •••' https://x.example # ``` *bold*\n````");
});

test("an approval of a subagent is asked in the chat of the session that started it", async () => {
  const channels = await makeTestChannels();
  await channels.connect();
  await channels.pair(ada, "answer");
  channels.harness.script(textAnswer("Ready."));
  await channels.write(ada, "hello");
  await channels.gets(ada, "Ready.");
  const parent = await channels.session(ada);
  const call = { sessionId: parent.id, callId: asId<CallId>("call1") };
  const child = channels.harness.sessions().startSubagent(call, "ask");
  if (!child.ok) throw new Error(child.error.code);
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]), textAnswer("Finished."));
  const sent = child.value.send("do it", "prompt", testCommandId());
  await channels.gets(ada, "touch made.txt");
  await channels.press(ada, "Allow once");
  await channels.gets(ada, "Allowed by Ada.");
  if (sent.ok) await sent.value.done;
  expect(isMade(channels)).toBe(true);
});
