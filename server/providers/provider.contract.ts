/** Contract tests for every provider; `start` sets up the provider with a scripted server. */
import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "@/lib/events/content";
import type { ModelPart, ModelRequest, Provider } from "./provider";

/** One scripted answer; a line is one event on the wire. */
export interface ContractTurn {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: Json }[];
  /** Pauses after this many lines until release. */
  readonly holdAfter?: number;
  /** Breaks the connection after this many lines. */
  readonly breakAfter?: number;
  /** Status with which the request is refused. */
  readonly status?: number;
}

interface ContractSubject {
  readonly provider: Provider;
  readonly request: ModelRequest;
  /** Resolves when the server has seen the connection of the last request close. */
  connectionClosed(): Promise<void>;
  close(): Promise<void>;
}

/** Merges consecutive parts of one kind into one block. */
export function mergeModelParts(parts: readonly ModelPart[]): readonly ModelPart[] {
  const blocks: ModelPart[] = [];
  for (const part of parts) {
    if (part.type !== "text" && part.type !== "thinking") {
      blocks.push(part);
      continue;
    }
    const { type, text } = part;
    const last = blocks.at(-1);
    if (last?.type === type) blocks[blocks.length - 1] = { type, text: last.text + text };
    else blocks.push({ type, text });
  }
  return blocks;
}

/** Collects all parts except progress: phases, and calls being generated. */
export async function collect(stream: AsyncIterable<ModelPart>): Promise<readonly ModelPart[]> {
  return (await collectAll(stream)).filter(({ type }) => type !== "phase" && type !== "input");
}

async function collectAll(stream: AsyncIterable<ModelPart>): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** Streamed input of each call by index, with the name given first. */
function collectInputs(
  parts: readonly ModelPart[],
): readonly { readonly name: string | undefined; readonly text: string }[] {
  const calls: { name: string | undefined; text: string }[] = [];
  for (const part of parts) {
    if (part.type !== "input") continue;
    const call = (calls[part.index] ??= { name: part.name, text: "" });
    call.text += part.text;
  }
  return calls;
}

const partKinds = (parts: readonly ModelPart[]): readonly string[] => mergeModelParts(parts).map(({ type }) => type);

