import { describe, expect, test } from "vitest";
import { asId } from "@/lib/events/id";
import type { ToolAccess, Mode } from "@/lib/permissions/policy";
import { modes } from "@/lib/permissions/policy";
import { formatDecision, makeDecisionFixture, bashRule } from "./test-decision-fixture";
import { commandParts, decide } from "./decide";
import { makeFsProbe } from "../paths/fs-probe";
import { readCommand } from "../shell/shell-parser";

const fixture = makeDecisionFixture();

const fileDecision = (access: ToolAccess, mode: Mode): string => {
  const policy = { ...fixture.policy, mode };
  return formatDecision(decide(access, policy, { probe: makeFsProbe(policy) }));
};

type Row = readonly [name: string, access: ToolAccess, ask: string, edits: string, plan: string, full: string];

describe("the decision table for file tools", () => {
  const write = "ask writes";
  const planned = "refuse plan_mode";
  const rows: readonly Row[] = [
    ["read", { kind: "read", target: "a.txt" }, "allow reads", "allow reads", "allow reads", "allow reads"],
    ["ls of the root", { kind: "read", target: "." }, "allow reads", "allow reads", "allow reads", "allow reads"],
    ["ls without a path", { kind: "read", target: "" }, "allow reads", "allow reads", "allow reads", "allow reads"],
    [
      "grep of the root",
      { kind: "read", target: ".", recursive: true },
      "allow reads",
      "allow reads",
      "allow reads",
      "allow reads",
    ],
    ["write", { kind: "write", target: "src/new.ts" }, write, "allow mode", planned, "allow mode"],
    ["edit", { kind: "write", target: "src/a.ts" }, write, "allow mode", planned, "allow mode"],
    [
      "write of a file that makes other programs run code",
      { kind: "write", target: ".vscode/settings.json" },
      "ask runs_code",
      "ask runs_code",
      planned,
      "ask runs_code",
    ],
    [
      "write of our own config",
      { kind: "write", target: ".gopi/config.yaml" },
      "ask runs_code",
      "ask runs_code",
      planned,
      "ask runs_code",
    ],
    ["delete", { kind: "delete", target: "a.txt" }, "ask deletes", "ask deletes", planned, "allow mode"],
    [
      "read of a protected file",
      { kind: "read", target: ".env" },
      "refuse protected",
      "refuse protected",
      "refuse protected",
      "refuse protected",
    ],
    [
      "write of a protected file",
      { kind: "write", target: ".git/hooks/x" },
      "refuse protected",
      "refuse protected",
      "refuse protected",
      "refuse protected",
    ],
    [
      "delete of a protected file",
      { kind: "delete", target: ".env" },
      "refuse protected",
      "refuse protected",
      "refuse protected",
      "refuse protected",
    ],
    [
      "read through a link to .git",
      { kind: "read", target: "config-link" },
      "refuse protected",
      "refuse protected",
      "refuse protected",
      "refuse protected",
    ],
    [
      "read outside",
      { kind: "read", target: "/etc/passwd" },
      "refuse outside",
      "refuse outside",
      "refuse outside",
      "refuse outside",
    ],
    [
      "write outside",
      { kind: "write", target: "../away/x" },
      "refuse outside",
      "refuse outside",
      "refuse outside",
      "refuse outside",
    ],
    [
      "write through a link out",
      { kind: "write", target: "linked/out/x" },
      "refuse outside",
      "refuse outside",
      "refuse outside",
      "refuse outside",
    ],
    [
      "delete of the project",
      { kind: "delete", target: "." },
      "refuse outside",
      "refuse outside",
      "refuse outside",
      "refuse outside",
    ],
  ];
  test.each(rows)("%s", (_name, access, ...expected) => {
    const order: readonly Mode[] = ["ask", "edits", "plan", "full"];
    expect(order.map((mode) => fileDecision(access, mode))).toEqual(expected);
  });

  test("a card for a write offers Accept edits, one for a file that runs code or a delete does not", () => {
    const policy = fixture.policy;
    const options = (access: ToolAccess) => {
      const decision = decide(access, policy, { probe: makeFsProbe(policy) });
      return decision.kind === "ask" ? decision.options : [];
    };
    expect(options({ kind: "write", target: "a.txt" })).toEqual(["once", "edits", "deny"]);
    expect(options({ kind: "write", target: ".mcp.json" })).toEqual(["once", "deny"]);
    expect(options({ kind: "delete", target: "a.txt" })).toEqual(["once", "deny"]);
  });
});

