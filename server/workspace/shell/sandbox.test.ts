import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "./sandbox";
import { bubblewrapCommand, type SandboxLayout, seatbeltCommand } from "./sandbox-command";
import { makeShell } from "./shell";

const layout: SandboxLayout = {
  program: "/usr/bin/bwrap",
  root: "/home/u/code/app",
  cwd: "/home/u/code/app/src",
  pipes: "/tmp/gopi-shell-x",
  hidden: ["/home/u/.ssh", "/home/u/code/app/.keys"],
  network: false,
};

const after = (words: readonly string[], first: string, second: string): boolean =>
  words.indexOf(first) >= 0 && words.lastIndexOf(second) > words.indexOf(first);

describe("the command line of bubblewrap", () => {
  const words = bubblewrapCommand(["bash", "-c", "x y"], layout);
  const text = words.join(" ");
  test.each([
    "--die-with-parent",
    "--new-session",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-net",
    "--cap-drop ALL",
    "--setenv npm_config_fetch_retries 0",
    "--ro-bind / /",
    "--proc /proc",
    "--tmpfs /tmp",
    "--bind /home/u/code/app /home/u/code/app",
    "--bind /tmp/gopi-shell-x /tmp/gopi-shell-x",
    "--chdir /home/u/code/app/src",
    "/home/u/.ssh",
    "/home/u/code/app/.keys",
  ])("has %s", (part) => expect(text).toContain(part));
  test("ends with the unchanged argument vector", () => {
    expect(words.slice(-4)).toEqual(["--", "bash", "-c", "x y"]);
    expect(words[0]).toBe("/usr/bin/bwrap");
  });
  test("mounts writable folders before hidden paths and the project", () => {
    const more = bubblewrapCommand([], { ...layout, writable: ["/home/u/.npm"] });
    expect(more.join(" ")).toContain("--bind /home/u/.npm /home/u/.npm");
    expect(after(more, "/tmp", "/home/u/.npm")).toBe(true);
    expect(after(more, "/home/u/.npm", "/home/u/.ssh")).toBe(true);
    const [, , profile = ""] = seatbeltCommand([], { ...layout, writable: ["/home/u/.npm"] });
    expect(profile).toContain(
      '(allow file-write* (subpath "/home/u/.npm"))\n(deny file-read* file-write* (subpath "/home/u/.ssh"))',
    );
  });
  test("mounts the private temporary folder before the project and hidden paths of the project after it", () => {
    expect(after(words, "/tmp", "/home/u/code/app")).toBe(true);
    expect(after(words, "/home/u/.ssh", "/home/u/code/app")).toBe(true);
    expect(after(words, "/home/u/code/app", "/home/u/code/app/.keys")).toBe(true);
  });
  test("allows the network only if permitted", () => {
    const words = bubblewrapCommand([], { ...layout, network: true });
    expect(words).not.toContain("--unshare-net");
    expect(words).not.toContain("npm_config_fetch_retries");
  });
  test("shows a project inside a hidden folder", () => {
    const inside = bubblewrapCommand([], { ...layout, root: "/home/u/.ssh/app", cwd: "/home/u/.ssh/app" });
    expect(after(inside, "/home/u/.ssh", "/home/u/.ssh/app")).toBe(true);
  });
  test("hides paths if the project is the root folder", () => {
    const whole = bubblewrapCommand([], { ...layout, root: "/", cwd: "/" });
    expect(whole.join(" ")).toContain("--bind / / --dev /dev");
    expect(whole).not.toContain("--ro-bind / /");
    expect(whole).toContain("/home/u/.ssh");
  });
});

describe("the command line of seatbelt", () => {
  const words = seatbeltCommand(["bash", "-c", "x y"], { ...layout, program: "/usr/bin/sandbox-exec" });
  const profile = (words[2] ?? "").split("\n");
  test.each([
    "(version 1)",
    "(deny file-write*)",
    '(allow file-read* file-write* (subpath "/home/u/code/app") (subpath "/tmp/gopi-shell-x"))',
    '(deny file-read* file-write* (subpath "/home/u/.ssh"))',
    '(deny file-read* file-write* (subpath "/home/u/code/app/.keys"))',
    "(deny network*)",
  ])("has the rule %s", (rule) => expect(profile).toContain(rule));
  test("lists hidden paths of the project last, so that they apply", () => {
    const indexOf = (part: string): number => profile.findIndex((line) => line.includes(part));
    expect(indexOf("/home/u/.ssh")).toBeLessThan(indexOf('(subpath "/home/u/code/app")'));
    expect(indexOf('(subpath "/home/u/code/app")')).toBeLessThan(indexOf(".keys"));
  });
  test("ends with the command and the private temporary folder", () => {
    expect([words[0], words[1]]).toEqual(["/usr/bin/sandbox-exec", "-p"]);
    const variables = ["TMPDIR=/tmp/gopi-shell-x", "npm_config_fetch_retries=0"];
    expect(words.slice(3)).toEqual(["/usr/bin/env", ...variables, "bash", "-c", "x y"]);
  });
  test("quotes special characters in folder names", () => {
    const [, , odd = ""] = seatbeltCommand([], { ...layout, root: '/a"b\\c', hidden: [] });
    expect(odd).toContain('(subpath "/a\\"b\\\\c")');
  });
  test("allows the network only if permitted", () => {
    expect(seatbeltCommand([], { ...layout, network: true })[2]).not.toContain("network");
  });
});

