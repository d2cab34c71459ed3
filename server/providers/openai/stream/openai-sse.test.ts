import { describe, expect, it } from "vitest";
import { limits } from "@/lib/settings/settings";
import { BrokenEvent, makeEventReader } from "./openai-sse";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("an event over several lines", () => {
  it("is parsed when complete, with or without the data field in each line", () => {
    const reader = makeEventReader(1_000);
    expect(reader.push(bytes('data: {"a":\ndata: 1,\n"b": 2}\n\n'))).toEqual([
      { type: "data", value: { a: 1, b: 2 }, error: false },
    ]);
  });

  it("that never completes fails after a bounded number of lines; earlier events are kept", () => {
    const reader = makeEventReader(16_777_216);
    const lines = "data: 1,\n".repeat(limits.eventMaxLines);
    let broken: unknown;
    try {
      reader.push(bytes(`data: {"a":1}\n\ndata: [\n${lines}`));
    } catch (cause) {
      broken = cause;
    }
    expect(broken).toBeInstanceOf(BrokenEvent);
    expect(broken).toMatchObject({
      sound: [{ type: "data", value: { a: 1 }, error: false }],
      cause: { error: { code: "bad_answer" } },
    });
  });
});
