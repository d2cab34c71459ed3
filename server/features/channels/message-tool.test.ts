/** The tool `message` in sessions of the owner, with paired persons of a messenger in memory. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { fail } from "@/lib/events/error";
import { type Origin, optionalOrigin } from "@/lib/events/event";
import { pathEntries, pendingApprovals } from "@/lib/view/view";
import type { Session } from "@/server/session/core/session-types";
import { exportSession } from "@/server/session/export/export";
import { importSessions } from "@/server/session/import/import";
import {
  callAnswer,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
  waitForView,
} from "@/server/session/testing/test-harness";
import { ada, bob, makeTestChannels, type TestChannels } from "./test-channels";

async function makeRig() {
  const channels = await makeTestChannels();
  await channels.connect();
  await channels.pair(ada, "answer");
  return channels;
}

const messageCall = (input: Json) => callAnswer(["toolbox", { tool: "message", input }]);
const hello = { channel: "telegram", text: "Hello." };
const minute = 60_000;

/** Runs a prompt in which the model calls the tool; answers each card by `option`. */
async function run(
  channels: TestChannels,
  session: Session,
  input: Json,
  option: "once" | "deny" | null = null,
  origin?: Origin,
) {
  channels.harness.script(messageCall(input), textAnswer("Done."));
  const sent = session.send("tell them", "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  if (option !== null) {
    const [card] = await waitForCards(session);
    if (card === undefined) throw new Error("no card");
    session.answer(card.approvalId, { option, ...optionalOrigin(origin) }, testTab);
  }
  await waitForView(session, (view) => view.run === null || pendingApprovals(view).length > 0);
  expect(pendingApprovals(session.view)).toEqual([]);
  const calls = pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
  const last = calls.at(-1);
  return { state: last?.state, output: JSON.stringify(last?.output), approvals: last?.approvals ?? [] };
}

test.each(["ask", "full"] as const)(
  "in %s mode the first message of a session asks, later ones do not",
  async (mode) => {
    const channels = await makeRig();
    const session = channels.harness.session(mode);
    const first = await run(channels, session, hello, "once");
    expect(first.output).toContain("Delivered to Ada.");
    expect(first.approvals).toMatchObject([
      { preview: { tool: "message", input: { ...hello, channel: "telegram:Ada" }, why: "first_message" } },
    ]);
    expect((await channels.gets(ada, "Hello.")).text).toBe("Hello.");
    channels.clock.now += minute;
    const second = await run(channels, session, { ...hello, text: "Again." });
    expect(second.approvals).toEqual([]);
    await channels.gets(ada, "Again.");
    channels.clock.now += minute;
    expect((await run(channels, channels.harness.session(mode), hello, "deny")).state).toBe("denied");
  },
);

test("to another person, in a fork and in an imported session the first message asks again", async () => {
  const channels = await makeRig();
  await channels.pair(bob, "talk");
  const { harness } = channels;
  const session = harness.session("full");
  const toAda = { channel: "telegram:Ada", text: "Hello." };
  await run(channels, session, toAda, "once");
  channels.clock.now += minute;
  const other = await run(channels, session, { channel: "telegram:Bob", text: "Hello." }, "deny");
  expect(other.approvals).toMatchObject([{ preview: { why: "first_message" } }]);
  const fork = harness.registry().fork({
    sessionId: session.id,
    atSeq: session.view.border,
    commandId: testCommandId(),
  });
  if (!fork.ok) throw new Error(fork.error.code);
  const { projectId } = session.view;
  const text = exportSession(harness.store, session.view, "jsonl", null)?.text ?? "";
  const input = { projectId, root: harness.root, commandId: testCommandId(), name: "a.jsonl", text };
  const imported = await importSessions({ store: harness.store, now: () => 1 }, input);
  if (!imported.ok) throw new Error(JSON.stringify(imported.error));
  const ids = [fork.value.id, ...imported.value.rows.map(({ id }) => id)];
  for (const id of ids) {
    const first = await run(channels, channels.sessionById(id), toAda, "deny");
    expect(first.approvals).toMatchObject([{ preview: { why: "first_message" } }]);
  }
});

test("the consent is for a person: another one with the same name, or who is the only one now, asks again", async () => {
  const channels = await makeRig();
  const session = channels.harness.session("full");
  await run(channels, session, hello, "once");
  channels.clock.now += minute;
  await channels.call("channels.remove_person", { kind: "telegram", id: ada.id });
  await channels.pair({ ...bob, name: ada.name });
  for (const channel of ["telegram", `telegram:${ada.name}`]) {
    const other = await run(channels, session, { ...hello, channel }, "deny");
    expect(other.approvals).toMatchObject([{ preview: { why: "first_message" } }]);
  }
});

