/**
 * Protected names behind quotes, globs, braces and variables, and the globs that must still run without
 * approval.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeDecisionFixture, tableLines } from "./test-decision-fixture";
import { braceExpansion, shellComponent } from "../shell/shell-glob";

const fixture = makeDecisionFixture();
beforeAll(() => {
  mkdirSync(join(fixture.root, "vault"));
  writeFileSync(join(fixture.root, "vault/key"), "x");
  mkdirSync(join(fixture.root, "odd"));
  mkdirSync(join(fixture.root, "wide"));
  symlinkSync("../../away", join(fixture.root, "wide/é"));
  mkdirSync(join(fixture.root, "many"));
  for (let at = 0; at < 30; at += 1) writeFileSync(join(fixture.root, "many", `${"a".repeat(200)}${at}`), "");
  const odd = Buffer.concat([Buffer.from(`${fixture.root}/odd/`), Buffer.from([0xff, 0xfe])]);
  symlinkSync("../../away", odd);
});

describe("a glob or brace that certainly expands to a protected name is refused in every mode", () => {
  test.each(
    tableLines(String.raw`
      cat "."e*
      cat '.'e*
      cat \.e*
      cat $'.'e*
      cat $'\x2e'e*
      cat "".e*
      cat ".e"n?
      cat ".en"[v]
      cat ".en"[!a]
      cat ".en"[a-z]
      cat .en[[:alpha:]]
      cat \.\e\n*
      cat ./"."e*
      cat src/../"."e*
      cat "$PWD"/.env
      cat mixed/"."e*
      cat m*/"."e*
      cat m*/.env
      cat "."g*/config
      cat .g*/conf"i"g
      cat .*v
      cat .[e]nv
      cat .E*
      cat va*
      cat v[a]ult/key
      cat {".e"nv,a.txt}
      cat .e{n,m}v
      cat .e{n..n}v
      cat {.,-}env
      cat "."{e,f}nv
      cat \.{e*,x}
      cat {a,.{env,x}}
      cat < "."en?
      cat < \.e*
      cat < .e{nv,}
      cat 0< "."e*
      while read x; do :; done < "."e*
      echo x > "."g*/hooks/pre-commit
      echo x >> \.git/hooks/x
      echo x > .gi?/config
      tee "."gi?/hooks/pre-commit
      cp a.txt \.gi*/hooks/pre-commit
      cp "."e* b.txt
      tar czf x.tgz "."e*
      grep x "."e*
      sed -n 1p \.e*
      [ -f "."e* ]
      test -f \.e*
      [[ -f .env ]]
      [[ -s ".env" && a = b ]]
      [[ a.txt -nt .env ]]
      x=.env; cat "$x"
      x="."e*; cat $x
      x=(.e*); cat "${"${x[@]}"}"
      x=(a .env); cat "${"${x[1]}"}"
      export F=.env
      local F=\.e*
      F=.env node x.js
      for f in .e*; do cat "$f"; done
      for f in a .env; do cat "$f"; done
      set -- "."e*; cat "$1"
      cat <<< "$(<.env)"
      cat <<< "$(cat "."e*)"
      echo $(<\.env)
      bash -c 'cat "."e*'
      bash -c 'x=.env; cat $x'
      eval 'cat \.e*'
      xargs cat "."e*
      env cat "."e*
      ls "."e*
      cat $x/.env
      cat ~+/.env
      diff a.txt "."e*
    `),
  )("%s", async (command) => {
    expect(await fixture.formattedDecision(command)).toBe("refuse protected");
    expect(await fixture.formattedDecision(command, { mode: "full" })).toBe("refuse protected");
  });
});

describe("a pattern that may expand to a protected name asks in every mode", () => {
  test.each(
    tableLines(String.raw`
      cat [.]env
      cat {\.e*,a.txt}
      cat .e$x
      cat ".en$x"
      cat .$x
      cat .[[=e=]]nv
      cat .[+-z]nv
      cat src/$x/.e*
      cat ${"{.e,b}".repeat(12)}
      pushd mixed; cat .e*
    `),
  )("%s", async (command) => {
    for (const mode of ["ask", "edits", "full"] as const)
      expect(await fixture.formattedDecision(command, { mode })).toMatch(/^ask/);
  });
});

describe("names that are not valid text, or match depending on the locale, are not read without approval", () => {
  test.each([
    "cat odd/*",
    "cat odd/??/x",
    "ls odd/?*/",
    "grep -R x odd",
    "ls -LR odd",
    "diff -r odd src",
    "cat wide/??/x",
    "ls wide/??",
    "cat wide/[a-z]*/x",
    "ls wide/*",
  ])("%s", async (command) => {
    expect(await fixture.formattedDecision(command)).toMatch(/^ask/);
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
  });
});

describe("common globs run without approval", () => {
  test.each(
    tableLines(String.raw`
      ls *.txt
      cat src/*.ts
      cat "src"/*.ts
      cat src/"a".t?
      cat src/[ab].ts
      cat src/[!x].ts
      cat src/[[:alpha:]].ts
      cat src/*/*.ts
      wc -l src/*.ts src/deep/*.ts
      grep -n text src/*.ts
      ls many/*a*a*a*a*a*b
      ls src/*nothing*
      cat .env.ex*
      head -3 ".env".example
      [ -f src/*.ts ] && ls
      cat < a.txt
      cat <<< '*.e*'
      echo "*"
      echo '.e*'
    `),
  )("%s", async (command) => expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("allow reads"));
});

describe("Full access does not ask for", () => {
  test.each(
    tableLines(String.raw`
      for f in src/*.ts; do node tool.js "$f"; done
      for i in {1..1000}; do node tool.js "$i"; done
      for d in a b c; do mkdir -p "out/$d"; done
      node tool.js --glob=src/*.ts
      cp src/*.ts out/
      touch {a,b,c}.ts
      mkdir -p src/{x,y}/{z,w}
      NODE_ENV=test npm test
      x=1; echo "$x"
      files=(src/*.ts); echo "$x"
      sed -i s/[a-z]/x/ a.txt
      sed -i 's/.e*/x/' a.txt
      [[ $f == .env ]] || true
      cat "$f"
      cat "$dir/$name.ts"
      tar tf "$x.tar"
      node x.js > "out/$x.log"
    `),
  )("%s", async (command) => expect(await fixture.formattedDecision(command, { mode: "full" })).toMatch(/^allow/));
});

describe("matching takes a number of steps bounded by the pattern's length", () => {
  const name = "a".repeat(250);
  test.each([
    "*a*a*a*b",
    `${"*a".repeat(120)}*b`,
    `${"*?".repeat(120)}b`,
    `${"*[a-z]".repeat(100)}b`,
    `*${"a".repeat(240)}*b`,
  ])("%s", (pattern) => {
    const component = shellComponent(pattern);
    expect(component.kind === "wild" && component.match(name)).toBe("no");
  });

  test("a command with such globs is judged", async () => {
    for (const glob of ["*a*a*a*b", `${"*a".repeat(2_000)}b`, `${"*[!b]".repeat(1_000)}b`])
      expect(await fixture.formattedDecision(`ls many/${glob}`)).toMatch(/^(?:allow reads|ask executes)/);
  });

  test("brace expansion is limited in words", () => {
    expect(braceExpansion("{a,b}".repeat(20), "?")).toBeNull();
    expect(braceExpansion("{1..100000}", "?")).toEqual(["?"]);
    expect(new Set(braceExpansion("{a,b{c,d}}x", "?"))).toEqual(new Set(["ax", "bcx", "bdx"]));
    expect(braceExpansion("{a}", "?")).toEqual(["{a}"]);
    expect(braceExpansion("\\{a,b\\}", "?")).toEqual(["\\{a,b\\}"]);
  });
});
