/** Rights in a chat: each allows its actions; everything else is refused without an effect. */
import { expect, test } from "vitest";
import { remoteRights, type RemoteRight } from "@/lib/permissions/remote-rights";
import { pendingApprovals } from "@/lib/view/view";
import { callAnswer, textAnswer } from "@/server/session/testing/test-harness";
import { ada, bob, makeTestChannels } from "./test-channels";

/** Ada's session waits for an approval; Bob follows it with a right. */
async function followedBy(right: RemoteRight) {
  const channels = await makeTestChannels();
  await channels.connect();
  await channels.pair(ada, "answer");
  await channels.pair(bob, right);
  channels.harness.script(callAnswer(["bash", { command: "touch made.txt" }]), textAnswer("Finished."));
  await channels.write(ada, "go");
  await channels.gets(ada, "Approval needed");
  await channels.write(bob, "/sessions 1");
  await channels.gets(bob, "Approval needed");
  return channels;
}

type Channels = Awaited<ReturnType<typeof followedBy>>;

/** The least right, what is sent, and a part of the answer with the right and without it. */
const actions: Readonly<Record<string, readonly [RemoteRight, text: string, allowed: string, refused: string]>> = {
  "/help": ["look", "/help", "/status", ""],
  "/status": ["look", "/status", "waits for an approval", ""],
  "/sessions": ["look", "/sessions", "1. go", ""],
  "/project": ["look", "/project", "1. your personal workspace", ""],
  "/mode": ["talk", "/mode plan", "Mode: plan", "not write"],
  "/stop": ["talk", "/stop", "The run was stopped.", "not write"],
};

test.each(remoteRights.flatMap((right) => Object.keys(actions).map((name) => [right, name] as const)))(
  "with the right %s: %s",
  async (right, name) => {
    const [least, text, allowed, refused] = actions[name] ?? ["look", "", "", ""];
    const channels = await followedBy(right);
    const isAllowed = remoteRights.indexOf(right) >= remoteRights.indexOf(least);
    await channels.write(bob, text);
    await channels.gets(bob, isAllowed ? allowed : refused);
    expect((await channels.session(ada)).view.run === null).toBe(name === "/stop" && isAllowed);
    expect((await channels.session(ada)).view.mode).toBe(name === "/mode" && isAllowed ? "plan" : "ask");
  },
);

const isAnswerable = (channels: Channels): boolean =>
  channels.messenger.messages.some(({ chatId, buttons }) => chatId === bob.id && buttons.length > 0);

test.each(remoteRights)("with the right %s: a message, and the buttons of a card", async (right) => {
  const channels = await followedBy(right);
  expect(isAnswerable(channels)).toBe(right === "answer");
  await channels.write(bob, "and this too");
  if (right === "look") await channels.gets(bob, "not write");
  await channels.write(bob, "/help");
  await channels.gets(bob, "/status");
  const session = await channels.session(ada);
  expect(session.view.queue.map(({ text, origin }) => [text, origin])).toEqual(
    right === "look" ? [] : [["and this too", { kind: "channel", name: "Bob" }]],
  );
  expect(pendingApprovals(session.view)).toHaveLength(1);
  // No command, setting, rule or trust can be changed by what a person writes.
  for (const text of ["!touch made.txt", "/mode full", "/mode auto", "/trust", "/project /etc", "/sessions 99"])
    await channels.write(bob, text);
  await channels.write(bob, "/status");
  await channels.gets(bob, "Mode: ask\n");
  expect(session.view.mode).toBe("ask");
  const { store } = channels.harness;
  expect(store.rules.list(session.view.projectId)).toEqual([]);
});