test("an answer from a messenger allows one message alone", async () => {
  const channels = await makeRig();
  const session = channels.harness.session("full");
  const origin = { kind: "channel", name: "Ada" } as const;
  expect((await run(channels, session, hello, "once", origin)).state).toBe("ok");
  for (const approvals of [1, 0]) {
    channels.clock.now += minute;
    const later = await run(channels, session, hello, approvals === 1 ? "once" : null);
    expect(later.approvals).toHaveLength(approvals);
  }
});

test("a message that the messenger refuses is not reported as delivered", async () => {
  const channels = await makeRig();
  const { messenger } = channels;
  messenger.faults.set(messenger.sends() + 1, () => fail("not_allowed", "blocked"));
  const { state, output } = await run(channels, channels.harness.session("full"), hello, "once");
  expect([state, output]).toEqual(["error", expect.stringContaining("Ada can't be written to now.")]);
});

test("in Plan mode nothing is sent", async () => {
  const channels = await makeRig();
  const { state, approvals } = await run(channels, channels.harness.session("plan"), hello);
  expect([state, approvals]).toEqual(["error", []]);
});

test("what may carry a secret out asks each time, and arrives masked", async () => {
  const channels = await makeRig();
  const key = "sk-message-0123456789abcdef";
  channels.harness.store.secrets.in("connections").set("x", key);
  const session = channels.harness.session("full");
  await run(channels, session, hello, "once");
  channels.clock.now += minute;
  const { approvals } = await run(channels, session, { channel: "telegram", text: `The key is ${key}.` }, "once");
  expect(approvals).toMatchObject([{ preview: { why: "holds_secret" } }]);
  expect((await channels.gets(ada, "The key is")).text).not.toContain(key);
});

test("a file asks each time, and is sent with its name", async () => {
  const channels = await makeRig();
  const session = channels.harness.session("full");
  writeFileSync(join(channels.harness.root, "report.txt"), "All green.");
  writeFileSync(join(channels.harness.root, ".env"), "KEY=1");
  await run(channels, session, hello, "once");
  channels.clock.now += minute;
  const sent = await run(channels, session, { channel: "telegram", text: "Report", file: "report.txt" }, "once");
  expect(sent.approvals).toMatchObject([{ preview: { why: "sends_file" } }]);
  await channels.messenger.when(() => channels.messenger.messages.find(({ file }) => file !== undefined));
  const { file } = channels.messenger.messages.find((one) => one.file !== undefined) ?? {};
  expect([file?.name, Buffer.from(file?.bytes ?? []).toString()]).toEqual(["report.txt", "All green."]);
  channels.clock.now += minute;
  const refused = await run(channels, session, { channel: "telegram", text: "Secret", file: ".env" });
  expect([refused.state, refused.approvals]).toEqual(["error", []]);
});

test("the name of a file is masked", async () => {
  const channels = await makeRig();
  const key = "sk-message-0123456789abcdef";
  channels.harness.store.secrets.in("connections").set("x", key);
  writeFileSync(join(channels.harness.root, `${key}.txt`), "-");
  const session = channels.harness.session("full");
  await run(channels, session, { channel: "telegram", text: "Report", file: `${key}.txt` }, "once");
  const { file } = await channels.messenger.when(() =>
    channels.messenger.messages.find((one) => one.file !== undefined),
  );
  expect(file?.name).toMatch(/\.txt$/);
  expect(file?.name).not.toContain(key);
});

test("a second message within a minute, and the twenty-first of a run, are refused with what to do", async () => {
  const channels = await makeRig();
  const session = channels.harness.session("full");
  await run(channels, session, hello, "once");
  channels.clock.now += minute - 1_000;
  expect((await run(channels, session, hello)).output).toContain("Wait 1 s");
  const calls = Array.from({ length: 21 }, (_each, at) => messageCall({ ...hello, text: `Part ${at}` }));
  channels.harness.script(...calls, textAnswer("Done."));
  session.subscribe(({ event }) => {
    if (event.type === "tool_call_end") channels.clock.now += minute;
  });
  channels.clock.now += minute;
  const sent = session.send("all", "prompt", testCommandId());
  expect(sent.ok && (await sent.value.done)).toBe("done");
  const states = pathEntries(session.view)
    .flatMap((entry) => (entry.kind === "message" ? entry.calls : []))
    .slice(-21)
    .map(({ state }) => state);
  expect(states).toEqual([...Array.from({ length: 20 }, () => "ok"), "error"]);
});

