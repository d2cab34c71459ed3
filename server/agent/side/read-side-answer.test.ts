import { expect, test } from "vitest";
import type { ModelPart } from "@/server/providers/provider";
import { readSideAnswer } from "./read-side-answer";

test("an answer that does not end is cut, and its stream is ended", async () => {
  let isEnded = false;
  async function* repeat(): AsyncGenerator<ModelPart> {
    try {
      for (;;) yield { type: "text", text: "word ".repeat(1_000) };
    } finally {
      isEnded = true;
    }
  }
  const answer = await readSideAnswer(repeat(), { tools: [], mode: "native" }, new AbortController().signal);
  expect(answer).toMatchObject({ ok: true, value: { isCut: true } });
  expect(isEnded).toBe(true);
});