describe("availability of the sandbox", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-bin-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const with_ = (PATH: string, platform: NodeJS.Platform = "linux"): Sandbox =>
    makeSandbox({
      environment: { PATH, HOME: folder, NODE_ENV: "test" },
      home: folder,
      setting: () => ({ network: false }),
      platform,
    });

  test("is unavailable without the program, on another system, or with a relative PATH", async () => {
    const none = { program: null, works: false, why: "not_installed" };
    expect(await with_("/nowhere").state()).toEqual(none);
    expect(await with_("bin:.:").state()).toEqual(none);
    expect(await with_("/usr/bin", "win32").state()).toEqual({ ...none, why: "unknown_system" });
    expect(await with_("/nowhere").fence()).toBeNull();
  });

  test("runs the trial once: a failing program reports its error and provides no sandbox", async () => {
    const log = join(folder, "tries");
    writeFileSync(
      join(folder, "bwrap"),
      `#!/bin/sh\necho x >> ${log}\necho "bwrap: no permissions to create a namespace" >&2\nexit 1\n`,
    );
    chmodSync(join(folder, "bwrap"), 0o755);
    const sandbox = with_(`${folder}:/usr/bin:/bin`);
    expect(existsSync(log)).toBe(false);
    const state = { program: "bubblewrap", works: false, why: "bwrap: no permissions to create a namespace" };
    expect(await sandbox.state()).toMatchObject(state);
    expect(await sandbox.state()).toMatchObject(state);
    expect(await sandbox.fence()).toBeNull();
    expect(readFileSync(log, "utf8")).toBe("x\n");
  });
});

const real = makeSandbox({ environment: process.env, home: "/nowhere", setting: () => null });
const works = (await real.state()).works;

