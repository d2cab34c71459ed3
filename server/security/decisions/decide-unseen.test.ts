/** Decisions on commands whose effect is in a file: scripts that the shell reads, archives and patches. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bashRule, makeDecisionFixture, tableLines } from "./test-decision-fixture";

const fixture = makeDecisionFixture();
const inFullAccess = (command: string) => fixture.formattedDecision(command, { mode: "full" });

beforeAll(() => {
  mkdirSync(join(fixture.root, "template/deep/.vscode"), { recursive: true });
  writeFileSync(join(fixture.root, "template/deep/.vscode/tasks.json"), "{}");
  mkdirSync(join(fixture.root, "pkg/node_modules/x/.vscode"), { recursive: true });
});

describe("a script that the shell reads is one of the project", () => {
  const scripts = tableLines(`
    source .venv/bin/activate
    . .venv/bin/activate
    source venv/bin/activate && pip install x
    cd src && source ../.venv/bin/activate && python a.py
    source a.sh one "two three"
    bash -c 'source a.sh && make'
    command source a.sh
  `);
  test.each(scripts)("%s runs in Full access, and asks in the others", async (command) => {
    expect(await inFullAccess(command)).toBe("allow mode");
    expect(await fixture.formattedDecision(command)).toBe("ask executes");
    expect(await fixture.formattedDecision(command, { mode: "plan" })).toBe("refuse plan_mode");
  });

  test.each([
    ["source /dev/stdin", "ask unreadable"],
    ["echo x | source /dev/stdin", "ask unreadable"],
    ["source /proc/self/fd/0", "ask unreadable"],
    ["source <(echo x)", "ask unreadable"],
    ["source a.sh <<< 'x'", "ask unreadable"],
    ["source $x", "ask unreadable"],
    ["source a*", "ask unreadable"],
    ["source -p . a.sh", "ask unreadable"],
    ["source", "ask unreadable"],
    ["source ../away/x", "ask unreadable"],
    ["source linked/out/x", "ask unreadable"],
    ["source ~/.bashrc", "ask unreadable"],
    ["source .env", "refuse protected"],
    ["source a.sh; rm x", "refuse blocked_word rm"],
    ["source a.sh && . /dev/stdin", "ask unreadable"],
    // The script may have changed the folder.
    ["source a.sh && source b.sh", "ask unreadable"],
  ])("%s: %s", async (command, expected) => expect(await inFullAccess(command)).toBe(expected));

  test("gives no trust to the names behind it, which may be functions now", async () => {
    const rules = [bashRule({ words: ["npm", "test"], rest: true })];
    expect(await fixture.formattedDecision("source a.sh && cat a.txt", { rules })).toBe("ask executes");
    expect(await fixture.formattedDecision("source a.sh && npm test", { rules })).toBe("ask executes");
  });

  test("is matched by rules like any start of the script", async () => {
    const rules = [bashRule({ words: ["./deploy.sh"], rest: true }, "deny")];
    expect(await fixture.formattedDecision(". deploy.sh", { mode: "full", rules })).toMatch(/^refuse rule_denies/);
  });
});

describe("a program that writes names which are not in the command", () => {
  test.each(
    tableLines(`
      tar xf "$x.tar"
      tar -xzf a.tgz -C src
      cat a.tar | tar -x
      xargs tar xf
      find . -name '*.tar' -exec tar xf {} ';'
      busybox tar xf a
      unzip a.zip
      unzip -d src a.zip
      7z x a.7z
      cpio -id < a
      jar xf a.jar
      python3 -m zipfile -e a.zip .
      git apply a.patch
      git -C src apply a.patch
      git apply --stat --apply a.patch
      git am a.mbox
      git am --skip
      cat a.patch | git apply
      patch -p1 < a.patch
      patch -p 1 -i a.patch
      git apply <<'EOF'⏎+++ b/.vscode/tasks.json⏎EOF
      patch -p1 <<EOF⏎+++ b/$x⏎EOF
      patch <<'EOF'⏎Index: .npmrc⏎EOF
      git apply <<'EOF'⏎rename from a⏎rename to .husky/pre-commit⏎EOF
      gunzip .npmrc.gz
      gzip -d .vscode/tasks.json.gz
      gunzip -N a.gz
      xz -dr src
      zstd -d x.zst -o .npmrc
      rsync -a template/ src/
      cp -r template/. src
    `),
  )("%s asks in Full access", async (command) => expect(await inFullAccess(command)).toBe("ask runs_code"));

  test.each(
    tableLines(`
      tar tf a.tar
      tar -tvf a.tar
      tar -czf a.tgz src
      tar -xOf a.tar a
      unzip -l a.zip
      unzip -p a.zip a
      7z l a.7z
      cpio -it < a
      python3 -m zipfile -l a.zip
      git apply --check a.patch
      git am --abort
      git apply <<'EOF'⏎--- a/a.txt⏎+++ b/a.txt⏎+see .vscode⏎EOF
      patch --dry-run -p1 < a.patch
      patch a.txt < a.patch
      gunzip a.gz
      gunzip -c .npmrc.gz
      gzip a.txt
      rsync -a src/ to/
      rsync -an template/ to/
      cp -r src to
      cp -r pkg to
    `),
  )("%s runs where it writes what the command names", async (command) =>
    expect(await inFullAccess(command)).toBe("allow mode"),
  );
});
