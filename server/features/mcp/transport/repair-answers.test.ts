import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { readResult, repairAnswers } from "./repair-answers";
import { repairToolResult } from "./repair-content";

/** Returns the messages that reach the client of the answers to a call. */
function deliver(...answers: readonly object[]): readonly object[] {
  const delivered: object[] = [];
  const { receive, noteSent } = repairAnswers((message) => void delivered.push(message));
  noteSent({ jsonrpc: "2.0", id: 1, method: "tools/call", params: {} });
  for (const answer of answers) Reflect.apply(receive, undefined, [{ jsonrpc: "2.0", id: 1, ...answer }]);
  return delivered;
}

const content: Json = [{ type: "text", text: "done" }];

test("an error that is null beside a result is none, and a result beside an error does not count", () => {
  const [answer] = deliver({ result: { content }, error: null }, { result: { content } });
  const { result } = { result: undefined, ...answer };
  expect(readResult(result, repairToolResult)).toEqual({ content: [{ type: "text", text: "done" }], isError: false });
  const refused = { code: 1, message: "no" };
  expect(deliver({ result: { content }, error: refused })).toEqual([{ jsonrpc: "2.0", id: 1, error: refused }]);
  expect(deliver({ error: null })).toMatchObject([{ error: { message: "null" } }]);
});

test("a result that asks for input where the connection has none is a refusal, not an empty result", () => {
  const [answer] = deliver({ result: { resultType: "input_required" } });
  const { result } = { result: undefined, ...answer };
  expect(() => readResult(result, repairToolResult)).toThrow(
    expect.objectContaining({ error: expect.objectContaining({ facts: { reason: "refused" } }) }),
  );
});
