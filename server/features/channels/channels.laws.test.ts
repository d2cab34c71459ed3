/** Kills at random points: every update is done once, every answer arrives, a second time only with a mark. */
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { textAnswer, waitForView } from "@/server/session/testing/test-harness";
import { ada, makeTestChannels, type TestChannels } from "./test-channels";

const seeds = process.env.GOPI_FULL === "1" ? 100 : 6;
const messages = 8;

/** Pseudo-random numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const messageTexts = (view: SessionView, role: "user" | "assistant"): readonly string[] =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message" && entry.role === role && entry.stop === "done"
      ? entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []))
      : [],
  );

const userTexts = (view: SessionView): readonly string[] => messageTexts(view, "user");

/** Gives an update to the program until it is confirmed, as a messenger does. Returns whether the program was killed meanwhile. */
async function deliverUntilConfirmed(channels: TestChannels, text: string, repeats: boolean): Promise<boolean> {
  let wasKilled = false;
  const update = channels.messenger.message(ada, text);
  for (let confirmed = 0; confirmed < (repeats ? 2 : 1); ) {
    const isConfirmed = await channels.messenger.deliver(update).then(
      () => true,
      () => false,
    );
    if (isConfirmed) confirmed += 1;
    if (!channels.isKilled()) continue;
    wasKilled = true;
    await channels.restart();
  }
  return wasKilled;
}

/** Every answer of the log arrived, and of each at most one copy has no mark. */
function expectAnswers(channels: TestChannels, view: SessionView): void {
  const shown = channels.messenger.textsOf(ada.id);
  for (const answer of messageTexts(view, "assistant")) {
    const copies = shown.filter((text) => text.includes(answer));
    expect(copies.length, answer).toBeGreaterThan(0);
    expect(copies.filter((text) => !text.startsWith("(sent again)")).length, answer).toBeLessThanOrEqual(1);
  }
}

test.each(Array.from({ length: seeds }, (_, seed) => seed))("kills at random points, seed %i", async (seed) => {
  const random = randomFrom(seed);
  let answers = 0;
  const channels = await makeTestChannels({
    answer: () => {
      answers += 1;
      return textAnswer(`[answer ${answers}]`);
    },
  });
  await channels.connect();
  await channels.pair(ada);
  const isAnswered = (): boolean =>
    channels.messenger.textsOf(ada.id).some((text) => text.includes(`[answer ${answers}]`));
  for (let at = 0; at < messages; at += 1) {
    const before = answers;
    channels.killAfter(1 + Math.floor(random() * 160));
    const wasKilled = await deliverUntilConfirmed(channels, `[message ${at}]`, random() < 0.3);
    // Usually the run ends, or a kill ends it; sometimes the kill comes at once.
    if (!wasKilled && random() < 0.8)
      await channels.messenger.when(() => channels.isKilled() || (answers > before && isAnswered()));
    if (channels.isKilled() || random() < 0.3) await channels.restart();
  }
  channels.killAfter(Number.POSITIVE_INFINITY);
  await channels.restart();
  // The last message may still be at work.
  const isIdle = async (): Promise<boolean> => {
    const [telegram] = (await channels.call("channels.list", {})).channels;
    return telegram?.people[0]?.waitingMessages === 0 && (await channels.session(ada)).view.run === null;
  };
  await eventually(async () => expect(await isIdle()).toBe(true));
  // Messages to a person are in order: what follows the answers is sent after them.
  await channels.write(ada, "/mode");
  await channels.gets(ada, "Mode: ask");
  expectAnswers(channels, (await channels.session(ada)).view);
  await deliverUntilConfirmed(channels, "[message last]", false);
  await channels.messenger.when(isAnswered);
  const session = await channels.session(ada);
  await waitForView(session, (view) => view.run === null && userTexts(view).includes("[message last]"));
  await channels.write(ada, "/status");
  await channels.gets(ada, "Nothing is running.");
  const sent = [...userTexts(session.view), ...session.view.queue.map(({ text }) => text)];
  const written = Array.from({ length: messages }, (_, at) => `[message ${at}]`);
  expect(sent.toSorted()).toEqual([...written, "[message last]"].toSorted());
  expectAnswers(channels, session.view);
  expect(channels.bugs).toEqual([]);
});
