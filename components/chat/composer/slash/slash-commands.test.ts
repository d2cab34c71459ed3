import { expect, test } from "vitest";
import { parseSlashCommand, matchSlashCommands } from "./slash-commands";

test.each([
  ["/compact", { name: "compact", rest: "" }],
  ["/compact  the failing tests ", { name: "compact", rest: "the failing tests" }],
  ["/compact two\nlines", { name: "compact", rest: "two\nlines" }],
  ["  /compact", { name: "compact", rest: "" }],
  ["/compacting is hard", null],
  ["/usr/bin/env is missing", null],
  ["/tree", { name: "tree", rest: "" }],
  ["/trees are green", null],
  ["/Compact", null],
  ["please /compact", null],
  ["/", null],
  ["", null],
])("%j means %j", (text, command) => expect(parseSlashCommand(text)).toEqual(command));

test.each([
  ["/", ["compact", "tree", "rewind", "fork", "redo"]],
  ["/re", ["rewind", "redo"]],
  ["/co", ["compact"]],
  ["/compact", ["compact"]],
  ["/compact ", []],
  ["/x", []],
  ["co", []],
  [" /co", []],
])("%j offers %j", (text, names) => expect(matchSlashCommands(text)).toEqual(names));
