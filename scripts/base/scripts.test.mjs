import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeVersionProblem } from "../../bin/node-version.mjs";
import { openFilesProblem } from "../../bin/open-files.mjs";
import { chromeInstallCommand, findChrome, systemIds } from "./chrome.mjs";
import { explainInstallFailure, findHeaders, hasEveryPackage } from "./install.mjs";
import {
  addCounts,
  countEndToEnd,
  countUnit,
  failedEndToEndTests,
  failedUnitTests,
  failureContexts,
  zeroCount,
  oneFailure,
  summary,
} from "./outcome.mjs";
import { root } from "./root.mjs";
import { hashOf } from "./stamp.mjs";
import { duration, lastLines, progressLine, runStep, StepError } from "./step.mjs";

let folder;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "gopi-scripts-")));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function put(path, text, mode) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (mode) chmodSync(file, mode);
  return file;
}

describe("the Node guard", () => {
  it.each([
    ["20.19.0", "9", true],
    ["20.20.2", "9", true],
    ["20.18.3", "9", false],
    ["18.20.4", "9", false],
    ["21.7.3", "9", false],
    ["22.12.0", "9", false],
    ["22.14.0", "10", true],
    ["24.21.0", "10", true],
    ["26.10.0", "10", true],
  ])("judges Node %s with N-API %s: %s", (node, napi, supported) => {
    expect(nodeVersionProblem({ node, napi }) === null).toBe(supported);
  });
});

it("too few open files are one sentence, wherever they are missing", () => {
  const system = Object.assign(new Error("EMFILE: too many open files, open 'x'"), { code: "EMFILE" });
  for (const error of [system, new Error("cannot load", { cause: system }), new Error("dlopen: Too many open files")])
    expect(openFilesProblem(error)).toMatch(/^gopi-web: .*ulimit -n 4096$/);
  for (const error of [new Error("other"), undefined, Object.assign(new Error("x"), { code: "ENOENT" })])
    expect(openFilesProblem(error)).toBeNull();
});

describe("the hash of sources", () => {
  it("is the same for the same content, whatever the modification times", () => {
    put("a/x.ts", "1");
    const before = hashOf(["a"], folder);
    put("a/x.ts", "1");
    expect(hashOf(["a"], folder)).toBe(before);
  });

  it("changes with content, a name, a new file and a removed file", () => {
    put("a/x.ts", "1");
    const hashes = new Set([hashOf(["a"], folder)]);
    put("a/x.ts", "2");
    hashes.add(hashOf(["a"], folder));
    put("a/y.ts", "2");
    hashes.add(hashOf(["a"], folder));
    rmSync(join(folder, "a/x.ts"));
    hashes.add(hashOf(["a"], folder));
    rmSync(join(folder, "a"), { recursive: true });
    hashes.add(hashOf(["a"], folder));
    expect(hashes.size).toBe(5);
  });

  it("does not change with a test", () => {
    put("a/x.ts", "1");
    const before = hashOf(["a"], folder);
    put("a/x.test.ts", "1");
    put("a/__fixtures__/y.json", "1");
    expect(hashOf(["a"], folder)).toBe(before);
  });

  it("distinguishes trees in which content moves from one file to the next", () => {
    put("a/x", "12");
    put("a/y", "3");
    const before = hashOf(["a"], folder);
    put("a/x", "1");
    put("a/y", "23");
    expect(hashOf(["a"], folder)).not.toBe(before);
  });
});

describe("finding a browser", () => {
  it("prefers CHROMIUM_PATH and fails when it names no program", () => {
    const chrome = put("mine", "", 0o755);
    expect(findChrome({ CHROMIUM_PATH: chrome }, folder)).toBe(chrome);
    expect(() => findChrome({ CHROMIUM_PATH: join(folder, "none") }, folder)).toThrow("CHROMIUM_PATH names no program");
  });

  it("finds a program on PATH and ignores a file that is not executable", () => {
    put("first/chromium", "", 0o644);
    const chrome = put("second/google-chrome", "", 0o755);
    const PATH = `${join(folder, "first")}:${join(folder, "second")}`;
    expect(findChrome({ PATH }, folder)).toBe(chrome);
  });

  it.each([
    ['ID=debian\nVERSION_ID="12"', "sudo apt-get install -y chromium fonts-noto-cjk"],
    ["ID=ubuntu\nID_LIKE=debian", "npx playwright install --with-deps chromium"],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"', "sudo dnf install -y chromium"],
    ["NAME=Manjaro\nID=manjaro\nID_LIKE=arch", "sudo pacman -S --noconfirm chromium"],
    ["", "npx playwright install chromium"],
  ])("names one command for %j", (osRelease, command) => {
    expect(chromeInstallCommand(systemIds(osRelease))).toBe(command);
  });
});

