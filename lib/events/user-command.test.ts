import { expect, test } from "vitest";
import { formatUserCommand, parseUserCommand } from "./user-command";

test.each([
  ["!npm test", { command: "npm test", isAdded: true }],
  ["!!npm test", { command: "npm test", isAdded: false }],
  ["! ls -l\n", { command: "ls -l", isAdded: true }],
  ["!for x in a b\ndo echo $x\ndone", { command: "for x in a b\ndo echo $x\ndone", isAdded: true }],
  ["! ! grep x a.txt", { command: "! grep x a.txt", isAdded: true }],
  ["!", null],
  ["!! \n", null],
  [" !important", null],
  ["wow!", null],
])("%j is %j", (text, expected) => {
  const command = parseUserCommand(text);
  expect(command).toEqual(expected);
  if (command !== null) expect(parseUserCommand(formatUserCommand(command))).toEqual(command);
});
