import { expect, test } from "vitest";
import { MessageLines } from "./chat-editor";

test("a backslash at the end of a line continues the message", () => {
  const message = new MessageLines();
  expect([message.add("one\\"), message.add("二\\"), message.add("three")]).toEqual([null, null, "one\n二\nthree"]);
  expect(message.isEmpty).toBe(true);
});

test("a paste is one message, with its tabs and backslashes, and ends with the next Enter", () => {
  const message = new MessageLines();
  message.key({ name: "paste-start" });
  const tab = { name: "tab" };
  message.key(tab);
  expect(tab.name).toBe("");
  expect([message.add("a\\"), message.add("\tb")]).toEqual([null, null]);
  message.key({ name: "paste-end" });
  message.key(tab);
  expect(message.add("")).toBe("a\\\n\tb");
});

test("clearing forgets the lines and a paste that has no end", () => {
  const message = new MessageLines(["kept"]);
  expect(message.lines).toEqual(["kept"]);
  message.key({ name: "paste-start" });
  message.clear();
  expect(message.add("new")).toBe("new");
});

test("an earlier message of several lines keeps them, however Node joins them", () => {
  expect(["a\n\tb", "a\r\tb"].map((line) => new MessageLines().add(line))).toEqual(["a\n\tb", "a\n\tb"]);
});