export function describeProvider(
  name: string,
  start: (turns: readonly ContractTurn[]) => Promise<ContractSubject>,
): void {
  describe(`${name} keeps the provider contract`, () => {
    let subject: ContractSubject | undefined;
    const begin = async (...turns: readonly ContractTurn[]): Promise<ContractSubject> => (subject = await start(turns));
    const idle = (): AbortSignal => new AbortController().signal;
    afterEach(() => subject?.close());

    it("streams the text of an answer, then its end", async () => {
      const { provider, request } = await begin({ text: "Hello there, this is the answer." });
      const parts = mergeModelParts(await collect(provider.stream(request, idle())));
      expect(parts[0]).toEqual({ type: "text", text: "Hello there, this is the answer." });
      expect(parts[1]).toMatchObject({ type: "finish", stop: "done" });
      expect(parts).toHaveLength(2);
    });

    it("streams text as it arrives, not at the end of the answer", async () => {
      const { provider, request } = await begin({ text: "first second", holdAfter: 1 });
      const stop = new AbortController();
      let seen = "";
      for await (const part of provider.stream(request, stop.signal)) {
        if (part.type !== "text") continue;
        seen += part.text;
        stop.abort();
      }
      expect(seen).toBe("first");
    });

    it("separates thinking, text and calls and keeps their order", async () => {
      const { provider, request } = await begin({
        thinking: "Let me see.",
        text: "I look.",
        calls: [{ name: "ls", input: {} }],
      });
      expect(partKinds(await collect(provider.stream(request, idle())))).toEqual([
        "thinking",
        "text",
        "call",
        "finish",
      ]);
    });

    it("returns every call of an answer whole, including identical ones", async () => {
      const input = { path: "a b/ü.ts", limit: 2, deep: { list: [1, null, true] } };
      const calls = [
        { name: "read", input },
        { name: "read", input },
        { name: "ls", input: {} },
      ];
      const { provider, request } = await begin({ calls });
      const received = (await collect(provider.stream(request, idle()))).filter((part) => part.type === "call");
      expect(received.map((part) => ({ name: part.name, input: part.input }))).toEqual(calls);
    });

    it("streams the input of a call in pieces that add up to the call", async () => {
      const calls: ContractTurn["calls"] = [
        { name: "write", input: { path: "ü.ts", text: 'a "b" {c} \u2028 😀' } },
        { name: "ls", input: {} },
      ];
      const { provider, request } = await begin({ text: "I write.", calls });
      const parts = await collectAll(provider.stream(request, idle()));
      const received = parts.flatMap((part) => (part.type === "call" ? [part] : []));
      for (const [index, { name, text }] of collectInputs(parts).entries())
        expect({ name, input: JSON.parse(text) }).toEqual({
          name: received[index]?.name,
          input: received[index]?.input,
        });
      expect(received).toHaveLength(2);
      expect(parts.findLastIndex(({ type }) => type === "input")).toBeLessThan(
        parts.findIndex(({ type }) => type === "call"),
      );
    });

    it("preserves every character of every script", async () => {
      const text = "naïve 你好，世界 👩‍👩‍👧‍👦 \u{1F600} עברית \u0000 \u2028 end";
      const { provider, request } = await begin({ text });
      expect(mergeModelParts(await collect(provider.stream(request, idle())))[0]).toEqual({ type: "text", text });
    });

    it("ends without a last part and closes the connection when aborted in mid-answer", async () => {
      const { provider, request, connectionClosed } = await begin({ text: "one two three four", holdAfter: 2 });
      const stop = new AbortController();
      const parts: ModelPart[] = [];
      for await (const part of provider.stream(request, stop.signal)) {
        parts.push(part);
        if (part.type === "text") stop.abort();
      }
      await connectionClosed();
      expect(parts.some(({ type }) => type === "finish" || type === "failed")).toBe(false);
    });

    it("ends without a last part and closes the connection when aborted before the first byte", async () => {
      const { provider, request, connectionClosed } = await begin({ text: "never", holdAfter: 0 });
      const stop = new AbortController();
      const parts = collect(provider.stream(request, stop.signal));
      setImmediate(() => stop.abort());
      expect(await parts).toEqual([]);
      await connectionClosed();
    });

    it("sends no request when aborted before it began", async () => {
      const { provider, request } = await begin({ text: "never" });
      expect(await collect(provider.stream(request, AbortSignal.abort()))).toEqual([]);
    });

    it("closes the connection when its reader leaves", async () => {
      const { provider, request, connectionClosed } = await begin({ text: "one two three", holdAfter: 1 });
      for await (const part of provider.stream(request, idle())) if (part.type === "text") break;
      await connectionClosed();
    });

    it("fails once and never finishes when the connection breaks, after the parts received", async () => {
      const { provider, request } = await begin({ text: "one two three", breakAfter: 2 });
      const parts = mergeModelParts(await collect(provider.stream(request, idle())));
      expect(parts[0]).toEqual({ type: "text", text: "one two" });
      expect(parts[1]).toMatchObject({ type: "failed", error: { code: "connection_lost" }, retryable: true });
      expect(parts).toHaveLength(2);
    });

    it("fails once when the request is refused", async () => {
      const { provider, request } = await begin({ status: 500 });
      const parts = await collect(provider.stream(request, idle()));
      expect(parts).toMatchObject([{ type: "failed", error: { code: "server_error" }, retryable: true }]);
    });

    it("answers concurrent requests without mixing them", async () => {
      const { provider, request } = await begin({ text: "alpha alpha" }, { text: "beta beta" });
      const both = await Promise.all([1, 2].map(() => collect(provider.stream(request, idle()))));
      const texts = both.flatMap((parts) =>
        mergeModelParts(parts).flatMap((part) => (part.type === "text" ? [part.text] : [])),
      );
      expect(texts.sort()).toEqual(["alpha alpha", "beta beta"]);
    });
  });
}