describe("the decision table for bash", () => {
  const rule = bashRule({ words: ["npm", "test"], rest: true });
  const rows: readonly (readonly [string, string, string, string, string])[] = [
    ["ls src", "allow reads", "allow reads", "allow reads", "allow reads"],
    ["npm test", "allow rule", "allow rule", "refuse plan_mode", "allow rule"],
    ["npm test -- x && ls", "allow rule", "allow rule", "refuse plan_mode", "allow rule"],
    ["npm run x", "ask executes [npm run x *]", "ask executes [npm run x *]", "refuse plan_mode", "allow mode"],
    ["echo x > a.txt", "ask writes", "ask writes", "refuse plan_mode", "allow mode"],
    ["echo x > .vscode/tasks.json", "ask runs_code", "ask runs_code", "refuse plan_mode", "ask runs_code"],
    ["cp a.txt .mcp.json", "ask runs_code", "ask runs_code", "refuse plan_mode", "ask runs_code"],
    ["$x", "ask unreadable", "ask unreadable", "refuse plan_mode", "ask unreadable"],
    ["rm x", "refuse blocked_word rm", "refuse blocked_word rm", "refuse blocked_word rm", "refuse blocked_word rm"],
    ["cat .env", "refuse protected", "refuse protected", "refuse protected", "refuse protected"],
  ];
  test.each(rows)("%j", async (command, ...expected) => {
    const order: readonly Mode[] = ["ask", "edits", "plan", "full"];
    expect(await Promise.all(order.map((mode) => fixture.formattedDecision(command, { mode, rules: [rule] })))).toEqual(
      expected,
    );
  });
});

