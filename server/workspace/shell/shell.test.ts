import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { serverLimits } from "@/lib/settings/server-limits";
import { makeTestProject, type TestProject } from "../__fixtures__/project";
import { makeShell } from "./shell";
import type { Shell } from "../workspace";

const never = new AbortController().signal;
const path = process.env.PATH ?? "/usr/bin:/bin";
let project: TestProject;
let shell: Shell;

beforeEach(() => {
  project = makeTestProject({ "sub/a.txt": "a" });
  shell = makeShell({ root: project.root, environment: () => ({ PATH: path, HOME: project.root, GIVEN: "base" }) });
});
afterEach(() => project.remove());

async function run(command: string, timeoutMs = 10_000, signal: AbortSignal = never) {
  let output = "";
  const result = await shell.run(command, { timeoutMs, onOutput: (text) => (output += text) }, signal);
  return { ...result, output };
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

describe("state between calls", () => {
  test("cd and exported variables persist, also with hostile values", async () => {
    await run("cd sub; export A='x y' B=$'line\\nline' C='$(touch pwned)' D='=='");
    const after = await run('pwd; printf "%s|" "$A" "$B" "$C" "$D"');
    expect(after.output).toBe(`${project.at("sub")}\nx y|line\nline|$(touch pwned)|==|`);
    expect(after.cwd).toBe(project.at("sub"));
    expect(shell.cwd).toBe(project.at("sub"));
  });

  test.each([
    ["PATH", "export PATH=/nowhere", `echo "$PATH"`, `${path}\n`],
    ["HOME", "export HOME=/nowhere", `cd ~ && pwd | grep -c nowhere`, "0\n"],
    ["TMPDIR", "export TMPDIR=/nowhere", `echo "[$TMPDIR]"`, `[${process.env.TMPDIR ?? ""}]\n`],
    ["a function", "f() { echo kept; }; export -f f", "f 2>/dev/null || echo gone", "gone\n"],
    ["an alias", "shopt -s expand_aliases; alias ll=echo", "alias; echo gone", "gone\n"],
    ["a plain variable", "PLAIN=1", `echo "[$PLAIN]"`, "[]\n"],
    ["LD_PRELOAD", "export LD_PRELOAD=/nowhere.so 2>/dev/null", `echo "[$LD_PRELOAD]"`, "[]\n"],
    ["BASH_ENV", "export BASH_ENV=/nowhere", `echo "[$BASH_ENV]"`, "[]\n"],
    [
      "GIT_SSH_COMMAND",
      "export GIT_SSH_COMMAND=x GIT_EXTERNAL_DIFF=y",
      `echo "[$GIT_SSH_COMMAND$GIT_EXTERNAL_DIFF]"`,
      "[]\n",
    ],
    ["PAGER", "export PAGER=x PYTHONPATH=y", `echo "[$PAGER$PYTHONPATH]"`, "[]\n"],
    ["IFS", "export IFS=x", `printf '%q' "$IFS"`, "$' \\t\\n'"],
    ["shell options", "set -eu; shopt -s nullglob", "echo $-$(shopt -p nullglob)", "hBcshopt -u nullglob\n"],
    ["a trap", "trap 'echo trapped' EXIT", "true", ""],
    ["an unset variable", "export X=1; unset X", `echo "[$X]"`, "[]\n"],
  ])("%s is not kept", async (_name, first, second, expected) => {
    await run(first);
    expect((await run(second)).output).toBe(expected);
  });

  test.each([
    ["exit 3", "cd sub; export K=1; exit 3", 3],
    ["set -e", "set -e; cd sub; export K=1; false; echo never", 1],
    ["a failing last command", "cd sub; export K=1; false", 1],
    ["its own EXIT trap", "trap 'echo bye' EXIT; cd sub; export K=1", 0],
    ["set -u and an unset name", "set -u; cd sub; export K=1; echo $NOPE", 127],
    ["set -x", "set -x; cd sub; export K=1", 0],
    ["a changed IFS and noclobber", "IFS=/; set -fC; cd sub; export K=1", 0],
    ["a syntax error in a later line", "cd sub\nexport K=1\nfor", 2],
    ["a closed stdout", "exec >&- 2>&- 3>&-; cd sub; export K=1", 0],
  ])("state is saved when a command ends by %s", async (_name, command, exit) => {
    expect((await run(command)).exit).toBe(exit);
    expect((await run('pwd; echo "$K"')).output).toBe(`${project.at("sub")}\n1\n`);
  });

  test("messages of bash count the lines of the command", async () => {
    expect((await run("true\nno_such_program")).output).toContain("line 2: no_such_program: command not found");
  });

  test("exec replaces the shell: the state before the call persists", async () => {
    expect((await run("cd sub; exec echo replaced")).output).toBe("replaced\n");
    expect(shell.cwd).toBe(project.root);
  });

  test("oversized variables are dropped without affecting later calls", async () => {
    await run("export BIG=$(head -c 120000 /dev/zero | tr '\\0' x) SMALL=1");
    expect((await run('echo "${#BIG} $SMALL"')).output).toBe("0 1\n");
  });

  test("a value that is not UTF-8 does not persist", async () => {
    await run("export BAD=$'\\xff' GOOD=ü");
    expect((await run('echo "[$BAD] $GOOD"')).output).toBe("[] ü\n");
  });

  test("a deleted folder falls back to the root and is reported", async () => {
    await run("cd sub");
    rmSync(project.at("sub"), { recursive: true });
    const after = await run("pwd");
    expect(after).toMatchObject({ output: `${project.root}\n`, cwdLost: true, cwd: project.root, exit: 0 });
    expect((await run("pwd")).cwdLost).toBeUndefined();
  });

  test("a folder with a line end in its name persists", async () => {
    mkdirSync(project.at("odd\nname\n"));
    await run("cd $'odd\\nname\\n'");
    expect(shell.cwd).toBe(project.at("odd\nname\n"));
  });
});

describe("environment of the command", () => {
  test("has only the given environment, without variables of the wrapper", async () => {
    const { output } = await run("env | sort");
    const names = output.split("\n").map((line) => line.split("=")[0]);
    expect(names.filter((name) => name !== "" && name !== "_")).toEqual(
      expect.arrayContaining(["GIVEN", "GOPI_CALL", "HOME", "PATH", "PWD", "SHLVL"]),
    );
    expect(names).not.toContain("GOPI_COMMAND");
    expect(names).not.toContain("GOPI_STATE");
    expect(output).not.toContain("gopi_save");
  });

  test("has its own text in no variable and no argument, where an expansion could run it", async () => {
    const { output } = await run('# text-of-command\nset; declare -p; echo $0 "$@" $_ ${!GOPI*}');
    expect(output).toContain("GOPI_CALL");
    expect(output).not.toMatch(/text-of-command/);
    expect((await run("# $(touch pwned)\ncat <<< ${GOPI_COMMAND@P}")).output).toBe("\n");
    expect(existsSync(project.at("pwned"))).toBe(false);
  });

  test("inherits no file descriptor but the output (here stdout is the inner pipe)", async () => {
    const { output } = await run("ls -l /proc/self/fd | grep -o '[0-9]* -> .*gopi-shell.*'");
    expect(output.replace(/-> .*\//g, "")).toBe("2 output\n");
  });

  test("receives its text unchanged and no arguments: quotes, here-documents, line ends, unicode", async () => {
    const { output } = await run(
      "echo $# \"it's\" 'a\"b' \\$HOME `echo tick` 日本\ncat <<'EOF'\n$raw `x`\nEOF\n\n# end",
    );
    expect(output).toBe("0 it's a\"b $HOME tick 日本\n$raw `x`\n");
  });

  test("stdin is empty", async () => {
    expect((await run('cat; read -r line; echo "$? [$line]"')).output).toBe("1 []\n");
  });

  test("/dev/stdout and /dev/stderr can be opened", async () => {
    expect((await run("echo one > /dev/stderr; echo two | tee /dev/stdout")).output).toBe("one\ntwo\ntwo\n");
  });

  test("pkill with a pattern from the command does not match its shell", async () => {
    expect(await run("pgrep -f unlikely-word-4711 >/dev/null; echo $?")).toMatchObject({ output: "1\n", exit: 0 });
  });

  test("a syntax error returns bash's message and exit code 2", async () => {
    const result = await run("echo )");
    expect(result.exit).toBe(2);
    expect(result.output).toContain("syntax error near unexpected token `)'");
  });

  test("stdout and stderr keep the order of writes", async () => {
    const { output } = await run("for i in 1 2 3; do echo o$i; echo e$i >&2; done");
    expect(output).toBe("o1\ne1\no2\ne2\no3\ne3\n");
  });
});

describe("output", () => {
  test("a character split by a pause arrives whole", async () => {
    expect((await run("printf '\\xe6\\x97'; sleep 0.1; printf '\\xa5\\n'")).output).toBe("日\n");
  });

  test("colours, titles and redrawn lines become text", async () => {
    const { output } = await run("printf '\\e[31mred\\e[0m\\n\\e]0;title\\a10%%\\r50%%\\r100%%\\nend\\r\\n'");
    expect(output).toBe("red\n100%\nend\n");
  });

  test("is streamed while the command runs, including an unfinished line", async () => {
    const seen: string[] = [];
    const controller = new AbortController();
    const result = await shell.run(
      "printf 'first\\nprompt> '; sleep 100",
      {
        timeoutMs: 10_000,
        onOutput: (text) => {
          seen.push(text);
          if (seen.join("") === "first\nprompt> ") controller.abort();
        },
      },
      controller.signal,
    );
    expect(result.ended).toBe("aborted");
    expect(seen).toEqual(["first\n", "prompt> "]);
  });

  test("an endless writer is ended at the limit with bounded memory", async () => {
    const before = process.memoryUsage().rss;
    let chars = 0;
    let peak = 0;
    const result = await shell.run(
      "yes",
      {
        timeoutMs: 60_000,
        onOutput: (text) => {
          chars += text.length;
          peak = Math.max(peak, process.memoryUsage.rss());
        },
      },
      never,
    );
    expect(result.ended).toBe("output_limit");
    expect(chars).toBe(serverLimits.bashSpillBytes);
    expect(peak - before).toBeLessThan(150_000_000);
  });
});

describe("end of a call", () => {
  test.each([
    ["in the background", "sleep 100 & echo $!"],
    ["holding no pipe", "sleep 100 >/dev/null 2>&1 & echo $!"],
    ["in its own session", "setsid sleep 100 & echo $!"],
    ["in its own job-control group", "set -m; sleep 100 & echo $!"],
    ["disowned with nohup", "nohup sleep 100 >/dev/null 2>&1 & echo $!; disown"],
    ["ignoring SIGTERM", "(trap '' TERM; while :; do sleep 0.1; done) & echo $!"],
  ])("a child %s neither holds the call nor outlives it", async (_name, command) => {
    const result = await run(command);
    const pid = Number(result.output.match(/\d+/)?.[0]);
    expect(pid).toBeGreaterThan(1);
    expect(isAlive(pid)).toBe(false);
    expect(result).toMatchObject({ exit: 0, signal: null });
    expect(result.killed).toBeGreaterThanOrEqual(1);
    expect(result.ended).toBeUndefined();
  });

  test("counts exactly the living children", async () => {
    expect((await run("sleep 100 & sleep 100 & sleep 0 & wait $!; echo done")).killed).toBe(2);
    expect((await run("echo alone")).killed).toBe(0);
  });

  test("a daemon that forked twice into a new session is found by its environment", async () => {
    const { output, killed } = await run("(setsid bash -c 'sleep 100 & echo $!' &) ; sleep 0.3");
    expect(killed).toBeGreaterThanOrEqual(1);
    expect(isAlive(Number(output))).toBe(false);
  });

  test("a background process that never stops writing does not block the call", async () => {
    const result = await run("(while :; do echo x; sleep 0.01; done) & echo $!");
    expect(result.exit).toBe(0);
  });

  test("a timeout ends the command and preserves its output and state", async () => {
    await run("cd sub");
    const result = await run("echo before; sleep 100; echo never", 300);
    expect(result).toMatchObject({ ended: "timeout", output: "before\n", cwd: project.at("sub") });
    expect(result.exit === null || result.exit === 143).toBe(true);
  });

  test("a command that ignores SIGTERM is killed after the grace period", async () => {
    const result = await run("trap '' TERM; while :; do sleep 0.1; done", 100);
    expect(result).toMatchObject({ ended: "timeout", signal: "SIGKILL" });
  });

  test("an abort ends all processes, including those that ignore SIGTERM", async () => {
    const controller = new AbortController();
    const result = await shell.run(
      "trap '' TERM; (setsid sleep 100 &); echo go; while :; do sleep 0.1; done",
      {
        timeoutMs: 60_000,
        onOutput: () => {
          controller.abort();
        },
      },
      controller.signal,
    );
    expect(result.ended).toBe("aborted");
  });

  test("an abort before the start runs nothing", async () => {
    const result = await run("touch ran", 1_000, AbortSignal.abort());
    expect(result).toMatchObject({ ended: "aborted", exit: null });
    expect(existsSync(project.at("ran"))).toBe(false);
  });

  test("a killed shell reports its signal", async () => {
    expect(await run("kill -9 $$")).toMatchObject({ exit: null, signal: "SIGKILL" });
  });

  test("calls run serially, and a waiting one can be aborted", async () => {
    const controller = new AbortController();
    const first = run("sleep 0.2; echo 1 >> order; cd sub");
    const second = run("touch never", 5_000, controller.signal);
    const third = run("echo 3 >> ../order; pwd");
    controller.abort();
    expect((await second).ended).toBe("aborted");
    await first;
    expect((await third).output).toBe(`${project.at("sub")}\n`);
    expect(readFileSync(project.at("order"), "utf8")).toBe("1\n3\n");
    expect(existsSync(project.at("never"))).toBe(false);
  });

  test("leaves no pipe on disk", async () => {
    project.put("tmp/.keep", "");
    vi.stubEnv("TMPDIR", project.at("tmp"));
    await run("echo hi");
    await run("sleep 100", 50);
    expect(readdirSync(project.at("tmp"))).toEqual([".keep"]);
  });
});

describe("start failures", () => {
  test("a missing bash is an error, not an exception", async () => {
    shell = makeShell({ root: project.root, environment: () => ({ PATH: "/nowhere" }) });
    expect(await run("echo hi")).toMatchObject({ error: "no_shell", exit: null, killed: 0 });
  });

  test("a missing project is an error, not an exception", async () => {
    rmSync(project.root, { recursive: true });
    expect(await run("echo hi")).toMatchObject({ error: "no_shell", exit: null });
  });
});
