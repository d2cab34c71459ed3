import { expect, test } from "vitest";
import type { SearchHit } from "@/lib/protocol/history";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { groupHits, keyedHits, splitSnippet } from "./search-hits";

const hitOf = (session: string, seq: number, at: number, part: Partial<SearchHit> = {}): SearchHit => ({
  sessionId: asId<SessionId>(session),
  projectId: asId<ProjectId>("p1"),
  title: `Title ${session}`,
  seq,
  at,
  place: "user",
  snippet: "",
  marks: [],
  ...part,
});

test("hits are grouped by session in their order", () => {
  const groups = groupHits([
    hitOf("b", 9, 90),
    hitOf("a", 3, 80),
    hitOf("b", 2, 70),
    hitOf("a", 0, 95, { place: "title" }),
  ]);
  expect(groups.map(({ sessionId, at, hits }) => [sessionId, at, hits.map((hit) => hit.seq)])).toEqual([
    ["b", 90, [9, 2]],
    ["a", 95, [3]],
  ]);
  expect(groups.map(({ inTitle }) => inTitle?.seq ?? null)).toEqual([null, 0]);
});

test("a snippet is split at its marks", () => {
  expect(splitSnippet("修复登录页面", [[2, 4]])).toEqual([
    { from: 0, text: "修复", isMarked: false },
    { from: 2, text: "登录", isMarked: true },
    { from: 4, text: "页面", isMarked: false },
  ]);
  expect(
    splitSnippet("abab", [
      [2, 4],
      [0, 2],
    ]).map((piece) => piece.isMarked),
  ).toEqual([true, true]);
});

test.each<[string, SearchHit["marks"]]>([
  ["no mark", []],
  ["a mark beyond the end", [[1, 9]]],
  ["an empty mark", [[2, 2]]],
  ["an inverted mark", [[3, 1]]],
])("%s leaves the text in one segment", (_name, marks) => {
  expect(splitSnippet("text", marks)).toEqual([{ from: 0, text: "text", isMarked: false }]);
});

test("the first of overlapping marks applies, and no text is lost", () => {
  const pieces = splitSnippet("abcdef", [
    [1, 4],
    [2, 5],
  ]);
  expect(pieces.map((piece) => piece.text).join("")).toBe("abcdef");
  expect(pieces.filter((piece) => piece.isMarked).map((piece) => piece.text)).toEqual(["bcd"]);
});

test("every hit has a unique key, even for parallel calls, and the keys are stable", () => {
  const hits = [
    hitOf("a", 4, 90, { place: "tool" }),
    hitOf("a", 4, 90, { place: "tool" }),
    hitOf("a", 4, 90, { place: "assistant" }),
    hitOf("a", 4, 90, { place: "tool" }),
    hitOf("a", 3, 80, { place: "tool" }),
  ];
  const keys = keyedHits(hits).map(({ key }) => key);
  expect(new Set(keys).size).toBe(hits.length);
  expect(keyedHits(hits).map(({ hit }) => hit)).toEqual(hits);
  expect(keyedHits([...hits]).map(({ key }) => key)).toEqual(keys);
});