describe("an allow rule", () => {
  const rules = [
    bashRule({ words: ["npm", "test"], rest: true }),
    bashRule({ words: ["make"], rest: false }),
    bashRule({ words: ["node", "src/a.ts"], rest: true }),
    bashRule({ words: ["rm"], rest: true }),
    bashRule({ words: ["cp"], rest: true }),
    bashRule({ words: ["cd", ".."], rest: false }),
    bashRule({ words: ["bash"], rest: true }),
  ];
  const table: readonly (readonly [string, string])[] = [
    ["npm test", "allow rule"],
    ["npm test -- --watch", "allow rule"],
    ["'npm' te\"st\"", "allow rule"],
    ["npm test | head -3", "allow rule"],
    ["npm test 2>/dev/null", "allow rule"],
    ["timeout 60 npm test", "allow rule"],
    ["make", "allow rule"],
    ["node src/a.ts --x", "allow rule"],
    ["npm test && make", "allow rule"],
    // covers only its own part
    ["npm test; curl x", "ask executes [curl x]"],
    ["npm test && npm publish", "ask executes [npm publish *]"],
    ["npm test\nnpm publish", "ask executes [npm publish *]"],
    ["npm test & npm publish", "ask executes [npm publish *]"],
    ["npm test $(curl x)", "ask executes"],
    ["npm test `curl x`", "ask executes"],
    ["npm test < <(curl x)", "ask outside"],
    // matches word by word
    ["npm testing", "ask executes [npm testing *]"],
    ["npm  run test", "ask executes [npm run test *]"],
    ["npm", "ask executes [npm]"],
    ["make install", "ask executes [make install]"],
    ["xnpm test", "ask executes [xnpm test]"],
    ["./npm test", "ask executes [./npm test *]"],
    ["'npm test'", "ask executes [npm test]"],
    // never with more than words
    ["NODE_OPTIONS=--require=./x npm test", "ask unreadable"],
    ["PATH=. npm test", "ask executes"],
    ["for PATH in .; do npm test; done", "ask executes"],
    ["npm test > out", "ask writes"],
    ["npm test $x", "ask executes"],
    ["npm test *.ts", "ask executes"],
    ["xargs npm test", "ask executes"],
    ["env npm test", "ask executes"],
    ["npm() { curl x; }; npm test", "ask executes"],
    ["alias npm=curl; npm test", "ask unreadable"],
    // blocked, protected and unreadable take precedence
    ["rm x", "refuse blocked_word rm"],
    ["cp .env x", "refuse protected"],
    ["npm test .env", "refuse protected"],
    ["npm test > .env", "refuse protected"],
    ["cp a.txt .vscode/tasks.json", "ask runs_code"],
    ["bash -s", "ask unreadable"],
    ["cd src && node src/a.ts", "ask executes"],
    ["cd .. && cat away/x", "ask executes [cat away/x]"],
  ];
  test.each(table)("%j: %s", async (command, expected) =>
    expect(await fixture.formattedDecision(command, { rules })).toBe(expected),
  );

  test("that was proposed allows the same command afterwards", async () => {
    for (const command of [
      "npm test",
      "git status -s",
      "mkdir -p new",
      "make",
      "node src/a.ts x",
      "cargo run --release",
      "npm run build",
      "./tool x",
      "awk '{print}' a.txt",
    ]) {
      const policy = fixture.policy;
      const decision = decide({ kind: "exec", target: command }, policy, {
        probe: makeFsProbe(policy),
        command: await readCommand(command),
      });
      const proposal = decision.kind === "ask" ? decision.proposal : undefined;
      expect(proposal?.tool, command).toBe("bash");
      if (proposal?.tool === "bash")
        expect(await fixture.formattedDecision(command, { rules: [bashRule(proposal)] })).toBe("allow rule");
    }
  });

  test("for a relative program applies in the project's root only", async () => {
    const own = [bashRule({ words: ["./tool"], rest: true })];
    expect(await fixture.formattedDecision("./tool", { rules: own })).toBe("allow rule");
    expect(await fixture.formattedDecision("./tool", { rules: own, cwd: `${fixture.root}/src` })).toBe("ask executes");
  });
});

describe("deciding", () => {
  test("judges exactly the text that will run", async () => {
    const policy = fixture.policy;
    const command = await readCommand("ls");
    const decision = decide({ kind: "exec", target: "curl x" }, policy, { probe: makeFsProbe(policy), command });
    expect(formatDecision(decision)).toBe("ask unreadable");
  });

  test("resolves relative operands against the shell's folder", async () => {
    expect(await fixture.formattedDecision("cat ../a.txt")).toMatch(/^ask/);
    expect(await fixture.formattedDecision("cat ../a.txt", { cwd: `${fixture.root}/src` })).toBe("allow reads");
    expect(await fixture.formattedDecision("ls", { cwd: "/" })).toMatch(/^ask/);
  });

  test("refuses nothing by name without blocked words", async () => {
    expect(await fixture.formattedDecision("rm x", { blockedWords: [] })).toBe("ask executes [rm x]");
    expect(await fixture.formattedDecision("sudo rm x", { blockedWords: ["rm"] })).toBe("refuse blocked_word rm");
  });

  test("always offers once and deny where it asks", async () => {
    for (const mode of modes) {
      const policy = { ...fixture.policy, mode };
      for (const target of ["npm test", "$x", "node -e x", "echo > a.txt"]) {
        const decision = decide({ kind: "exec", target }, policy, {
          probe: makeFsProbe(policy),
          command: await readCommand(target),
        });
        if (decision.kind !== "ask") continue;
        expect(decision.options).toEqual(expect.arrayContaining(["once", "deny"]));
        expect(decision.options.includes("always")).toBe(decision.proposal !== undefined);
        expect(decision.options).not.toContain("edits");
      }
    }
  });
});

