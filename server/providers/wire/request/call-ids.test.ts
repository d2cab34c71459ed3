import { describe, expect, test } from "vitest";
import type { CallIdForm } from "@/lib/events/event";
import { asId, type CallId } from "@/lib/events/id";
import type { ModelMessage } from "../../provider";
import { wireCallIds } from "./call-ids";

const own = (id: string, name = "ls") => ({ name, from: { server: "own", id } });
const foreign = (id: string, name = "ls") => ({ name, from: { server: "other", id } });
const textCall = (name = "ls") => ({ name });
type TestCall = { readonly name: string; readonly from?: { readonly server: string; readonly id: string } };

/** The ids of calls, one list for each answer; ours are c0, c1 … */
function idsOf(answers: readonly (readonly TestCall[])[], callIds?: CallIdForm): readonly string[] {
  const fresh = answers.flat().map((_call, index) => asId<CallId>(`c${index}`));
  const free = [...fresh];
  const messages = answers.map(
    (calls): ModelMessage => ({
      role: "assistant",
      text: "",
      calls: calls.map((call) => ({ callId: free.shift() ?? expect.fail(), input: {}, ...call })),
    }),
  );
  return fresh.map(wireCallIds(messages, { provider: "own", callIds }));
}

describe("the id of a call", () => {
  test.each<readonly [string, CallIdForm | undefined, readonly (readonly TestCall[])[], readonly string[]]>([
    [
      "is the server's, byte for byte",
      undefined,
      [[own("functions.read:0"), own(" x/#")]],
      ["functions.read:0", " x/#"],
    ],
    ["is ours without one, and after another server", undefined, [[textCall()], [foreign("call_1")]], ["c0", "c1"]],
    ["may be the same in two answers", undefined, [[own("call_0")], [own("call_0")]], ["call_0", "call_0"]],
    ["is ours for the second call of an answer with it", undefined, [[own("a"), own("a")]], ["a", "c1"]],
    [
      "counts over the session for Kimi",
      "kimi",
      [[foreign("call_1", "read"), textCall("ls")], [textCall("read")]],
      ["functions.read:0", "functions.ls:1", "functions.read:2"],
    ],
    [
      "goes on counting after Kimi's own",
      "kimi",
      [[own("functions.ls:4")], [textCall("read")], [own("call_x")], [textCall("ls")]],
      ["functions.ls:4", "functions.read:5", "call_x", "functions.ls:7"],
    ],
  ])("%s", (_name, form, answers, expected) => {
    expect(idsOf(answers, form)).toEqual(expected);
  });

  test("has nine letters and digits where they are asked for, always the same ones", () => {
    const answers = [
      [own("abcDEF123"), own("call_1")],
      [foreign("zzzzzzzzz"), textCall()],
    ];
    const ids = idsOf(answers, "nine");
    expect(ids[0]).toBe("abcDEF123");
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(new Set(ids).size).toBe(4);
    expect(idsOf([...answers, [textCall()]], "nine").slice(0, 4)).toEqual(ids);
  });
});
