import { expect, test } from "vitest";
import { testActionContext, testClient } from "../../../shell/frame/test-render";
import { matchSlashCommands, slashText } from "./match-slash-commands";
import { parseSlashCommand } from "./slash-commands";

const client = testClient();
const nothing = (): void => undefined;
client.handles.composer = {
  findMenu: () => null,
  setMode: nothing,
  setModel: nothing,
  modelNames: () => ["qwen3:8b-long", "qwen3:8b", "Gemma3:4b"],
  send: nothing,
  session: {
    compact: () => Promise.resolve(true),
    fork: nothing,
    rewind: nothing,
    undo: nothing,
    redo: nothing,
    rename: nothing,
    save: nothing,
  },
  pins: null,
};
const inSession = { ...testActionContext(client), hasSession: true };
const inNewSession = testActionContext(testClient());

test.each([
  ["/compact", { id: "compact" }],
  ["/compact  the failing tests ", { id: "compact", argument: "the failing tests" }],
  ["/compact two\nlines", { id: "compact", argument: "two\nlines" }],
  ["  /compact", { id: "compact" }],
  ["/compacting is hard", null],
  ["/usr/bin/env is missing", null],
  ["/tree", { id: "tree" }],
  ["/tree of life", null],
  ["/trees are green", null],
  ["/clear", { id: "newSession" }],
  ["/model qwen3:8b", { id: "model", argument: "qwen3:8b" }],
  ["/Compact", null],
  ["please /compact", null],
  ["/", null],
  ["", null],
])("%j means %j", (text, expected) => {
  const command = parseSlashCommand(text, inSession);
  const { action, argument } = command ?? {};
  expect(action === undefined ? null : { id: action.id, ...(argument === undefined ? {} : { argument }) }).toEqual(
    expected,
  );
});

test("without a session its commands are messages", () => {
  expect(parseSlashCommand("/compact", inNewSession)).toBeNull();
  expect(parseSlashCommand("/help", inNewSession)?.action.id).toBe("help");
  expect(parseSlashCommand("/help", null)).toBeNull();
});

test.each([
  ["/re", ["resume", "rewind", "redo"]],
  ["/c", ["clear", "compact"]],
  ["/compact", ["compact"]],
  ["/compact ", []],
  ["/x", []],
  ["co", []],
  [" /co", []],
  ["/mode ", ["mode ask", "mode edits", "mode plan", "mode full"]],
  ["/mode p", ["mode plan"]],
  ["/mode plan now", []],
  ["/model ", ["model qwen3:8b-long", "model qwen3:8b", "model Gemma3:4b"]],
  ["/model qwen3:8b", ["model qwen3:8b", "model qwen3:8b-long"]],
  ["/model g", ["model Gemma3:4b"]],
  ["/theme d", ["theme dark", "theme dark-contrast", "theme dark-blue"]],
  ["/title ", []],
])("%j offers %j", (text, names) =>
  expect(matchSlashCommands(text, inSession).map(slashText)).toEqual(names.map((name) => `/${name}`)),
);

test("a slash offers every available command once, by its first name", () => {
  const offered = matchSlashCommands("/", inSession).map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(["new", "mode", "fork", "theme", "help"]));
  expect(offered).not.toContain("clear");
  expect(matchSlashCommands("/", inNewSession).map(({ name }) => name)).not.toContain("fork");
});
