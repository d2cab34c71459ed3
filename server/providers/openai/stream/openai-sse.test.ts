import { describe, expect, it } from "vitest";
import { eventMaxLines, makeEventReader, type ServerEvent } from "./openai-sse";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("an event over several lines", () => {
  it("is parsed when complete, with or without the data field in each line", () => {
    const reader = makeEventReader();
    expect([...reader.push(bytes('data: {"a":\ndata: 1,\n"b": 2}\n\n'))]).toEqual([
      { type: "data", value: { a: 1, b: 2 }, error: false },
    ]);
  });

  it("that never completes fails after a bounded number of lines; earlier events are kept", () => {
    const reader = makeEventReader();
    const lines = "data: 1,\n".repeat(eventMaxLines);
    const events: ServerEvent[] = [];
    expect(() => {
      for (const event of reader.push(bytes(`data: {"a":1}\n\ndata: [\n${lines}`))) events.push(event);
    }).toThrow(expect.objectContaining({ error: expect.objectContaining({ code: "bad_answer" }) }));
    expect(events).toEqual([{ type: "data", value: { a: 1 }, error: false }]);
  });
});