describe("details of a refusal", () => {
  test.each([
    ["ls && rm -rf build | cat", "rm", "rm -rf build"],
    ["rm x", "rm", "rm x"],
    ["cat a; cat .env", ".env", "cat .env"],
    ["sh -c 'ls; sudo ls'", "sudo", "sudo ls"],
  ])("%s: %s in %s", async (command, detail, part) => {
    const decision = decide(
      { kind: "exec", target: command },
      { ...fixture.policy, mode: "full" },
      { probe: makeFsProbe(fixture.policy), command: await readCommand(command) },
    );
    expect(decision).toMatchObject({ kind: "refuse", detail, part });
  });

  const refused: readonly (readonly [ToolAccess, Mode, string, string])[] = [
    [{ kind: "net", host: "a b", method: "GET" }, "full", "bad_input", "a b"],
    [{ kind: "net", host: "example.com", method: "POST" }, "plan", "plan_mode", "POST example.com"],
    [{ kind: "external", source: "git", tool: "push", definition: asId("d") }, "plan", "plan_mode", "git/push"],
    [{ kind: "agent", source: "subagent", tool: "spawn", looks: false }, "plan", "plan_mode", "subagent/spawn"],
    [{ kind: "read", target: "a\0b" }, "full", "bad_path", "a\0b"],
    [{ kind: "read", target: "../away/x" }, "full", "outside", "../away/x"],
    [{ kind: "write", target: "src/.." }, "full", "bad_path", "src/.."],
    [{ kind: "write", target: ".env" }, "full", "protected", ".env"],
    [{ kind: "write", target: "a.txt" }, "plan", "plan_mode", "a.txt"],
  ];
  test.each(refused)("%j in %s mode has the code %s and names %s", (access, mode, code, detail) => {
    const policy = { ...fixture.policy, mode };
    expect(decide(access, policy, { probe: makeFsProbe(policy) })).toMatchObject({ kind: "refuse", code, detail });
  });

  test.each([
    ["cat .env", "full", "protected", ".env"],
    ["rm x", "full", "blocked", "rm"],
    ["npm test && ls", "plan", "plan_mode", "npm test && ls"],
  ] as const)("%s in %s mode has the code %s and names %s", async (target, mode, code, detail) => {
    const policy = { ...fixture.policy, mode };
    const facts = { probe: makeFsProbe(policy), command: await readCommand(target) };
    expect(decide({ kind: "exec", target }, policy, facts)).toMatchObject({ kind: "refuse", code, detail });
  });
});

describe("the parts of a card", () => {
  const partsOf = async (command: string) =>
    commandParts(await readCommand(command), fixture.policy, makeFsProbe(fixture.policy)).map(
      (part) => `${part.risk}: ${part.text}`,
    );
  test("are the segments with their risks", async () => {
    expect(await partsOf("ls src && npm test; rm x")).toEqual(["reads: ls src", "asks: npm test", "refused: rm x"]);
  });
  test("show a wrapper and what it runs as one", async () => {
    expect(await partsOf("timeout 5 rm x")).toEqual(["refused: timeout 5 rm x"]);
  });
  test("are the whole text when it cannot be read, and the refused parts alone when there are any", async () => {
    expect(await partsOf("ls 'open")).toEqual(["asks: ls 'open"]);
    expect(await partsOf("ls src; rm x; ls 'open")).toEqual(["refused: rm x"]);
  });
  test("with equal text are one, with the higher risk wherever it is", async () => {
    expect(await partsOf("cat ../x; cd src; cat ../x")).toEqual(["asks: cat ../x", "reads: cd src"]);
    expect(await partsOf("cd src || exit; cat ../x; cd .. || exit; cat ../x")).toEqual([
      "reads: cd src",
      "asks: cat ../x",
      "reads: cd ..",
    ]);
  });
});
