import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { historyMaxEntries, openChatHistory } from "./chat-history";

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), "gopi-chat-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

test("the newest entry is first, also for the next chat, and only the user can read the file", () => {
  const home = makeHome();
  const history = openChatHistory(home);
  for (const text of ["one", "两行\n的", "两行\n的", "three"]) history.add(text);
  expect(history.entries()).toEqual(["three", "两行\n的", "one"]);
  expect(openChatHistory(home).entries()).toEqual(history.entries());
  expect(statSync(join(home, "chat-history.jsonl")).mode & 0o777).toBe(0o600);
});

test("a damaged line is left out, and a long file is shortened", () => {
  const home = makeHome();
  const path = join(home, "chat-history.jsonl");
  const lines = Array.from({ length: 3 * historyMaxEntries }, (_, index) => `"${index}"`);
  writeFileSync(path, [...lines, '{"no":"text"}', '"torn'].join("\n"));
  const entries = openChatHistory(home).entries();
  expect([entries.length, entries[0]]).toEqual([historyMaxEntries, `${3 * historyMaxEntries - 1}`]);
  expect(readFileSync(path, "utf8").trimEnd().split("\n")).toHaveLength(historyMaxEntries);
});

test("a home that cannot be written has no history that outlives the chat", () => {
  const history = openChatHistory(join(makeHome(), "missing"));
  history.add("one");
  expect(history.entries()).toEqual(["one"]);
});
