/** Precedence of refusals in a command with a blocked word: the user may run what only a blocked word refused. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Mode, Rule } from "@/lib/permissions/policy";
import { makeFsProbe } from "../paths/fs-probe";
import { readCommand } from "../shell/shell-parser";
import { decide } from "./decide";
import { bashRule, filesRule, makeDecisionFixture } from "./test-decision-fixture";

const fixture = makeDecisionFixture();
beforeAll(() => symlinkSync("../.env", join(fixture.root, "src/link")));

const modes: readonly Mode[] = ["plan", "ask", "edits", "full"];

const push = bashRule({ words: ["git", "push"], rest: true }, "deny");
const sudo = bashRule({ words: ["sudo"], rest: true }, "deny");
const rm = bashRule({ words: ["rm"], rest: true }, "deny");
const source = filesRule("deny", "write", "src/**");
const pushDenied = "refuse rule_denies git push *";
const sudoDenied = "refuse rule_denies sudo *";
const rmDenied = "refuse rule_denies rm *";
const sourceDenied = "refuse rule_denies src/**";

describe("a deny rule counts before a blocked word", () => {
  test.each<[string, Rule, string]>([
    // in another part
    ["rm a; git push", push, pushDenied],
    ["git push; rm a", push, pushDenied],
    ["rm a && git push", push, pushDenied],
    ["rm a || git push", push, pushDenied],
    ["rm a | git push", push, pushDenied],
    ["rm a & git push", push, pushDenied],
    ["rm a\ngit push", push, pushDenied],
    ["rm a; (git push)", push, pushDenied],
    ["(rm a; git push)", push, pushDenied],
    ["rm $(git push)", push, pushDenied],
    ["rm a <(git push)", push, pushDenied],
    ["if rm a; then git push; fi", push, pushDenied],
    ["f() { rm a; git push; }; f", push, pushDenied],
    ["rm a; env A=1 git push", push, pushDenied],
    ["rm a; bash -c 'ls; git push'", push, pushDenied],
    ["bash -c 'rm a; git push'", push, pushDenied],
    ["rm a; eval git push", push, pushDenied],
    ["rm a; $x; git push", push, pushDenied],
    ["rm a; git push 'open", push, pushDenied],
    // behind the blocked word
    ["sudo git push", push, pushDenied],
    ["sudo -u root git push", push, pushDenied],
    ["sudo env A=1 git push", push, pushDenied],
    ["sudo bash -c 'ls && git push'", push, pushDenied],
    ["su -c 'git push'", push, pushDenied],
    // about the blocked word itself
    ["sudo ls", sudo, sudoDenied],
    ["env sudo ls", sudo, sudoDenied],
    ["bash -c 'sudo ls'", sudo, sudoDenied],
    ["/usr/bin/sudo ls", sudo, sudoDenied],
    ["rm a", rm, rmDenied],
    ["ls | xargs rm", rm, rmDenied],
    ["find . -exec rm {} \\;", rm, rmDenied],
    // about a file
    ["rm src/a.ts", source, sourceDenied],
    ["rm a.txt; echo > src/a.ts", source, sourceDenied],
    ["sudo tee src/a.ts", source, sourceDenied],
    ["cd src; rm a.ts", source, sourceDenied],
  ])("%j", async (command, rule, expected) => {
    for (const mode of modes) expect(await fixture.formattedDecision(command, { mode, rules: [rule] })).toBe(expected);
  });
});

test.each([
  "rm a; cat .env",
  "cat .env; rm a",
  "rm a && cat .env",
  "rm a | cat .env",
  "rm a > .env",
  "rm a < .env",
  "rm a; (cat .env)",
  "rm $(cat .env)",
  "rm a; A=.env",
  "rm a; $x; cat .env",
  "rm a; cat .env 'open",
  "rm .env",
  "rm -f -- ./.env",
  "rm {a,.env}",
  "rm .en*",
  "rm '.e'nv",
  "rm src/link",
  "rm -r .git",
  "rm -rf .git/hooks",
  "cd src && rm ../.env",
  "cd mixed; rm .env",
  "cd src; rm link",
  "sudo cat .env",
  "sudo -u root cat .env",
  "sudo env A=1 cat .env",
  "sudo bash -c 'cat .env'",
  "env rm .env",
  "bash -c 'rm .env'",
  "bash -c 'rm a; cat .env'",
  "find . -name x -exec rm .env \\;",
  "echo .env | xargs rm vault",
])("a protected file counts before a blocked word: %j", async (command) => {
  for (const mode of modes) expect(await fixture.formattedDecision(command, { mode })).toBe("refuse protected");
});

describe("a blocked word alone is still refused for it", () => {
  const others = [
    bashRule({ words: ["rm"], rest: true }),
    bashRule({ words: ["sudo"], rest: true }, "ask"),
    bashRule({ words: ["git", "push"], rest: true }, "deny"),
    filesRule("deny", "write", "other/**"),
    filesRule("ask", "write", "**"),
  ];
  test.each([
    ["rm a", "rm"],
    ["rm a; git pull", "rm"],
    ["rm .env.example", "rm"],
    ["rm a; $x", "rm"],
    ["rm a; rm 'open", "rm"],
    ["rm $x", "rm"],
    ["rm src/deep/*", "rm"],
    ["sudo ls", "sudo"],
    ["ls | xargs rm", "rm"],
    ["echo git push; rm a", "rm"],
  ])("%j", async (command, word) => {
    for (const mode of modes)
      expect(await fixture.formattedDecision(command, { mode, rules: others })).toBe(`refuse blocked_word ${word}`);
  });
});

test("the refusal names the deny rule and the part that it is about", async () => {
  const target = "rm a; git push";
  const policy = { ...fixture.policy, rules: [push] };
  const facts = { probe: makeFsProbe(policy), command: await readCommand(target) };
  const rule = { reason: "rule_denies", rule: push.id, code: "blocked", part: "git push" };
  expect(decide({ kind: "exec", target }, policy, facts)).toMatchObject(rule);
});
