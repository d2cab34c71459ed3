/** Abilities of the real llama-server: what goes back to it, exact counts, held answers, thinking that is ended. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { pathEntries } from "@/lib/view/view";
import { neverAborted } from "@/server/base/abort";
import { makeOpenAi } from "@/server/providers/openai/openai";
import type { ModelRequest } from "@/server/providers/provider";
import { collect } from "@/server/providers/provider.contract";
import type { Session } from "@/server/session/core/session-types";
import { findServerForLaws, startLlamaServer } from "./test-llama-server";
import { makeModelRig, type ModelRig } from "./test-model-rig";
import { answersOf, callText, openTinySession, sendPrompt } from "./test-tiny-session";
import { startWireServer } from "./test-wire-server";

const { program, isFound, title, timeout } = await findServerForLaws();

interface Bench {
  readonly rig: ModelRig;
  readonly session: Session;
  /** Address of the server itself. */
  readonly baseUrl: string;
  /** Bodies of the requests for answers, with the texts of the answers. */
  readonly chats: { readonly body: string; answer: string }[];
}

/** A session whose requests pass a recorder. */
async function benchFor(model: TinyModel): Promise<Bench> {
  const { baseUrl } = await startLlamaServer(program, model, 65_536);
  const chats: Bench["chats"] = [];
  const recorder = await startWireServer(async ({ method = "", url = "", headers }, body, response) => {
    const { "x-conversation-id": held } = headers;
    const answer = await fetch(new URL(url, baseUrl), {
      method,
      headers: { "content-type": "application/json", ...(held !== undefined && { "x-conversation-id": `${held}` }) },
      ...(method === "POST" && { body }),
    });
    const isChat = method === "POST" && url.endsWith("/chat/completions");
    const chat = { body, answer: "" };
    if (isChat) chats.push(chat);
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const chunk of answer.body ?? []) {
      if (isChat) chat.answer += Buffer.from(chunk).toString();
      response.write(chunk);
    }
    response.end();
  });
  const rig = await makeModelRig();
  const connection = { name: "Real", preset: "llamacpp", baseUrl: recorder, model: "", numCtx: 0 };
  const saved = rig.access.connections.save(connection);
  if (!saved.ok) throw new Error(saved.error.code);
  const listed = await rig.access.connections.models({ id: saved.value.id });
  if (!listed.ok) throw new Error(listed.error.code);
  const session = await openTinySession(rig, { name: "", connection: saved.value.id, toolMode: "native", think: true });
  return { rig, session, baseUrl, chats };
}

const textOf = ({ view }: Session): string =>
  (answersOf(view).at(-1)?.blocks ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

const hasText = (session: Session, isWanted: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const check = (): void => {
      if (!isWanted()) return;
      stop();
      resolve();
    };
    const stop = session.subscribe(check);
    check();
  });

const isProcessing = async (baseUrl: string): Promise<boolean> => {
  const slots: readonly { readonly is_processing: boolean }[] = await (await fetch(new URL("/slots", baseUrl))).json();
  return slots.some((slot) => slot.is_processing);
};

const countTo = (last: number): string => Array.from({ length: last }, (_, at) => `${at}`).join(" ");

