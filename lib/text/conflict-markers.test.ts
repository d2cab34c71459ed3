import { expect, test } from "vitest";
import { findConflictMarkers, takeRegion } from "./conflict-markers";

const text = [
  "one",
  "<<<<<<< HEAD",
  "ours 1",
  "ours 2",
  "=======",
  "theirs",
  ">>>>>>> 功能/价格",
  "between",
  "<<<<<<< ours",
  "||||||| base of both",
  "base",
  "=======",
  "more",
  ">>>>>>> theirs",
  "",
].join("\n");

test("regions have both sides, the common version where it is written, and their names", () => {
  const { regions, looseLine } = findConflictMarkers(text);
  expect(regions).toMatchObject([
    { line: 2, ours: "ours 1\nours 2\n", theirs: "theirs\n", base: null, names: { ours: "HEAD", theirs: "功能/价格" } },
    { line: 9, ours: "", base: "base\n", theirs: "more\n", names: { ours: "ours", theirs: "theirs" } },
  ]);
  expect(looseLine).toBeNull();
  const [first, second] = regions;
  expect(text.slice(0, first?.from) + text.slice(first?.to, second?.from)).toBe("one\nbetween\n");
  expect(regions.map((region) => [takeRegion(region, "both"), takeRegion(region, "base")])).toEqual([
    ["ours 1\nours 2\ntheirs\n", null],
    ["more\n", "base\n"],
  ]);
});

test("line ends stay as they are, also without a last one", () => {
  const marked = "<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b";
  const sides = { ours: "x\r\n", theirs: "y\r\n", names: { ours: "a", theirs: "b" } };
  expect(findConflictMarkers(marked).regions).toMatchObject([{ ...sides, from: 0, to: marked.length }]);
});

test("markers of another length are text, and so are longer ones in a region", () => {
  expect(findConflictMarkers("<<<<<<<<< a\nx\n=========\n", 7)).toEqual({ regions: [], looseLine: null });
  expect(findConflictMarkers(text.replaceAll(/([<=>|])\1{6}/g, "$1$1$1$1$1$1$1$1$1$1"), 10).regions).toHaveLength(2);
  const nested = "<<<<<<< a\nx\n||||||| base\n<<<<<<<<< c\nd\n=========\ne\n>>>>>>>>> f\n=======\ny\n>>>>>>> b\n";
  expect(findConflictMarkers(nested).regions).toMatchObject([{ base: expect.stringContaining("<<<<<<<<< c\nd\n") }]);
});

test.each([
  ["a line of the text that looks like the separator", "<<<<<<< a\nTitle\n=======\nx\n=======\ny\n>>>>>>> b\n", 1],
  ["a region that does not end", "x\n<<<<<<< a\nx\n=======\ny\n", 2],
  ["an end without a start", "x\ny\n>>>>>>> b\n", 3],
  ["a start in a region", "<<<<<<< a\n<<<<<<< b\nx\n=======\n>>>>>>> c\n", 1],
])("%s is a loose marker", (_, marked, line) => {
  expect(findConflictMarkers(marked).looseLine).toBe(line);
});

test("a heading with equal signs is no marker", () => {
  expect(findConflictMarkers("Title\n=======\n<<<<<<<\n")).toEqual({ regions: [], looseLine: 3 });
  expect(findConflictMarkers("Title\n=======\ntext\n")).toEqual({ regions: [], looseLine: null });
});
