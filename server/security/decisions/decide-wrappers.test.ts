/**
 * Programs that start others, in many spellings: blocked words behind them, unreadable commands, and commands that
 * only read.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeDecisionFixture, tableLines } from "./test-decision-fixture";

const fixture = makeDecisionFixture();
beforeAll(() => {
  mkdirSync(join(fixture.root, "clean"));
  writeFileSync(join(fixture.root, "clean/a.ts"), "x");
});

describe("a blocked word behind a wrapper with options is refused in every mode", () => {
  test.each(
    tableLines(String.raw`
      bash -euo pipefail -c 'rm -rf x'
      bash -eo pipefail -uc 'rm x'
      bash -o pipefail -ec 'rm x'
      bash +o posix -c 'rm x'
      bash -O extglob -c 'rm x'
      bash +O extglob -c 'rm x'
      bash -ceuo pipefail 'rm x'
      bash -O extglob -o pipefail -c 'rm x'
      bash --rcfile x -c 'rm x'
      bash --init-file=x -c 'rm x'
      bash --unknown value -c 'ls; rm x'
      sh -o errexit -c 'rm x'
      zsh -o extendedglob -c 'rm x'
      fish -C 'rm x' -c ls
      fish --init-command 'rm x'
      env -S 'bash -euo pipefail -c "rm x"'
      env - rm x
      env -i - A=b rm x
      env -C src rm x
      env --chdir=src rm x
      env --ignore-signal=INT rm x
      timeout -k 5 10 rm x
      timeout -k5 -s KILL 10 rm x
      timeout --kill-after=5 --preserve-status 10 rm x
      timeout --unknown 5 rm x
      xargs -I{} rm {}
      xargs -I {} rm {}
      xargs -i rm {}
      xargs --replace rm x
      xargs --replace={} rm {}
      xargs --max-lines=1 rm
      xargs --eof=x rm
      xargs -P4 -n1 sh -c 'rm "$1"' _
      busybox rm x
      busybox sh -c 'rm x'
      toybox env rm x
      find . -exec bash -euo pipefail -c 'rm x' \;
      find . -type f -okdir rm {} \;
      fd -x rm
      fd -Hx rm
      fd x --exec rm
      fd --exec=rm x
      fd -X rm
      tmux new-session -d 'rm x'
      screen -dm rm x
      chronic rm x
      hyperfine 'rm x'
      firejail --quiet rm x
      watchexec -- rm x
      taskset -c 0 rm x
      nice --adjustment 5 rm x
      git submodule foreach 'rm x'
      git bisect run rm x
      git rebase -x 'rm x' main
      git rebase --exec='rm x' main
      git filter-branch --tree-filter 'rm x' HEAD
      tar xf a.tar --to-command='rm x'
      tar cf a.tar --checkpoint-action=exec='rm x' src
      rsync -e 'sh -c "rm x"' a b
      ssh-agent -t 5 rm x
    `),
  )("%s", async (command) => {
    expect(await fixture.formattedDecision(command, { mode: "full" })).toMatch(/^refuse blocked_word (?:rm|sudo)$/);
  });
});

describe("a wrapper whose command cannot be read asks in every mode", () => {
  test.each(
    tableLines(String.raw`
      bash -O extglob -c 'ls'
      bash -O dotglob -c 'cat src/*'
      bash --rcfile x
      bash --debugger x.sh
      bash -o
      fish -C x
      env -S 'ls -la'
      busybox --install
      timeout --unknown 5 ls
      xargs --unknown ls
      fd --exec="$x"
      git -c alias.x='!ls' x
      git -c core.pager='sh -c x' log
      git -c core.fsmonitor=./x status
      git --exec-path=. log
      git --config-env=core.pager=X log
      tar xf a.tar --use-compress-program=./x
      tar -I ./x -xf a.tar
      vim -c '!ls' a.txt
      nvim +'!ls' a.txt
      ssh -o ProxyCommand=./x host
      sort --compress-program=./x a.txt
      rg --pre ./x text
      rg --pre cat x src
      git -c core.pager=x log
      sort --compress-program=x a.txt
      rg --hostname-bin=./x text
      gdb -ex 'shell ls' a
    `),
  )("%s", async (command) => {
    for (const mode of ["ask", "full"] as const)
      expect(await fixture.formattedDecision(command, { mode })).toBe("ask unreadable");
  });
});

describe("functions, and loops that leave processes behind, are not only reads", () => {
  test.each(
    tableLines(String.raw`
      ls(){ ls & ls; }; ls
      ls() { cat a.txt; }; ls
      function cat { ls; }; cat a.txt
      cat() (ls); cat a.txt
      pwd(){ :; }; pwd
      while true; do sleep 9 & done
      until false; do (sleep 9 &) done
      while true; do { sleep 9 & }; done
      while true; do ls $(sleep 9 &); done
      while sleep 1 & do ls; done
      while true; do while true; do sleep 9 & done; done
      for i in 1 2; do sleep 9 & done
      for ((;;)); do sleep 9 & done
    `),
  )("%s", async (command) => {
    expect(await fixture.formattedDecision(command)).toMatch(/^ask/);
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
  });
  test.each([
    "alias ls=rm; ls",
    "alias cat='node x.js'",
    "shopt -s dotglob; cat *",
    "source $x; ls",
    "enable -n echo; ls",
  ])("%s", async (command) =>
    expect(await fixture.formattedDecision(command, { mode: "full" })).toMatch(/^(?:ask unreadable|refuse)/),
  );
});

describe("a reader of a folder is judged by the files it walks", () => {
  test.each(
    tableLines(`
      diff -N . src
      diff . src
      diff a.txt .
      diff -q mixed src
      diff -r mixed src
      diff linked src
      diff --brief --new-file mixed clean
      grep -r x .
      grep -rn x mixed
      grep -R x linked
      grep --recursive x
      egrep -r x mixed
      rg --hidden x mixed
      rg -uu x mixed
      find .
      find mixed -type f
      ls -R .
      ls -laR mixed
      du -a mixed
      du
      tree mixed
      tree -a
      wc --files0-from=a.txt
      wc --files0-from a.txt
      du --files0-from=a.txt
      sort --files0-from=a.txt
      sort -m --files0-from a.txt
      grep -d recurse x mixed
      grep --directories=recurse x mixed
      grep -D read x mixed
      find -L src
      find -files0-from a.txt
      tree --fromfile a.txt
      tree -l src
      file -f a.txt
      file --files-from a.txt
      date -f a.txt
      tar tf a.tar
      tar cf - src
      rg --follow x src
      rg -L x src
      rg --search-zip x src
      rg -z x src
    `),
  )("%s", async (command) => expect(await fixture.formattedDecision(command)).toMatch(/^ask/));

  test.each(
    tableLines(`
      diff clean src
      diff -r clean src
      diff -u a.txt b.txt
      grep -rn x src clean
      rg x clean
      find clean -name '*.ts'
      ls -R clean
      du -sh clean
      tree clean
      wc -l clean/a.ts
      find . -maxdepth 1
    `),
  )("%s runs without approval", async (command) =>
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("allow reads"),
  );
});

describe("everyday wrappers run in Full access, and readers behind them without approval", () => {
  test.each([
    ["bash -euo pipefail -c 'npm test'", "allow mode"],
    ["bash -lc 'npm test'", "allow mode"],
    ["timeout -k 5 10 npm test", "allow mode"],
    ["xargs -I{} node x.js {}", "allow mode"],
    ["find src -name '*.ts' -exec wc -l {} +", "allow mode"],
    ["fd -e ts -x wc -l", "allow mode"],
    ["tmux ls", "allow mode"],
    ["hyperfine 'npm test'", "allow mode"],
    ["git -c user.name=x commit -m y", "allow mode"],
    ["git rebase main", "allow mode"],
    ["git submodule foreach 'git pull'", "allow mode"],
    ["rsync -a src/ to/", "allow mode"],
    ["tar czf x.tgz src", "allow mode"],
    ["env A=b npm test", "allow mode"],
    ["while true; do ls; done", "allow reads"],
    ["ls & pwd", "allow reads"],
    ["sleep 1 & ls", "allow reads"],
  ])("%s: %s", async (command, expected) =>
    expect(await fixture.formattedDecision(command, { mode: "full" })).toBe(expected),
  );
});
