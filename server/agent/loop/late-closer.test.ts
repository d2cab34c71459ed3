import { describe, expect, test } from "vitest";
import type { LateSplit } from "@/lib/models/models";
import type { ModelPart } from "@/server/providers/provider";
import { makeLateCloser } from "./late-closer";

type Piece = Extract<ModelPart, { type: "text" | "thinking" | "input" }>;
const text = (piece: string): Piece => ({ type: "text", text: piece });
const reasoning = (piece: string): Piece => ({ type: "thinking", text: piece, field: "reasoning" });

/** The kinds and texts of all parts, in order, and what was certain before the end. */
function run(split: LateSplit | undefined, pieces: readonly Piece[]) {
  const closer = makeLateCloser(split);
  const before = pieces.flatMap(closer.take);
  const show = (parts: readonly ModelPart[]) =>
    parts.flatMap((part) =>
      part.type === "text" || part.type === "thinking" || part.type === "input" ? [`${part.type}: ${part.text}`] : [],
    );
  return { live: show(before), end: show(closer.end()), parts: before };
}

describe("thinking that arrives as text", () => {
  test.each<readonly [name: string, split: LateSplit, pieces: readonly Piece[], live: readonly string[]]>([
    [
      "the rest of it",
      "rest",
      [reasoning("a"), text("rest of "), text("it </thi"), text("nk>\n\nAns"), text("wer")],
      ["thinking: a", "thinking: rest of it ", "text: Ans", "text: wer"],
    ],
    ["all of it", "all", [text("I think"), text(".</think>"), text("\nYes.")], ["thinking: I think.", "text: \nYes."]],
    ["nothing of it before the closer", "all", [text("</think>\n\nYes.")], ["text: Yes."]],
  ])("%s is separated at its closer", (_name, split, pieces, live) => {
    expect(run(split, pieces)).toMatchObject({ live, end: [] });
  });

  test("has the field of the thinking before it", () => {
    const { parts } = run("rest", [reasoning("a"), text("b</think>c")]);
    expect(parts).toMatchObject([reasoning("a"), reasoning("b"), text("c")]);
  });

  test.each<readonly [name: string, split: LateSplit | undefined, pieces: readonly Piece[], live: readonly string[]]>([
    [
      "a model of which nothing was seen",
      undefined,
      [reasoning("a"), text("b</think>c")],
      ["thinking: a", "text: b</think>c"],
    ],
    ["the rest of thinking that never began", "rest", [text("b"), text("c")], ["text: b", "text: c"]],
    ["all of thinking that had a field", "all", [reasoning("a"), text("b")], ["thinking: a", "text: b"]],
    [
      "more text than a rest of thinking has",
      "rest",
      [reasoning("a"), text("b".repeat(1_001)), text("c")],
      ["thinking: a", `text: ${"b".repeat(1_001)}`, "text: c"],
    ],
    ["a call", "all", [text("b"), { type: "input", index: 0, name: "ls", text: "{" }], ["text: b", "input: {"]],
  ])("is not expected: %s", (_name, split, pieces, live) => {
    expect(run(split, pieces)).toMatchObject({ live, end: [] });
  });

  test("is text where the answer ends without a closer", () => {
    expect(run("all", [text("Yes"), text(".")])).toMatchObject({ live: [], end: ["text: Yes."] });
  });
});