describe("explaining a failed installation", () => {
  const newerNode = "npx --yes node@24";
  const compiler = "build-essential";
  const gyp = (text) => `npm error path node_modules/better-sqlite3\nnpm error gyp ERR! ${text}`;

  it.each([
    ["stack Error: not found: make", ["no compiler", newerNode, compiler], ["nodejs.org"]],
    ["find Python Python is not set", ["no compiler", newerNode, compiler], ["nodejs.org"]],
    ["build error\nnpm error make: g++: No such file or directory", ["no compiler", compiler], ["nodejs.org"]],
    ["stack related to network connectivity.", ["nodejs.org", newerNode], [compiler]],
    ["stack FetchError: request failed, reason: connect ECONNREFUSED", ["nodejs.org", newerNode], [compiler]],
    ["stack Error: 403 response downloading a-headers.tar.gz", ["nodejs.org", newerNode], [compiler]],
    ["stack Error: SELF_SIGNED_CERT_IN_CHAIN", ["nodejs.org", newerNode], [compiler]],
    ["stack Error: `make` failed with exit code: 2", ["could not be compiled", newerNode, "npm ci"], [compiler]],
  ])("names the cause and what needs neither network nor compiler for better-sqlite3: %s", (text, words, others) => {
    const line = explainInstallFailure(gyp(text));
    for (const word of words) expect(line).toContain(word);
    for (const word of others) expect(line).not.toContain(word);
    expect(line).not.toContain("\n");
  });

  it.each([
    ["npm error code ENOTFOUND", "registry could not be reached (ENOTFOUND)"],
    ["npm error code EAI_AGAIN", "registry could not be reached (EAI_AGAIN)"],
    ["npm error code ENOSPC", "disk is full"],
    ["npm error code EACCES", "may not be written"],
    ["npm error code EUSAGE", "npm ci"],
  ])("explains %j", (log, words) => {
    expect(explainInstallFailure(log)).toContain(words);
  });
});

describe("headers for compiling", () => {
  const header = "#define NODE_MAJOR_VERSION 20\n#define NODE_MINOR_VERSION 19\n#define NODE_PATCH_VERSION 4\n";

  it("are those beside Node if they have its version, also where Node is a link", () => {
    const node = put("opt/bin/node", "");
    expect(findHeaders(node, "20.19.4")).toBeUndefined();
    put("opt/include/node/node_version.h", header);
    symlinkSync(node, join(folder, "node"));
    expect(findHeaders(node, "20.19.4")).toBe(join(folder, "opt"));
    expect(findHeaders(join(folder, "node"), "20.19.4")).toBe(join(folder, "opt"));
    expect(findHeaders(node, "20.19.5")).toBeUndefined();
    expect(findHeaders(node, "18.19.4")).toBeUndefined();
  });
});

describe("comparing installed packages with the lock file", () => {
  const lock = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/only-mac": { version: "1.0.0", optional: true },
      "node_modules/better-sqlite3": { version: "12.11.1" },
    },
  };

  it.each([
    [{ "node_modules/a": { version: "1.0.0" } }, true],
    [{ "node_modules/a": { version: "1.0.1" } }, false],
    [{}, false],
  ])("compares %j with the lock", (packages, complete) => {
    expect(hasEveryPackage(lock, { packages })).toBe(complete);
  });
});

