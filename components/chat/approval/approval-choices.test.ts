import { describe, expect, test } from "vitest";
import type { RulePattern } from "@/lib/permissions/policy";
import {
  interpretCardKey,
  type CardKeyPress,
  type ApprovalChoice,
  listApprovalChoices,
  findChoiceKey,
  type PageKeyContext,
  interpretPageKey,
} from "./approval-choices";
import { formatRule, parseRule } from "./rule-text";

const rule: RulePattern = { tool: "bash", words: ["npm", "test"], rest: true };
const key = (name: string, more: Partial<CardKeyPress> = {}): CardKeyPress => ({
  key: name,
  modified: false,
  composing: false,
  repeat: false,
  shownForMs: 5_000,
  inField: false,
  ...more,
});

describe("choices of an approval", () => {
  test.each([
    [["once", "always", "deny"], rule, ["once", "always", "deny", "deny_why"]],
    [["once", "edits", "deny"], undefined, ["once", "edits", "deny", "deny_why"]],
    [["once", "always", "deny"], undefined, ["once", "deny", "deny_why"]],
    [["deny", "once"], undefined, ["once", "deny", "deny_why"]],
    [["once"], undefined, ["once"]],
    [["network", "once", "deny"], undefined, ["network", "once", "deny", "deny_why"]],
    [[], rule, []],
  ] as const)("%j with the rule %j are %j", (options, proposed, expected) => {
    expect(listApprovalChoices({ options, rule: proposed })).toEqual(expected);
  });
});

describe("keys on an approval card", () => {
  const choices = ["once", "always", "deny", "deny_why"] as const;
  test.each([
    ["1 allows once", key("1"), "once"],
    ["4 denies and asks for a reason", key("4"), "deny_why"],
    ["6 has no choice", key("6"), "pass"],
    ["Enter is never a choice", key("Enter"), "pass"],
    ["a letter is never a choice", key("y"), "pass"],
    ["Tab passes", key("Tab", { shownForMs: 10 }), "pass"],
    ["a 1 in the first moments is swallowed", key("1", { shownForMs: 399 }), "swallow"],
    ["so is Enter", key("Enter", { shownForMs: 0 }), "swallow"],
    ["so is a space", key(" ", { shownForMs: 100 }), "swallow"],
    ["after 400 ms a 1 counts", key("1", { shownForMs: 400 }), "once"],
    ["a held key counts once", key("1", { repeat: true }), "swallow"],
    ["with Ctrl it belongs to the browser", key("1", { modified: true }), "pass"],
    ["an input method's 1 is not a choice", key("1", { composing: true }), "pass"],
    ["in the reason field it is text", key("1", { inField: true }), "pass"],
    ["in the reason field also in the first moments", key("1", { inField: true, shownForMs: 1 }), "pass"],
  ] as const)("%s", (_, event, expected) => expect(interpretCardKey(event, choices)).toBe(expected));
});

describe("keys without a focused card", () => {
  const choices = ["once", "always", "deny", "deny_why"] as const;
  const quiet: PageKeyContext = { focus: "page", isLayerOpen: false, sinceTypingMs: 60_000 };
  test.each([
    ["1 on the page allows once", key("1"), quiet, "once"],
    ["1 in the empty message field allows once", key("1"), { ...quiet, focus: "empty" }, "once"],
    ["4 asks for a reason", key("4"), { ...quiet, focus: "empty" }, "deny_why"],
    ["a digit in a field with text is text", key("1"), { ...quiet, focus: "field" }, "pass"],
    ["with a dialog open it belongs to the dialog", key("1"), { ...quiet, isLayerOpen: true }, "pass"],
    ["right after other typing it is text", key("1"), { ...quiet, focus: "empty", sinceTypingMs: 399 }, "pass"],
    ["in the card's first moments it is text", key("1", { shownForMs: 399 }), { ...quiet, focus: "empty" }, "pass"],
    ["a held key answers nothing", key("1", { repeat: true }), quiet, "pass"],
    ["an input method's 1 is text", key("1", { composing: true }), { ...quiet, focus: "empty" }, "pass"],
    ["with Ctrl it belongs to the browser", key("1", { modified: true }), quiet, "pass"],
    ["5 answers nothing", key("5"), quiet, "pass"],
    ["Enter answers nothing", key("Enter"), { ...quiet, focus: "empty" }, "pass"],
    ["a space answers nothing", key(" "), { ...quiet, focus: "empty" }, "pass"],
    ["a letter answers nothing", key("y"), { ...quiet, focus: "empty" }, "pass"],
  ] as const)("%s", (_name, event, place, expected) => expect(interpretPageKey(event, place, choices)).toBe(expected));
  test("the key of a missing answer is text", () => {
    expect(interpretPageKey(key("2"), { ...quiet, focus: "empty" }, ["once", "deny"])).toBe("pass");
  });
});

describe("keys are the same on every card", () => {
  const meanings: Readonly<Record<string, readonly ApprovalChoice[]>> = {
    1: ["once"],
    2: ["always", "edits"],
    3: ["deny"],
    4: ["deny_why"],
    5: ["network"],
  };
  const options = ["once", "always", "edits", "network", "deny"] as const;
  // All subsets of options, with and without a proposed rule.
  const cards = Array.from({ length: 2 ** (options.length + 1) }, (_, bits) =>
    listApprovalChoices({
      options: options.filter((_option, at) => (bits >> at) & 1),
      ...((bits >> options.length) & 1 ? { rule } : {}),
    }),
  );
  test("a key has one answer or none on any card", () => {
    for (const choices of cards)
      for (const [name, allowed] of Object.entries(meanings)) {
        const outcome = interpretCardKey(key(name), choices);
        const expected = choices.find((choice) => allowed.includes(choice)) ?? "swallow";
        expect({ choices, name, outcome }).toEqual({ choices, name, outcome: expected });
      }
  });
  test("a button shows its own key", () => {
    for (const choices of cards)
      for (const choice of choices) {
        const shown = findChoiceKey(choice, choices);
        if (shown !== null) expect(interpretCardKey(key(shown), choices)).toBe(choice);
      }
  });
});

describe("a rule as text", () => {
  test.each([
    ["npm test *", { words: ["npm", "test"], rest: true }],
    ["git status", { words: ["git", "status"], rest: false }],
    ["  make   all  ", { words: ["make", "all"], rest: false }],
    ['echo "a b" *', { words: ["echo", "a b"], rest: true }],
    ['ls "*"', { words: ["ls", "*"], rest: false }],
    ['say "a \\"b\\" \\\\"', { words: ["say", 'a "b" \\'], rest: false }],
  ] as const)("%j parses and formats back", (line, expected) => {
    expect(parseRule(line)).toEqual(expected);
    expect(parseRule(formatRule({ tool: "bash", ...expected }))).toEqual(expected);
  });
  test.each([[""], ["   "], ["*"], ['""']])("%j is no rule", (line) => expect(parseRule(line)).toBeNull());
});