test("of several people one is named; a chat's own session writes to its person", async () => {
  const channels = await makeRig();
  await channels.pair(bob, "talk");
  const session = channels.harness.session("full");
  const unclear = await run(channels, session, hello);
  expect(unclear.output).toContain("channel is one of: telegram:Ada, telegram:Bob, web");
  const named = await run(channels, session, { channel: "telegram:bob", text: "To Bob" }, "once");
  expect(named.output).toContain("Delivered to Bob.");
  await channels.gets(bob, "To Bob");
  channels.harness.script(messageCall({ channel: "telegram", text: "To you" }), textAnswer("Done."));
  await channels.write(bob, "write to me");
  await channels.gets(bob, "Approval needed");
  await waitForCards(await channels.session(bob));
  const [card] = pendingApprovals((await channels.session(bob)).view);
  if (card === undefined) throw new Error("no card");
  (await channels.session(bob)).answer(card.approval.approvalId, { option: "once" }, testTab);
  await channels.gets(bob, "To you");
});

test("web shows the text on the owner's pages without a card", async () => {
  const channels = await makeRig();
  const session = channels.harness.session("ask");
  const { output, approvals } = await run(channels, session, { channel: "web", text: "Look here" });
  expect(approvals).toEqual([]);
  expect(output).toContain("Shown on the user's screen.");
  expect(channels.notices).toMatchObject([{ kind: "message", sessionId: session.id, text: "Look here" }]);
});

test("the tool is offered only while somebody can be written to", async () => {
  const channels = await makeTestChannels();
  const offered = () =>
    channels.feature()?.catalogueSources.flatMap((source) => source.tools(channels.harness.session().view.projectId));
  expect(offered()).toEqual([]);
  await channels.connect();
  expect(offered()).toEqual([]);
  await channels.pair(ada, "talk");
  expect(offered()?.map(({ name }) => name)).toEqual(["message"]);
  await channels.call("channels.set_person", { kind: "telegram", id: ada.id, isPaused: true });
  expect(offered()).toEqual([]);
});

test("a notice about another session reaches a chat, one about its own does not", async () => {
  const channels = await makeRig();
  channels.harness.script(textAnswer("Hi."));
  await channels.write(ada, "hi");
  await channels.gets(ada, "Hi.");
  const own = (await channels.session(ada)).id;
  const [place] = channels.feature()?.noticePlaces ?? [];
  const notice = { id: "n", at: 0, kind: "asks", seq: 1 } as const;
  place?.deliver({ ...notice, sessionId: own, title: "Own" });
  place?.deliver({ ...notice, kind: "message", title: "Nightly check", text: "Only for the page" });
  const { text } = await channels.gets(ada, "“Nightly check” has a message for you.");
  expect(text).not.toContain("Only for the page");
  expect(channels.messenger.messages.some((one) => one.text.includes("“Own”"))).toBe(false);
});

test("of many notices a person gets twenty and one about the others, and again some after ten minutes", async () => {
  const channels = await makeRig();
  const [place] = channels.feature()?.noticePlaces ?? [];
  const notify = (title: string) => place?.deliver({ id: "n", at: 0, kind: "done", seq: 1, title });
  for (let at = 1; at <= 40; at += 1) notify(`Run ${at}`);
  await channels.gets(ada, "the overview page lists all work");
  channels.clock.now += 10 * minute;
  notify("Later");
  await channels.gets(ada, "“Later” is done.");
  const notices = channels.messenger.textsOf(ada.id).filter((text) => text.includes("“Run "));
  expect(notices).toHaveLength(20);
});

test("who may not approve gets notices about the sessions that he may read alone", async () => {
  const channels = await makeRig();
  await channels.pair(bob, "look");
  const session = channels.harness.session("ask");
  const [place] = channels.feature()?.noticePlaces ?? [];
  const notice = { id: "n", at: 0, kind: "asks", seq: 1, sessionId: session.id } as const;
  place?.deliver({ ...notice, title: "Secret project" });
  await channels.gets(ada, "“Secret project” needs you.");
  await channels.call("channels.set", { kind: "telegram", projectId: session.view.projectId });
  channels.feature()?.noticePlaces[0]?.deliver({ ...notice, title: "Shared project" });
  await channels.gets(bob, "“Shared project” needs you.");
  expect(channels.messenger.textsOf(bob.id).join("\n")).not.toContain("Secret project");
});
