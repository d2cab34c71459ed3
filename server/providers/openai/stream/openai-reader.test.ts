import { expect, test } from "vitest";
import { makeOpenAiReader } from "./openai-reader";

test("comments of a router before the first event are the place in its queue, and end no answer", () => {
  const options = { maxChars: 1_000, now: () => 0 };
  const reader = makeOpenAiReader(options, { key: null, model: "m" }, {});
  const take = (text: string) => [...reader.take(new TextEncoder().encode(text))].flat();
  expect(take(": queued 3\n\n: que")).toEqual([{ type: "phase", phase: "queued", position: 3 }]);
  expect(take("ued 2\n\n")).toEqual([{ type: "phase", phase: "queued", position: 2 }]);
  // No time limit of silence before the answer begins.
  expect(reader.stallLimit({ stallMs: 1 })).toBeUndefined();
  expect(take('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n')).toMatchObject([{ type: "text" }]);
  expect(reader.stallLimit({ stallMs: 1 })).toEqual({ stallMs: 1 });
});
