/** Properties of the answer pipeline over the reader's corpora: chunking has no effect, and displayed text is final. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "@/lib/events/content";
import { lawRuns } from "@/lib/testing/law-runs";
import type { ViewBlock } from "@/lib/view/view";
import { allCases } from "../reader/corpus/all";
import { type StreamPiece, runPipeline, providerWires } from "./test-pipeline";

const textOf = (blocks: readonly (Block | ViewBlock)[]): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
/** Without what the wires name differently: ids of calls and fields of reasoning. */
const plain = (blocks: readonly Block[]) =>
  blocks.map((block) =>
    block.type === "call" || block.type === "thinking" ? { ...block, callId: "", from: undefined } : block,
  );
const thinking: StreamPiece = { thinking: "Let me see." };
const call: StreamPiece = { call: { name: "ls", input: { path: "src/native" } } };
const texts = (...pieces: readonly string[]): readonly StreamPiece[] => pieces.map((text) => ({ text }));

/**
 * A closing think marker whose opening one was in the prompt turns displayed text into thinking: the only exception.
 */
const closesUnopened = (text: string): boolean =>
  /<\/(?:\w+:)?think(?:ing)?>|\[\/THINK\]|<\|END_THINKING\|>|◁\/think▷/.test(text);

/** Content around the text on the wire. */
const settings = {
  alone: (pieces: readonly StreamPiece[]) => pieces,
  "behind thinking": (pieces: readonly StreamPiece[]) => [thinking, ...pieces],
  "behind a native call": (pieces: readonly StreamPiece[]) => [call, ...pieces],
  "between both": (pieces: readonly StreamPiece[]) => [thinking, ...pieces, call],
} as const;

const usual = allCases.filter((one) => one.cut !== true);

test("an answer is independent of the wire and its chunks, and displayed text is a prefix of the stored text", () => {
  fc.assert(
    fc.property(fc.constantFrom(...usual), fc.constantFrom(...Object.values(settings)), (one, around) => {
      const mode = one.modes?.[0] ?? "native";
      const wanted = runPipeline("ollama", mode, around(texts(one.text)));
      const checkPipeline = (...args: Parameters<typeof runPipeline>): void => {
        const { stored, views, finalView } = runPipeline(...args);
        expect(plain(stored)).toEqual(plain(wanted.stored));
        expect(finalView).toEqual(stored);
        if (closesUnopened(one.text)) return;
        for (const view of views) {
          // Only spaces at the end, before a call on the same line, may disappear.
          const shown = textOf(view).replace(/ +$/, "");
          expect(textOf(stored).slice(0, shown.length)).toBe(shown);
        }
      };
      for (const wire of providerWires) checkPipeline(wire, mode, around(texts(...one.text)));
      checkPipeline("openai", mode, around(texts(one.text)), 7);
    }),
    { numRuns: lawRuns(2_000) },
  );
});