describe(works ? "a command in the real sandbox" : "without a working sandbox, a command", () => {
  let base = "";
  let shell: ReturnType<typeof makeShell>;
  let sandbox: Sandbox;
  let writable: readonly string[] = [];
  const output: string[] = [];
  const closing = new AbortController();
  const stored = new Set<string>();
  let forgotten = (): void => {};
  const recordFolder = (folder: string): (() => void) => {
    stored.add(folder);
    return () => {
      stored.delete(folder);
      forgotten();
    };
  };
  beforeAll(() => {
    // Not below /tmp if possible: the sandbox has its own /tmp.
    base = realpathSync(mkdtempSync(join(process.cwd(), "node_modules/.fence-")));
    for (const name of ["project", "beside", "home/.ssh", "home/.config/gh", "home/.npm", "store", "open/data", "data"])
      mkdirSync(join(base, name), { recursive: true });
    writeFileSync(join(base, "home/.ssh/id"), "private");
    writeFileSync(join(base, "home/.netrc"), "password");
    writeFileSync(join(base, "home/plain"), "plain");
    writeFileSync(join(base, "data/server.json"), "bearer");
    sandbox = makeSandbox({
      environment: { PATH: process.env.PATH, HOME: join(base, "home"), NODE_ENV: "test" },
      home: join(base, "data"),
      setting: () => ({ network: false, writable }),
    });
    symlinkSync(join(base, "store"), join(base, "home/.cache"));
    shell = makeShell({
      root: join(base, "project"),
      environment: () => ({ PATH: process.env.PATH ?? "", HOME: join(base, "home") }),
      sandbox: sandbox.fence,
      closing: closing.signal,
      cleanup: { record: ({ folder }) => (folder === undefined ? () => {} : recordFolder(folder)) },
    });
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));

  const run = async (command: string, timeoutMs = 20_000) => {
    output.length = 0;
    const result = await shell.run(
      command,
      { timeoutMs, onOutput: (text) => void output.push(text) },
      new AbortController().signal,
    );
    return { ...result, output: output.join("") };
  };

  if (!works) {
    test("reports the state and is not marked as sandboxed", async () => {
      expect(await sandbox.state()).toMatchObject({ works: false });
      expect((await run("echo ran")).sandboxed).toBeUndefined();
    });
    return;
  }

  test("writes in the project and in a private temporary folder", async () => {
    const done = await run("echo a > file && cat file && t=$(mktemp) && echo b > $t && cat $t && echo c > /tmp/fenced");
    expect(done).toMatchObject({ exit: 0, sandboxed: { network: false }, output: "a\nb\n" });
    expect(readFileSync(join(base, "project/file"), "utf8")).toBe("a\n");
    expect(existsSync("/tmp/fenced")).toBe(false);
  });
  test("keeps its temporary folder from one command to the next", async () => {
    await run("echo kept > /tmp/next && mkdir -p /tmp/sub");
    expect(await run("cat /tmp/next && ls -d /tmp/sub && ls /tmp | grep -c shell-")).toMatchObject({
      output: "kept\n/tmp/sub\n1\n",
    });
  });
  test.each(["../beside/x", "../home/x", "/etc/gopi-x", "/usr/gopi-x", "../project-evil"])(
    "does not write %s",
    async (path) => {
      const { exit } = await run(`echo x > ${path}`);
      expect(existsSync(join(base, "project", path))).toBe(false);
      // With a checkout below /tmp, writes beside the project go to the private /tmp and are discarded.
      if (!base.startsWith("/tmp/")) expect(exit).not.toBe(0);
    },
  );
  describe("may write the folders of the setting", () => {
    const folders = ["../home/.npm", "../store", "../open", "../home", "../home/.ssh", "../data", "../beside"] as const;
    test.each<[string, readonly string[], readonly string[]]>([
      ["none", [], []],
      ["caches, also behind a link", ["~/.npm", "~/.cache", "~/.absent"], ["../home/.npm", "../store"]],
      ["an absolute one", ["BASE/open"], ["../open"]],
      ["not the home, nor what contains it", ["~/", "~/.", "~/../home", "BASE", "/", "~/../../"], []],
      ["no hidden one", ["~/.ssh", "BASE/data"], []],
      ["none of a relative path", ["../beside", "beside", ""], []],
    ])("%s", async (_what, wanted, expected) => {
      writable = wanted.map((folder) => folder.replace("BASE", base));
      for (const folder of folders) await run(`echo x > ${folder}/written`);
      writable = [];
      const written = folders.filter((folder) => existsSync(join(base, "project", folder, "written")));
      for (const folder of folders) rmSync(join(base, "project", folder, "written"), { force: true });
      expect(written).toEqual(expected);
    });
    test("a hidden folder within one stays hidden", async () => {
      writable = ["~/.config"];
      await run("echo x > ../home/.config/plain; echo x > ../home/.config/gh/hosts");
      writable = [];
      expect(existsSync(join(base, "home/.config/plain"))).toBe(true);
      expect(existsSync(join(base, "home/.config/gh/hosts"))).toBe(false);
    });
  });
  test("sees neither secrets of the home nor the data folder, but the rest", async () => {
    const done = await run(
      "cat ../home/plain; cat ../home/.ssh/id ../home/.netrc ../data/server.json; ls -A ../home/.ssh ../data",
    );
    expect(done.output).toContain("plain");
    expect(done.output).not.toMatch(/private|password|bearer/);
  });
  test("reads a hidden file as an empty one", async () => {
    expect(await run("cat ../home/.netrc")).toMatchObject({ exit: 0, output: "" });
  });
  test("reaches no network, including the loopback interface", async () => {
    const server = createServer((socket) => socket.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`;
    expect((await run(command)).output).not.toContain("reached");
    const open = makeSandbox({
      environment: { PATH: process.env.PATH, HOME: join(base, "home"), NODE_ENV: "test" },
      home: join(base, "data"),
      setting: () => ({ network: true }),
    });
    const lines: string[] = [];
    const online = makeShell({
      root: join(base, "project"),
      environment: () => ({ PATH: process.env.PATH ?? "" }),
      sandbox: open.fence,
    });
    await online.run(
      command,
      { timeoutMs: 20_000, onOutput: (text) => void lines.push(text) },
      new AbortController().signal,
    );
    expect(lines.join("")).toContain("reached");
    await new Promise((resolve) => server.close(resolve));
  });
  test("preserves folder, exports and exit code", async () => {
    await run("mkdir -p deep && cd deep && export KEPT=yes");
    expect(await run("echo $KEPT; pwd; exit 7")).toMatchObject({
      exit: 7,
      output: `yes\n${join(base, "project/deep")}\n`,
      cwd: join(base, "project/deep"),
    });
  });
  test("ends with all its children, including those in sessions of their own", async () => {
    const mark = `77${process.pid}`;
    await run(`setsid sleep ${mark} & (sleep ${mark} &) ; echo started`);
    const late = await run(`setsid sleep ${mark} & sleep ${mark}`, 300);
    expect(late.ended).toBe("timeout");
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(`sleep ${mark}`);
  });
  test("counts the commands in the background, which end with it", async () => {
    expect((await run("sleep 100 & sleep 100 & sleep 0 & wait $!; echo done")).killed).toBe(2);
    expect((await run("IFS=0; set -f; sleep 100 &")).killed).toBe(1);
    expect((await run("echo alone")).killed).toBe(0);
  });
  test("sees no processes of the host", async () => {
    expect((await run(`kill -0 ${process.pid}`)).exit).not.toBe(0);
    expect((await run("ls /proc | grep -c '^[0-9]'")).output.trim().length).toBeLessThan(3);
  });
  test("loses its temporary folder when the shell closes", async () => {
    await run("echo x > /tmp/last");
    const [folder = ""] = stored;
    expect(existsSync(join(folder, "last"))).toBe(true);
    const removed = new Promise<void>((resolve) => (forgotten = resolve));
    closing.abort();
    await removed;
    expect([existsSync(folder), stored.size]).toEqual([false, 0]);
  });
});