describe("counting tests", () => {
  const unit = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0, testResults: [] };

  it("sums the runners", () => {
    const report = { stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 1 } };
    const total = [countUnit(unit, false), countEndToEnd(report, false), oneFailure].reduce(addCounts, zeroCount);
    expect(summary(total)).toBe("8 passed, 4 failed, 3 skipped");
  });

  it("omits skipped tests when there are none", () => {
    expect(summary({ passed: 2, failed: 0, skipped: 0 })).toBe("2 passed, 0 failed");
  });

  it("counts a file that could not be loaded as one failure", () => {
    const testResults = [{ status: "failed", assertionResults: [] }];
    expect(countUnit({ ...unit, numFailedTests: 0, testResults }, false).failed).toBe(1);
  });

  it("names failed tests and files that could not be loaded, with the first line of the message", () => {
    const passed = { fullName: "sum adds", status: "passed", failureMessages: [] };
    const failed = {
      fullName: "sum adds",
      status: "failed",
      failureMessages: ["\u001B[31mError: 3\u001B[0m\n at x"],
    };
    const testResults = [
      { name: join(root, "a.test.ts"), status: "failed", message: "", assertionResults: [passed, failed] },
      { name: join(root, "b.test.ts"), status: "failed", message: "No such module\nat y", assertionResults: [] },
      { name: "c.test.ts", status: "passed", message: "", assertionResults: [passed] },
    ];
    expect(failedUnitTests({ ...unit, testResults })).toEqual([
      { file: "a.test.ts", title: "sum adds", line: "a.test.ts > sum adds: Error: 3" },
      { file: "b.test.ts", title: null, line: "b.test.ts: No such module" },
    ]);
    const spec = (line, status, ...results) => ({ file: "s.ts", line, title: "works", tests: [{ status, results }] });
    const inner = {
      title: "a group",
      specs: [spec(3, "flaky", { error: { message: "Once" } }, {}), spec(4, "unexpected")],
    };
    const message = "Late\nby 1 s\n\n\u001B[2mLocator: \u001B[22mgetByText('2 files')";
    const specs = [
      spec(1, "expected", {}),
      spec(2, "unexpected", { error: { message, location: { file: "/s.ts", line: 7, column: 3 } } }),
    ];
    expect(failedEndToEndTests({ suites: [{ title: "s.ts", file: "s.ts", specs, suites: [inner] }] })).toEqual([
      { file: "s.ts", title: "works", line: "s.ts:2 > works: Late (line 7, getByText('2 files'))" },
      { file: "s.ts", title: "a group works", line: "s.ts:3 > a group > works: Once" },
      { file: "s.ts", title: "a group works", line: "s.ts:4 > a group > works" },
    ]);
  });

  it("finds the page descriptions of failed tests in nested suites", () => {
    const spec = (...attachments) => ({ tests: [{ results: [{ attachments }] }] });
    const suites = [
      {
        specs: [spec({ name: "trace", path: "/t" })],
        suites: [{ specs: [spec({ name: "error-context", path: "/a.md" })] }],
      },
      { specs: [spec({ name: "error-context", path: "/b.md" }), spec()] },
    ];
    expect(failureContexts({ suites })).toEqual(["/a.md", "/b.md"]);
    expect(failureContexts({})).toEqual([]);
  });

  it("never counts a runner's error as a success", () => {
    expect(countUnit({ ...unit, numFailedTests: 0 }, false).failed).toBe(1);
    expect(countEndToEnd({ stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 } }, false).failed).toBe(1);
  });
});

describe("a step", () => {
  beforeEach(() => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
  });

  const node = (source) => ({ title: "Trying", command: process.execPath, args: ["-e", source] });

  it("fails with its exit code and its log", async () => {
    const failure = await runStep(node('console.log("on stdout"); console.error("on stderr"); process.exit(3)')).catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(StepError);
    expect(failure.code).toBe(3);
    expect(failure.log).toContain("on stdout");
    expect(failure.log).toContain("on stderr");
  });

  it("fails when there is no such program", async () => {
    const step = { title: "Trying", command: join(folder, "none"), args: [] };
    await expect(runStep(step)).rejects.toThrow("Trying could not start");
  });

  // The grandchild is connected to the test, so its end is an event here even where no process reaps it.
  it("ends everything it started when it receives a signal", async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const connected = new Promise((resolve) => server.once("connection", resolve));
    const grandchild = `require("net").connect(${server.address().port}, "127.0.0.1").resume()`;
    const step = node(`require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(grandchild)}])`);
    const module = pathToFileURL(join(root, "scripts/base/step.mjs")).href;
    const script = `import { runStep } from ${JSON.stringify(module)}; await runStep(${JSON.stringify(step)});`;
    const outer = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "ignore" });
    const connection = await connected;
    const closed = new Promise((resolve) =>
      connection
        .on("error", () => {})
        .resume()
        .once("close", resolve),
    );
    outer.kill("SIGINT");
    const code = await new Promise((resolve) => outer.once("exit", resolve));
    expect(code).toBe(130);
    await closed;
    server.close();
  });
});

describe("formatting for the terminal", () => {
  it.each([
    [400, "0.4 s"],
    [35_200, "35 s"],
    [125_000, "2 min 5 s"],
    [119_600, "2 min 0 s"],
  ])("writes %d ms as %s", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it.each([
    [undefined, 12_000, "", "Building … 12 s"],
    [40_000, 12_000, "", "Building, about 40 s … 12 s"],
    [600_000, 12_000, "", "Building, about 10 min … 12 s"],
    [40_000, 60_000, "the machine is busy", "Building … 1 min 0 s"],
    [40_000, 240_000, "the machine is busy", "Building … 4 min 0 s, slower than usual: the machine is busy"],
    [40_000, 240_000, "", "Building … 4 min 0 s, slower than usual"],
  ])("reports a step of usually %s ms after %d ms", (usualMs, elapsedMs, reason, line) => {
    expect(progressLine("Building", usualMs, elapsedMs, reason)).toBe(line);
  });

  it("shows a log's last lines", () => {
    expect(lastLines("1\n2\n3\n\n", 2)).toBe("2\n3");
  });
});
