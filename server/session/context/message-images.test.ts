/** Tests of images in user messages: from the command to the wire, through the queue, a retry, a fork and a restart. */
import { expect, test } from "vitest";
import { messageImageRefs } from "@/lib/events/content";
import { anyFacts } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import { pathEntries } from "@/lib/view/view";
import { convertToTextMode } from "@/server/agent/context/text-mode";
import { countTokens } from "@/server/agent/context/prompt-size";
import { ollamaChatBody } from "@/server/providers/ollama/ollama-messages";
import { openAiMessages } from "@/server/providers/openai/openai-request";
import { findPreset } from "@/server/providers/presets";
import type { ModelRequest } from "@/server/providers/provider";
import { testCommandId, type TestHarness, makeTestHarness, textAnswer } from "../testing/test-harness";

const bytes = Buffer.from("\x89PNG\r\n\x1a\npixels", "latin1");
const data = bytes.toString("base64");
const stored = (harness: TestHarness) => [{ blob: harness.store.blobs.put(bytes), mime: "image/png" }];
const seeing = (more = {}) => makeTestHarness({ seesImages: () => true, ...more });
const imagesIn = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).flatMap((message) => (message.role === "user" ? (message.images ?? []) : []));

test("a message with an image reaches the model, and survives a restart", async () => {
  const harness = await seeing();
  const session = harness.session();
  harness.script(textAnswer("A cat."));
  const images = stored(harness);
  const sent = session.send("what is this?", "prompt", testCommandId(), { images });
  if (!sent.ok) throw new Error(sent.error.code);
  expect(await sent.value.done).toBe("done");
  expect(imagesIn(harness.requests[0])).toEqual([data]);
  await harness.restart();
  const [first] = pathEntries(harness.reload(session).view).flatMap((entry) =>
    entry.kind === "message" ? [entry] : [],
  );
  expect(messageImageRefs(first?.blocks ?? [])).toEqual(images);
});

test("both wires and the text modes send the image with the user's text, counted as serverLimits.imageTokens", async () => {
  const harness = await seeing();
  const session = harness.session();
  harness.script(textAnswer("A cat."));
  const sent = session.send("what is this?", "prompt", testCommandId(), { images: stored(harness) });
  if (!sent.ok) throw new Error(sent.error.code);
  await sent.value.done;
  const [request] = harness.requests;
  if (request === undefined) throw new Error("no request was sent");
  for (const messages of [
    request.messages,
    convertToTextMode(request.messages, "react"),
    convertToTextMode(request.messages, "xml"),
  ]) {
    expect(ollamaChatBody({ ...request, messages }, false).messages.at(-1)).toMatchObject({
      role: "user",
      images: [data],
    });
    const openai = JSON.stringify(openAiMessages(messages, findPreset("custom").quirks, request).at(-1));
    expect(openai).toContain(`data:image/png;base64,${data}`);
    expect(openai).toContain("what is this?");
  }
  const bare = request.messages.map((message) =>
    message.role === "user" ? { role: message.role, text: message.text } : message,
  );
  expect(countTokens(request.messages) - countTokens(bare)).toBe(serverLimits.imageTokens);
});

test("a model without vision is not queried: the refusal names it and nothing is written", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const before = session.view.seq;
  const sent = session.send("what is this?", "prompt", testCommandId(), { images: stored(harness) });
  expect(sent).toMatchObject({ ok: false, error: { code: "no_vision" } });
  expect(sent.ok ? null : typeof anyFacts(sent.error).model).toBe("string");
  expect(session.view.seq).toBe(before);
});

test("an image that is not stored is not found", async () => {
  const harness = await seeing();
  const [image] = stored(harness);
  const images = image === undefined ? [] : [{ ...image, blob: (await seeing()).store.blobs.put(Buffer.from("else")) }];
  const sent = harness.session().send("see", "prompt", testCommandId(), { images });
  expect(sent).toMatchObject({ ok: false, error: { code: "not_found" } });
});

test.each(["steer", "followUp"] as const)(
  "a %s keeps its image while queued, also when its text is edited",
  async (intent) => {
    const harness = await seeing();
    const session = harness.session();
    const images = stored(harness);
    harness.script(textAnswer("One."), textAnswer("Two."));
    const first = session.send("go", "prompt", testCommandId());
    if (!first.ok) throw new Error(first.error.code);
    expect(session.send("look", intent, testCommandId(), { images }).ok).toBe(true);
    const [queued] = session.view.queue;
    if (queued === undefined) throw new Error("the queue is empty");
    expect(queued.images).toEqual(images);
    expect(session.requeue(queued.id, "look here", testCommandId())).toBe(true);
    expect(session.view.queue[0]).toMatchObject({ text: "look here", images });
    await first.value.done;
    expect(imagesIn(harness.requests.at(-1))).toEqual([data]);
  },
);

test("a later model without vision gets the text only", async () => {
  let hasVision = true;
  const harness = await makeTestHarness({ seesImages: () => hasVision });
  const session = harness.session();
  harness.script(textAnswer("A cat."), textAnswer("Yes."));
  const sent = session.send("what is this?", "prompt", testCommandId(), { images: stored(harness) });
  if (!sent.ok) throw new Error(sent.error.code);
  await sent.value.done;
  hasVision = false;
  const more = session.send("sure?", "prompt", testCommandId());
  if (!more.ok) throw new Error(more.error.code);
  await more.value.done;
  expect(imagesIn(harness.requests.at(-1))).toEqual([]);
});

test("a fork and a retry keep the image", async () => {
  const harness = await seeing();
  const session = harness.session();
  const images = stored(harness);
  harness.script(textAnswer("A cat."), textAnswer("A dog."), textAnswer("Both."));
  const sent = session.send("what is this?", "prompt", testCommandId(), { images });
  if (!sent.ok) throw new Error(sent.error.code);
  await sent.value.done;
  const fork = harness
    .registry()
    .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
  if (!fork.ok) throw new Error(fork.error.code);
  const started = fork.value.send("sure?", "prompt", testCommandId());
  if (!started.ok) throw new Error(started.error.code);
  await started.value.done;
  expect(imagesIn(harness.requests.at(-1))).toEqual([data]);
  const again = session.send("what is this?", "prompt", testCommandId(), { images, rewindTo: 0 });
  if (!again.ok) throw new Error(again.error.code);
  await again.value.done;
  expect(imagesIn(harness.requests.at(-1))).toEqual([data]);
});
