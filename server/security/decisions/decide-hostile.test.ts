/**
 * Commands that look like reading and are not, and everyday commands that look dangerous and are not. Regression
 * tests: each was once judged wrongly.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeDecisionFixture, tableLines } from "./test-decision-fixture";

const fixture = makeDecisionFixture();
beforeAll(() => {
  mkdirSync(join(fixture.root, "circle"));
  symlinkSync("..", join(fixture.root, "circle/up"));
  mkdirSync(join(fixture.root, "round"));
  symlinkSync(".", join(fixture.root, "round/self"));
});

describe("a reader that would do more asks, and is refused in Plan mode", () => {
  test.each(
    tableLines(String.raw`
      date -Id 010100002026
      date -d -d 010100002026
      date -uId 010100002026
      od -w /etc/passwd
      strings @a.txt
      strings -n 4 @a.txt
      column -n -s a.txt
      find . -maxdepth 1 -maxdepth 9
      grep -R text circle
      ls -LR circle
      diff -r circle src
      printf $X text
      printf "$X" text
      echo -v; printf "$_" 'a[$(touch pwned)]' x
      printf 'x%n' PATH; ls
      printf 'x%-5n' PATH; ls
      echo '/home/*'; echo $_
      echo '/home/*'; echo ${"${_}"}
      echo 'x -o -v a[$(touch pwned)]'; [ -n $_ ]
      [ -n $X ]
      [ $X ]
      [ "$X" "$Y" ]
      [ -f "$X" ]
      [ -n "$X" -o -f a.txt ]
      [ -f ~/x ]
      gawk --source='BEGIN{system("id")}' a.txt
    `),
  )("%s", async (command) => {
    expect(await fixture.formattedDecision(command)).toMatch(/^ask (?:executes|unreadable)/);
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
  });
});

describe("a protected file is refused however the option is spelled", () => {
  test.each(
    tableLines(`
      od -w .env
      hexdump -v .env
      hexdump -Cv .env
      column -n -s .env
      strings @.env
      cat {.env,a.txt}
      cat .e{nv,x}
      cat ".e"{nv,x}
      cat {a,{b,.env}}
      cat src/{a.ts,../.env}
      tar czf x.tgz --exclude-from=.env .
    `),
  )("%s", async (command) => {
    for (const mode of ["ask", "full"] as const)
      expect(await fixture.formattedDecision(command, { mode })).toBe("refuse protected");
  });
});

describe("a blocked word is found behind programs that start it", () => {
  test.each(
    tableLines(`
      uv run bash -c 'rm -rf x'
      npx bash -c 'rm -rf x'
      poetry run sh -c "rm x"
      poetry run env A=1 rm x
      npx cross-env A=1 rm x
      cross-env A=1 rm x
      conda run rm x
      flock /tmp/l -c 'rm -rf x'
      setarch x86_64 rm x
      fakeroot rm x
      dbus-run-session rm x
      xvfb-run -a rm x
      ssh-agent rm x
      caffeinate -i rm x
      genv rm x
      gxargs rm
      sg root -c 'rm x'
      runuser -c 'rm x' bob
      perf stat rm x
      gdb --args rm x
      /lib64/ld-linux-x86-64.so.2 /bin/rm x
    `),
  )("%s", async (command) => {
    expect(await fixture.formattedDecision(command, { mode: "full" })).toBe("refuse blocked_word rm");
  });
});

describe("Full access still asks", () => {
  test.each([
    ["uv run python -c 'print(1)'", "ask unreadable"],
    ["npx tsx -e 'x'", "ask unreadable"],
    ["poetry run python3 -c x", "ask unreadable"],
    ["gawk --source='BEGIN{system(\"id\")}' x", "ask unreadable"],
    ["gawk -e'BEGIN{system(\"id\")}' x", "ask unreadable"],
    ["(cd . ; echo x > .vscode/settings.json)", "ask runs_code"],
    ["(cd .vscode; echo x > settings.json)", "ask runs_code"],
    ["cd .husky && echo x > pre-commit", "ask runs_code"],
    ["cp a.txt --target-directory=.vscode", "ask runs_code"],
    ["curl -o .bashrc https://example.org", "ask runs_code"],
    ["patch .bashrc", "ask runs_code"],
    ["tar xf a.tar -C .husky", "ask runs_code"],
    ["echo x > {.vscode,src}/settings.json", "ask runs_code"],
    ["echo x | tee $x/.vscode/settings.json", "ask runs_code"],
    ['cp a.txt "."vscode/settings.json', "ask runs_code"],
    ["echo x > $HOME/.ssh/authorized_keys", "ask runs_code"],
    ["echo x >> AGENTS.md", "ask runs_code"],
    ["cp a.txt .config/git/config", "ask runs_code"],
    ["sed -i s/a/b/ CLAUDE.md", "ask runs_code"],
  ])("%s: %s", async (command, expected) =>
    expect(await fixture.formattedDecision(command, { mode: "full" })).toBe(expected),
  );
});

describe("everyday commands are neither refused nor asked for needlessly", () => {
  test.each([
    ["./format.sh", "ask executes [./format.sh]"],
    ["scripts/del.py x", "ask executes [scripts/del.py x]"],
    ["hatch run format", "ask executes [hatch run format *]"],
    ["poetry run format", "ask executes [poetry run format *]"],
    ["uv run format", "ask executes [uv run format *]"],
    ["pnpm exec format", "ask executes [pnpm exec format *]"],
    ["npx jest src", "ask executes [npx jest *]"],
    ["uv run python x.py", "ask executes [uv run python x.py *]"],
    ["npx tsx x.ts --watch", "ask executes [npx tsx x.ts *]"],
    ["npm run", "ask executes [npm run]"],
    ["git config", "ask executes [git config]"],
    ["go run main.go", "ask executes [go run main.go *]"],
    ["docker compose exec web sh", "ask executes [docker compose exec web sh]"],
    ["tar czf x.tgz --exclude=.git .", "ask executes [tar czf x.tgz --exclude=.git .]"],
    ["rsync -a --exclude .env src/ to/", "ask executes [rsync -a --exclude .env src/ to/]"],
    ['zip -r x.zip . -x ".git/*"', "ask executes [zip -r x.zip . -x .git/*]"],
    ["fd -E .git x", "ask executes [fd -E .git x]"],
    ["od -w16 a.txt", "allow reads"],
    ["hexdump -vC a.txt", "allow reads"],
    ["strings a.txt", "allow reads"],
    ["date -Iseconds", "allow reads"],
    ["date -ud yesterday +%F", "allow reads"],
    ['echo "${PWD}"', "allow reads"],
    ["printf '%s\\n' \"$HOME\"", "allow reads"],
    ["printf '%-10s|%5.2f\\n' a 1.5", "allow reads"],
    ['[ -z "$CI" ] && echo local', "allow reads"],
    ['[ "$X" != "$Y" ] || ls', "allow reads"],
    ["[ $? -eq 0 ] && ls", "allow reads"],
    ["[ a != b ] && ls", "allow reads"],
    ["cd src && cat a.ts 2>/dev/null", "allow reads"],
    ["cd src && cat a.ts | head 2>/dev/null", "allow reads"],
    ["ls -R round", "allow reads"],
  ])("%s: %s", async (command, expected) => expect(await fixture.formattedDecision(command)).toBe(expected));
});

describe("ripgrep searches hidden names that an ignore file re-includes", () => {
  test.each([
    [".ignore", "!.env\n"],
    [".gitignore", "dist\n!.env*\r\n"],
    [".rgignore", "!*"],
    [".rgignore", "\uFEFF!/mixed/.env"],
    ["mixed/.ignore", "!.e?v\n"],
    [".ignore", "!.e{nv,x}"],
    [".gitignore", "!/mixed/**"],
  ])("%s with %j", async (file, text) => {
    writeFileSync(join(fixture.root, file), text);
    try {
      expect(await fixture.formattedDecision("rg text mixed")).toMatch(/^ask executes/);
      expect(await fixture.formattedDecision("rg text src")).toBe("allow reads");
    } finally {
      rmSync(join(fixture.root, file));
    }
  });

  test.each(["!.env.example\n", "!.vscode/settings.json\n!*.ts\n", "!src/\n", "# !.env\n.env\n"])(
    "%j re-includes nothing protected",
    async (text) => {
      writeFileSync(join(fixture.root, ".gitignore"), text);
      expect(await fixture.formattedDecision("rg text mixed")).toBe("allow reads");
      rmSync(join(fixture.root, ".gitignore"));
    },
  );
});

describe("a command crafted to be slow to judge is judged in time", () => {
  test.each([
    ["wrappers within wrappers", `${"env ".repeat(4_900)}ls`],
    ["words for xargs", `${"xargs ".repeat(3_200)}ls`],
    ["setarch, read twice each time", `${"setarch ".repeat(2_400)}ls`],
    ["parentheses", `${"(".repeat(9_990)}ls${")".repeat(9_990)}`],
    ["open braces", `cat ${"{".repeat(19_900)}`],
    ["braces", `cat ${"{a,b}".repeat(3_900)}`],
    ["blanks in a print script", `sed -n '${" ".repeat(19_900)}x' a.txt`],
    ["blanks in a loop", `for x in a${" ".repeat(19_900)}b; do ls; done`],
  ])("%s", async (_name, command) => {
    // Takes minutes without the limits: longer than any test may take.
    expect(await fixture.formattedDecision(command)).toMatch(/^ask/);
  });
});

describe("the value of a variable that is exported by its name alone", () => {
  test.each([
    ["X='Use `npm test`, $(id)'\nexport X\ncat <<< \"$X\"", "allow mode"],
    ["A='a; rm b'\nB='it'\\''s'\nexport A B\nnpm test", "allow mode"],
    ["LD_PRELOAD='./x.so'\nexport LD_PRELOAD\nls", "ask unreadable"],
    ["PROMPT_COMMAND='`id`'\nexport PROMPT_COMMAND\nls", "ask unreadable"],
    ["X='`id`'\nexport X\neval \"$X\"", "ask unreadable"],
    ["X='`id`'\nexport X\n$X", "ask unreadable"],
    ["export X='`id`'\nnpm test", "ask unreadable"],
  ])("%j in Full access: %s", async (command, expected) => {
    expect(await fixture.formattedDecision(command, { mode: "full" })).toBe(expected);
    expect(await fixture.formattedDecision(command)).toMatch(/^ask /);
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
  });
});