describe.skipIf(!isFound)(title, () => {
  test("keeps the whole prompt over twelve turns with their reasoning, by its own figures", { timeout }, async () => {
    const thoughts = Array.from({ length: 12 }, (_, at) => `Thought number ${at * 7} weighs part ${at * 13}.`);
    const answers = thoughts.map((thinking, at) => ({ thinking, text: `Answer ${at * 11} names part ${at * 17}.` }));
    const { session } = await benchFor({ answers });
    for (const [at] of thoughts.entries()) expect(await sendPrompt(session, `Question ${at}?`)).toBe("done");
    const uses = answersOf(session.view).map(({ usage }) => usage);
    expect(uses).toHaveLength(12);
    for (const [at, now] of uses.entries()) {
      const before = uses[at - 1];
      if (before === undefined) continue;
      expect(now?.cachedTokens).toBeGreaterThanOrEqual(before.promptTokens);
      // In the prompt, the model has a token for each byte.
      expect((now?.promptTokens ?? 0) - before.promptTokens).toBeGreaterThan(thoughts[at - 1]?.length ?? 0);
    }
  });

  test("gets its call ids back byte for byte", { timeout }, async () => {
    const call = (path: string) => ({ thinking: `I look at ${path}.`, text: callText("native", "read", { path }) });
    const { rig, session, chats } = await benchFor({
      answers: [call("one.txt"), call("two.txt"), { thinking: "Enough.", text: "Both are read." }],
    });
    for (const name of ["one.txt", "two.txt"]) writeFileSync(join(rig.root, name), `${name}\n`);
    expect(await sendPrompt(session, "Read both.")).toBe("done");
    const sent = chats.flatMap(({ answer }) => [...answer.matchAll(/"tool_calls":\[\{[^}]*?"id":"([^"]+)"/g)]);
    const ids = sent.map(([, id]) => id);
    expect(new Set(ids).size).toBe(2);
    const { messages } = JSON.parse(chats.at(-1)?.body ?? "");
    expect(
      messages
        .flatMap((one: { tool_calls?: { id: string }[] }) => one.tool_calls ?? [])
        .map(({ id }: { id: string }) => id),
    ).toEqual(ids);
    expect(messages.flatMap((one: { tool_call_id?: string }) => one.tool_call_id ?? [])).toEqual(ids);
    expect(messages.flatMap((one: { reasoning_content?: string }) => one.reasoning_content?.trim() ?? [])).toEqual([
      "I look at one.txt.",
      "I look at two.txt.",
    ]);
  });

  test("counts a prompt exactly as it reads it", { timeout }, async () => {
    const { baseUrl } = await startLlamaServer(program, { answers: [{ thinking: "Hm.", text: "Yes." }] }, 16_384);
    const provider = makeOpenAi({ id: "llamacpp", baseUrl: () => baseUrl, apiKey: () => null });
    const request: ModelRequest = {
      provider: "llamacpp",
      model: "m",
      messages: [
        { role: "system", text: "You answer." },
        { role: "user", text: "Is it so? 是吗？" },
      ],
      tools: [{ name: "ls", description: "lists a folder", parameters: { type: "object", properties: {} } }],
      numCtx: 16_384,
      think: true,
      keepAliveMinutes: 30,
      maxOutputTokens: 512,
    };
    const counted = await provider.countTokens("llamacpp", request, neverAborted);
    const finish = (await collect(provider.stream(request, neverAborted))).at(-1);
    expect(finish?.type === "finish" && finish.usage.promptTokens).toBe(counted);
  });

  test("holds an answer while this program is killed, and gives the rest without reading again", {
    timeout,
  }, async () => {
    const { rig, session, chats } = await benchFor({ answers: [{ thinking: "I count.", text: countTo(6_000) }] });
    void sendPrompt(session, "Count.");
    await hasText(session, () => textOf(session).length > 0);
    session.suspend();
    const { registry, sessions } = rig.restart();
    sessions.recoverAll();
    const next = registry.get(session.id);
    if (next === undefined) throw new Error("the session is gone");
    await hasText(next, () => next.view.run === null);
    expect(answersOf(next.view)).toMatchObject([{ stop: "done" }]);
    expect(textOf(next).trim()).toBe(countTo(6_000));
    expect(chats).toHaveLength(1);
  });

  test("ends a held answer at Stop", { timeout }, async () => {
    const { session, baseUrl } = await benchFor({ answers: [{ text: "and so on ", repeats: "text" }] });
    const ended = sendPrompt(session, "Go.");
    await hasText(session, () => textOf(session).length > 0);
    await session.abort();
    expect(await ended).toBe("aborted");
    await expect.poll(() => isProcessing(baseUrl)).toBe(false);
  });

  // The sampler that ends thinking knows the tags by their tokens, which the tiny model joins: it is asked again.
  test("answers when the user ends its thinking, in one request or two", { timeout }, async () => {
    const thinking = "I turn it over once more, ";
    const { session, chats } = await benchFor({
      answers: [{ thinking: `${thinking}${countTo(9_000)}`, text: "Done now." }],
    });
    const ended = sendPrompt(session, "Go.");
    await hasText(session, () => answersOf(session.view).at(-1)?.blocks[0]?.type === "thinking");
    expect(session.controls.answerNow()).toBe(true);
    expect(await ended).toBe("done");
    expect(textOf(session).trim()).toBe("Done now.");
    expect(chats.length).toBeLessThanOrEqual(2);
    const retries = pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.error.code] : []));
    expect(retries).toEqual(chats.slice(1).map(() => "answer_now"));
  });
});
