/**
 * Commands that must never run without a card: code that arrives as input of a version question, words that bash expands
 * outside of arguments, paths after a `cd` that may have failed. And those that must still run without one.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeDecisionFixture, tableLines } from "./test-decision-fixture";

const fixture = makeDecisionFixture();

const asks = async (command: string) => {
  expect(await fixture.formattedDecision(command)).toMatch(/^ask/);
  expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
};
const runs = async (command: string) =>
  expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("allow reads");

describe("only the exact spelling of a version question, without input, runs", () => {
  test.each(
    tableLines(`
      node --version
      node -v
      python3 --version
      python --version
      python3 -V
      python3 -VV
      ruby --version
      ruby -v
      perl -v
      php -v
      php --version | head -1
      java -version 2>&1 | head -1
      java --version
      gcc --version
      node --version && python3 --version; ls
      timeout 5 python3 --version
      (node --version; ls)
    `),
  )("%s", runs);

  test.each(
    tableLines(`
      python -v
      python3 -v
      python3 -v < a.txt
      python3 -v <<EOF⏎print(1)⏎EOF
      python3 -v <<< 'print(1)'
      echo 'print(1)' | python3 -v
      cat a.txt | timeout 5 python3 -v
      { python3 -v; } < a.txt
      (python3 -v) <<< 'x'
      if true; then python -v; fi < a.txt
      while python3 -v; do break; done <<< x
      ls | (cat; python3 -v)
      python3 -Vv
      python3 -vV
      python3 -V -v
      python3 --version -
      python3 -v a.txt
      perl -V
      ruby -V
      php -V
      java -v
      java -V
      gcc -V
      node -V
      tclsh --version
      ./python3 --version
      python3 -V < a.txt
      python3 --version <<< 'x'
      node --version <<EOF⏎x⏎EOF
      echo x | node --version
      echo x | node -v | cat
      cat a.txt | timeout 5 node --version
      ls > >(python3 -V)
      { node -v; } <<< x
      f() { node -v; }; f < a.txt
    `),
  )("%s asks", asks);

  test.each(["python3 -v", "python3 -v <<< 'import os'", "echo x | tclsh --version", "erl --version", "pypy3 -v"])(
    "%s asks in Full access",
    async (command) => expect(await fixture.formattedDecision(command, { mode: "full" })).toBe("ask unreadable"),
  );
});

describe("words that bash expands outside of arguments hold nothing but plain variables", () => {
  test.each(
    tableLines(`
      cat <<< hello
      cat <<< "$HOME and \${USER}"
      cat <<< '\${x@P} $(rm x)'
      wc -c <<< $x
      cat <<EOF⏎text $HOME \${USER} costs \\$5⏎EOF
      cat <<EOF⏎EOF
      cat <<'EOF'⏎\${x@P} $_ $((1))⏎EOF
      cat <<-"EOF"⏎\t\${!x}⏎\tEOF
      cat <<EOF | grep x⏎$HOME⏎EOF
      cat <<EOF 2>/dev/null⏎x⏎EOF
      case "$1" in -h|--help) ls ;; *.ts) pwd ;; *) echo no ;; esac
      case $x in "$y"*) ls ;; [a-c]?) pwd ;; esac
      case a in a) cat a.txt ;; esac
    `),
  )("%s", runs);

  test.each(
    tableLines(String.raw`
      cat <<< ${"${x@P}"}
      cat <<< "a ${"${GOPI_COMMAND@P}"}" # $(id)
      echo '$(id)'; cat <<< ${"${_@P}"}
      cat <<< $_
      cat <<< "$((a[x]))"
      cat <<< ${"${!x}"}
      cat <<< ${"${x:y:1}"}
      cat <<< ${"${a[x]}"}
      cat <<< ${"${CDPATH:=/}"}
      cat <<< ${"${x:-a}"}
      cat <<EOF⏎${"${x@P}"}⏎EOF
      cat <<EOF⏎text "${"${x@A}"}"⏎EOF
      cat <<EOF⏎$_⏎EOF
      cat <<EOF⏎a $_ b $x⏎EOF
      cat <<EOF⏎$(date)⏎EOF
      cat <<EOF⏎$((x))⏎EOF
      cat <<-EOF⏎${"${!x}"}⏎EOF
      wc -l <<EOF | head⏎${"${x:y}"}⏎EOF
      { cat; } <<EOF⏎${"${x@P}"}⏎EOF
      (cat) <<< ${"${x@P}"}
      case ${"${x@P}"} in a) ls ;; esac
      case "x${"${x@P}"}" in a) ls ;; esac
      case a in ${"${x@P}"}) ls ;; esac
      case a in b|"${"${!x}"}") ls ;; esac
      case a in *${"${x:y}"}*) ls ;; esac
      case a in b) ls ;; $((x))) pwd ;; esac
      case $_ in a) ls ;; esac
      case $(ls) in a) ls ;; esac
    `),
  )("%s asks", asks);
});

describe("a redirect that the grammar puts into a here-document or a function counts", () => {
  test.each([
    ["cat <<EOF > out.txt\nx\nEOF", "ask writes"],
    ["cat <<EOF >> out.txt\nx\nEOF", "ask writes"],
    ["cat <<'EOF' 2>/dev/null >out.txt\nx\nEOF", "ask writes"],
    ["cat <<EOF > .bashrc\nx\nEOF", "ask runs_code"],
    ["cat <<EOF > .env\nx\nEOF", "refuse protected"],
    ["cat <<EOF < .env\nx\nEOF", "refuse protected"],
    ["cat <<EOF | tee out.txt\nx\nEOF", "ask executes"],
    ["f() { ls; } > .bashrc", "ask runs_code"],
    ["f() { ls; } > .env", "refuse protected"],
    ["f() (ls) > out.txt; f", "ask writes"],
  ])("%j: %s", async (command, expected) => expect(await fixture.formattedDecision(command)).toContain(expected));
});

describe("a path after a cd is judged from every folder in which the shell may be", () => {
  test.each(
    tableLines(`
      cd src && cat ../a.txt
      cd src && cd deep && cat ../../a.txt
      cd src || exit; cat ../a.txt
      cd src || exit 1⏎cat ../a.txt⏎cd deep || exit 2⏎cat ../../a.txt
      (cd src && cat ../a.txt)
      cd src; cat a.ts
      cd src⏎cat a.ts; ls
      cd src && cat ../a.txt; cat a.txt
      cd .; ls
    `),
  )("%s", runs);

  test.each(
    tableLines(`
      cd src; cat ../a.txt
      cd src⏎cat ../a.txt
      cd src; ls ..
      (cd src; ls ..)
      cd src; cd deep; cat ../../a.txt
      cd src && ls; cat ../a.txt
      cd src && cd deep && ls⏎cat ../a.txt
      cd src || true; cat ../a.txt
      <missing cd src; cat ../../away/x
      <missing cd src && cat ../a.txt
      < missing cd src || exit; cat ../a.txt
      <&9 cd src; cat ../a.txt
      cd src <missing; cat ../a.txt
      cd <missing src; ls ..
      2>&7 cd src⏎ls ..
      0<missing cd src && cd deep; ls ../..
      <<< x cd src; cat ../a.txt
      cd '' && ls ..
      X=1 cd src && cat ../a.txt
      CDPATH=/ cd src && cat ../a.txt
      cd missing; ls
      cd a.txt; ls
    `),
  )("%s asks", asks);

  test("a folder that may not be entered is as uncertain as one that does not exist", async () => {
    const folder = join(fixture.root, "locked");
    mkdirSync(folder);
    chmodSync(folder, 0o644);
    const isEntered = spawnSync("bash", ["-c", "cd locked"], { cwd: fixture.root }).status === 0;
    expect(await fixture.formattedDecision("cd locked && cat ../a.txt")).toMatch(isEntered ? /^allow/ : /^ask/);
    chmodSync(folder, 0o755);
  });
});
