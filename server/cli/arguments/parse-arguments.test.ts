import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import packageFile from "@/package.json";
import { machineAddresses } from "@/server/base/machine-addresses";
import { type CommandArguments, parseArguments } from "./parse-arguments";
import type { Environment } from "./options";

let root = "";
let project = "";
const environment = () => ({ HOME: root });
const parse = (argv: readonly string[], env: Environment = environment()): CommandArguments =>
  parseArguments(argv, env, project);

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "gopi-args-")));
  project = join(root, "project");
  mkdirSync(join(project, "sub folder"), { recursive: true });
  mkdirSync(join(project, "run"));
  mkdirSync(join(project, "-dash"));
  writeFileSync(join(project, "file.txt"), "");
  symlinkSync("sub folder", join(project, "link"));
  symlinkSync("nowhere", join(project, "broken"));
  symlinkSync("loop", join(project, "loop"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const serveDefaults = {
  kind: "serve",
  port: null,
  host: "127.0.0.1",
  network: [],
  model: null,
  files: [],
  open: true,
  json: false,
  demo: false,
  background: false,
};
const runDefaults = {
  kind: "run",
  prompt: "hi",
  json: false,
  stdin: false,
  automation: null,
  approve: "ask",
  model: null,
  session: null,
  continue: false,
  workflow: null,
  files: [],
};

describe("gopi-web [folder]", () => {
  const cases: readonly [name: string, argv: readonly string[], expected: object, folder: string][] = [
    ["no arguments open the current folder", [], {}, "."],
    ["a relative folder", ["sub folder"], {}, "sub folder"],
    ["a link is resolved", ["link"], {}, "sub folder"],
    ["a folder called run, written as a path", ["./run"], {}, "run"],
    ["a folder called run, behind --", ["--", "run"], {}, "run"],
    ["a folder that begins with a dash, behind --", ["--", "-dash"], {}, "-dash"],
    ["values after a space", ["--port", "8080", "--model", "qwen3:8b"], { port: 8080, model: "qwen3:8b" }, "."],
    ["values after =", ["--port=8080", "--model=qwen3:8b"], { port: 8080, model: "qwen3:8b" }, "."],
    [
      "options on both sides of the folder",
      ["--json", "sub folder", "--no-open"],
      { json: true, open: false },
      "sub folder",
    ],
    ["the last of a repeated option counts", ["--port", "1", "--port", "2"], { port: 2 }, "."],
    ["port 0 is any free one", ["--port", "0"], { port: 0 }, "."],
    ["localhost", ["--host", "localhost"], { host: "127.0.0.1" }, "."],
    ["the IPv6 loopback", ["--host", "[::1]"], { host: "::1" }, "."],
    ["the tour", ["--demo"], { demo: true }, "."],
    ["a background server opens no browser", ["--background"], { background: true, open: false }, "."],
  ];
  test.each(cases)("%s", (_name, argv, expected, folder) => {
    const home = join(root, ".gopi");
    expect(parse(argv)).toEqual({ ...serveDefaults, home, folder: join(project, folder), ...expected });
  });
});

describe("gopi-web chat", () => {
  test.each<[name: string, argv: readonly string[], expected: object]>([
    ["without a text", ["chat"], { prompt: null }],
    ["with a text", ["chat", "fix it"], { prompt: "fix it" }],
    ["with the options of a session", ["chat", "--continue", "--model", "m:8b"], { continue: true, model: "m:8b" }],
    ["with files", ["chat", "-f", "file.txt"], { files: [expect.stringMatching(/\/project\/file\.txt$/)] }],
  ])("%s", (_name, argv, expected) => {
    expect(parse(argv)).toMatchObject({ kind: "chat", cwd: project, ...expected });
  });
  test.each([
    [["chat", "fix", "it"], 'Put the prompt in quotes: gopi-web chat "fix the tests"'],
    [["chat", "--json"], 'not with "gopi-web chat"'],
    [["chat", "--approve", "all"], 'works with "gopi-web run", not with "gopi-web chat"'],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", text: expect.stringContaining(text) });
  });
});

describe("gopi-web -f", () => {
  test("files of the folder, from where the program was started", () => {
    expect(parse(["-f", "sub folder/../file.txt"])).toMatchObject({ folder: project, files: ["file.txt"] });
    writeFileSync(join(project, "sub folder", "a b.txt"), "");
    expect(parse([".", "-f", "link/a b.txt"])).toMatchObject({ files: ["sub folder/a b.txt"] });
  });
  test.each([
    [["sub folder", "-f", "file.txt"], "isn't in the folder that is opened"],
    [["-f", "no-such-file"], "File not found"],
    [["--demo", "-f", "file.txt"], "leave out the folder, --file"],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", text: expect.stringContaining(text) });
  });
});

describe("gopi-web serve", () => {
  test("serves without a folder and a browser", () => {
    const serve = { ...serveDefaults, folder: null, open: false, home: join(root, ".gopi") };
    expect(parse(["serve"])).toEqual(serve);
    expect(parse(["serve", "--port", "0", "--json"])).toEqual({ ...serve, port: 0, json: true });
  });
  test("has the files of https as absolute paths, in the service too", () => {
    const file = join(project, "file.txt");
    const argv = ["serve", "--tls-cert", "file.txt", "--tls-key", "file.txt"];
    expect(parse(argv)).toMatchObject({ tls: { cert: file, key: file } });
    expect(parse([...argv, "--install"])).toMatchObject({
      parameters: expect.arrayContaining(["--tls-cert", file, "--tls-key", file]),
    });
  });
  test("has the public address of the option, else of the variable; the service has that of the option", () => {
    const publicAddress = { origins: ["https://ide.example.org"], prefix: "/x" };
    const option = ["--public-url", "https://ide.example.org/x/"];
    expect(parse(["serve", ...option])).toMatchObject({ publicAddress });
    expect(parse([...option])).toMatchObject({ kind: "serve", publicAddress });
    expect(parse(["serve", ...option, "--install"])).toMatchObject({ parameters: expect.arrayContaining(option) });
    expect(parseArguments(["."], { HOME: root, GOPI_PUBLIC_URL: "https://ide.example.org/x" }, project)).toMatchObject({
      publicAddress,
    });
    expect(parseArguments(["."], { HOME: root, GOPI_PUBLIC_URL: "ide" }, project)).toMatchObject({
      kind: "usage",
      text: expect.stringContaining("GOPI_PUBLIC_URL=ide isn't an http or https address"),
    });
  });
  test("has the socket and the user of its proxy from options, else from variables; so has the service", () => {
    const door = { socket: join(project, "s"), proxyUser: { header: "x-forwarded-user", name: "Alice B@example.org" } };
    const user = "X-Forwarded-User=Alice B@example.org";
    const option = ["--socket", "s", "--proxy-user", user, "--public-url", "https://a.example.org"];
    expect(parse(option)).toMatchObject({ kind: "serve", ...door });
    expect(parse(["serve", ...option, "--install"])).toMatchObject({
      parameters: expect.arrayContaining(["--socket", door.socket, "--proxy-user", user]),
    });
    const variables = { HOME: root, GOPI_SOCKET: "s", GOPI_PROXY_USER: user, GOPI_PUBLIC_URL: "https://a.example.org" };
    expect(parseArguments(["."], variables, project)).toMatchObject(door);
    expect(parseArguments(["serve", "--install"], variables, project)).toMatchObject({
      parameters: [
        ...["--home", expect.any(String), "--public-url", "https://a.example.org"],
        ...["--socket", door.socket, "--proxy-user", user],
      ],
    });
  });
  test("installs and removes a service with its own options and the home of now", () => {
    const service = { kind: "service", action: "install", yes: false, home: join(root, "h"), parameters: [] };
    const argv = [
      "serve",
      "--install",
      "--home",
      join(root, "h"),
      "--port",
      "80",
      "--host",
      "localhost",
      "--model",
      "m",
    ];
    const parameters = ["--home", join(root, "h"), "--port", "80", "--host", "localhost", "--model", "m"];
    expect(parse(argv)).toEqual({ ...service, parameters });
    expect(parse(["serve", "--uninstall"])).toMatchObject({ kind: "service", action: "uninstall" });
  });
  test.each([
    [["serve", "."], "serve takes no words"],
    [["serve", "--install", "--uninstall"], "can't be used together"],
    [["serve", "--yes"], "--yes needs --install"],
    [["serve", "--tls-cert", "file.txt"], "--tls-cert and --tls-key are used together"],
    [["--public-url", "ide.example.org"], "--public-url ide.example.org isn't an http or https address"],
    [["--public-url", "https://a/x,https://b/y"], "different paths"],
    [["--public-url", "https://a/%2e%2f"], "two ways"],
    [["--public-url", ""], "--public-url"],
    [["--socket", ""], "--socket needs a path"],
    [["--socket", `${"x".repeat(104)}`], "--socket needs a path of at most 103 bytes"],
    [["--proxy-user", "X-User=alice"], "--proxy-user needs --socket"],
    [["--socket", "s", "--proxy-user", "X-User=alice"], "--proxy-user needs --public-url"],
    [["--socket", "s", "--proxy-user", "alice"], "--proxy-user needs HEADER=NAME"],
    [["--socket", "s", "--proxy-user", "X-User="], "--proxy-user needs HEADER=NAME"],
    [["--socket", "s", "--proxy-user", "X-User=alice,bob"], "--proxy-user needs HEADER=NAME"],
    [["--socket", "s", "--proxy-user", "X-User=alice "], "--proxy-user needs HEADER=NAME"],
    [["--socket", "s", "--proxy-user", "X User=alice"], "--proxy-user needs HEADER=NAME"],
    [["--socket", "s", "--proxy-user", "Cookie=alice"], "--proxy-user needs HEADER=NAME"],
    [["serve", "--tls-cert", "none.pem", "--tls-key", "file.txt"], "File not found"],
    [["serve", "--install", "--port", "many"], "--port needs a number"],
    [["--install"], 'works with "gopi-web serve", not with "gopi-web [folder]"'],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", text: expect.stringContaining(text) });
  });
});

describe("gopi-web init", () => {
  test("sets up the current folder, or another one", () => {
    expect(parse(["init"])).toEqual({ kind: "init", cwd: project, home: join(root, ".gopi") });
    expect(parse(["init", "--cwd", "run"])).toMatchObject({ kind: "init", cwd: join(project, "run") });
  });
  test.each([
    [["init", "run"], "--cwd DIR names another folder"],
    [["init", "--json"], 'not with "gopi-web init"'],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", text: expect.stringContaining(text) });
  });
});

describe("gopi-web doctor", () => {
  const doctorDefaults = { kind: "doctor", model: null, json: false };
  test.each<[what: string, argv: string[], expected: object]>([
    ["the usual model", ["doctor"], {}],
    ["a model", ["doctor", "qwen3:8b"], { model: "qwen3:8b" }],
    ["lines of JSON", ["--json", "doctor"], { json: true }],
    ["a model that is called like the verb", ["doctor", "doctor"], { model: "doctor" }],
  ])("%s", (_what, argv, expected) => {
    expect(parse(argv)).toEqual({ ...doctorDefaults, home: join(root, ".gopi"), cwd: project, ...expected });
  });

  test.each([
    [["doctor", "a:1b", "b:1b"], "Only one model can be tested at a time"],
    [["doctor", ""], "takes one model name, or none"],
    [["doctor", "--approve", "all"], '--approve works with "gopi-web run", not with "gopi-web doctor"'],
    [
      ["doctor", "--model", "x"],
      'works with "gopi-web [folder]", "gopi-web serve", "gopi-web run" and "gopi-web chat", not with "gopi-web doctor"',
    ],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(text) });
  });
});

describe("gopi-web status, get and config", () => {
  test.each<[argv: string[], expected: object]>([
    [["status", "--json"], { kind: "status", json: true }],
    [["get", "sessions"], { kind: "get", subject: "sessions", json: false }],
    [["config"], { kind: "config", name: null, value: null, json: false }],
    [["config", "list", "--json"], { kind: "config", name: null, value: null, json: true }],
    [["config", "get", "tools.bash_timeout"], { kind: "config", name: "bashTimeoutSeconds", value: null, json: false }],
    [
      ["config", "set", "ollama.keep_alive", "-11"],
      { kind: "config", name: "keepAliveMinutes", value: "-11", json: false },
    ],
    [["config", "set", "ollama.model", ""], { kind: "config", name: "model", value: "", json: false }],
  ])("%j", (argv, expected) => {
    const place = argv[0] === "status" ? {} : { cwd: project };
    expect(parse(argv)).toEqual({ home: join(root, ".gopi"), ...place, ...expected });
  });

  test.each([
    [["status", "now"], "gopi-web status takes no words"],
    [["get"], "gopi-web get lists one of sessions, models, rules"],
    [["get", "rule"], "did you mean rules?"],
    [["get", "rules", "models"], "gopi-web get lists one of sessions, models, rules"],
    [["config", "sett", "a", "b"], "gopi-web config has no sett; did you mean set?"],
    [["config", "get"], "Use it as: gopi-web config get KEY"],
    [["config", "set", "agent.mode"], "Use it as: gopi-web config set KEY VALUE"],
    [["config", "get", "tools.bash_timout"], "tools.bash_timout is not a setting; did you mean tools.bash_timeout?"],
    [["config", "get", "max_steps"], "max_steps is not a setting; did you mean agent.max_steps?"],
    [["config", "get", "nothing.like.it"], "nothing.like.it is not a setting; gopi-web config list shows them"],
    [["sttaus"], 'There is no folder sttaus; did you mean "gopi-web status"?'],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(text) });
  });
});

describe("gopi-web export and import", () => {
  test.each<[argv: string[], expected: object]>([
    [["export", "s1"], { format: "md", output: null }],
    [["export", "s1", "-o", "/tmp/a.html"], { format: "html", output: "/tmp/a.html" }],
    [["export", "s1", "--output=/tmp/a.html", "--format", "jsonl"], { format: "jsonl", output: "/tmp/a.html" }],
    [["export", "s1", "-o", "/tmp/notes.txt"], { format: "md", output: "/tmp/notes.txt" }],
  ])("%j", (argv, expected) => {
    const common = { kind: "export", session: "s1", json: false, home: join(root, ".gopi"), cwd: project };
    expect(parse(argv)).toEqual({ ...common, ...expected });
  });

  test("a file is relative to the current folder", () => {
    const common = { json: false, home: join(root, ".gopi"), cwd: project };
    const file = join(project, "file.txt");
    expect(parse(["import", "file.txt"])).toEqual({ kind: "import", file, ...common });
    expect(parse(["export", "s1", "-o", "file.txt"])).toMatchObject({ output: file });
  });

  test.each([
    [["export"], "takes the ID of one session; gopi-web get sessions lists them"],
    [["export", "a/b"], "takes the ID of one session"],
    [["export", "s1", "--format", "pdf"], "--format needs one of md, html, jsonl, but got pdf"],
    [["export", "s1", "-o"], "--output needs a file"],
    [["export", "s1", "--json"], '--json works with "gopi-web [folder]"'],
    [["get", "sessions", "-o", "a"], '--output works with "gopi-web export", not with "gopi-web get"'],
    [["import"], "gopi-web import takes one file"],
    [["import", "none.jsonl"], "File not found: "],
    [["import", "sub folder"], "is a folder, not a file"],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(text) });
  });
});

describe("gopi-web eval", () => {
  const evalDefaults = { kind: "eval", models: [], tasks: null, json: false };
  test.each<[what: string, argv: string[], expected: object]>([
    ["the usual model and all tasks", ["eval"], {}],
    ["several models", ["eval", "qwen3:8b", "c1/x"], { models: ["qwen3:8b", "c1/x"] }],
    [
      "some tasks",
      ["eval", "--task", "edit-json,off-by-one", "--json"],
      { tasks: ["edit-json", "off-by-one"], json: true },
    ],
  ])("%s", (_what, argv, expected) => {
    expect(parse(argv)).toEqual({ ...evalDefaults, home: join(root, ".gopi"), cwd: project, ...expected });
  });

  test.each([
    [["eval", ""], "takes model names, or none"],
    [["eval", "--task", "a b"], "--task needs names of tasks with commas between them, but got a b"],
    [["doctor", "--task", "a"], '--task works with "gopi-web eval", not with "gopi-web doctor"'],
  ])("%j is a usage error", (argv, text) => {
    expect(parse(argv)).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(text) });
  });
});

describe("gopi-web run", () => {
  const cases: readonly [name: string, argv: readonly string[], expected: object][] = [
    ["a prompt", ["run", "hi"], {}],
    [
      "options before and after the verb",
      ["--json", "run", "hi", "--approve", "edits"],
      { json: true, approve: "edits" },
    ],
    ["a prompt that begins with dashes, behind --", ["run", "--", "--help"], { prompt: "--help" }],
    ["a prompt that is the word run", ["run", "run"], { prompt: "run" }],
    ["a dash is standard input", ["run", "-"], { prompt: null }],
    ["no prompt is standard input", ["run"], { prompt: null }],
    ["an automation", ["run", "--automation", "Nightly check"], { prompt: null, automation: "Nightly check" }],
    ["the lines of a script", ["run", "--json", "--stdin"], { prompt: null, json: true, stdin: true }],
    ["a session", ["run", "hi", "--session", "s1a2b3"], { session: "s1a2b3" }],
    ["the newest session", ["run", "--continue", "hi"], { continue: true }],
    ["every approval at once", ["run", "hi", "--approve=all"], { approve: "all" }],
    [
      "a workflow",
      ["run", "--workflow", "release", "--input", "branch=a=b", "--input=count=2"],
      { prompt: null, workflow: { name: "release", inputs: { branch: "a=b", count: "2" } } },
    ],
  ];
  test.each(cases)("%s", (_name, argv, expected) => {
    expect(parse(argv)).toEqual({ ...runDefaults, home: join(root, ".gopi"), cwd: project, ...expected });
  });

  test("files are relative to the current folder", () => {
    const argv = ["run", "hi", "--cwd", "link", "-f", "file.txt", "--file=./file.txt"];
    expect(parse(argv)).toMatchObject({ files: [join(project, "file.txt"), join(project, "file.txt")] });
  });

  test("resolves the links of a --cwd folder", () => {
    expect(parse(["run", "hi", "--cwd", "link"])).toMatchObject({ cwd: join(project, "sub folder") });
  });
});

test.each([
  [["run", "--input", "a=b"], "--input is a value for --workflow"],
  [["run", "--workflow", "a", "--continue"], "in a session of its own, without --continue"],
  [["run", "--workflow", "a", "hi"], "--workflow takes no prompt"],
  [["run", "--workflow", "../a"], "--workflow needs the name of a workflow, but got ../a"],
  [["run", "--workflow", "a", "--input", "b"], "--input needs NAME=VALUE, but got b"],
])("%j is a usage error", (argv, text) => {
  expect(parse(argv)).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(text) });
});

describe("usage errors print one line and exit with 2", () => {
  const cases: readonly (readonly [argv: readonly string[], words: string])[] = [
    [["--prot", "1"], "Unknown option --prot; did you mean --port?"],
    [["--jsno"], "did you mean --json?"],
    [["--no-opne"], "did you mean --no-open?"],
    [["--frobnicate"], "Unknown option --frobnicate; see gopi-web --help"],
    [["--backgroun"], "see gopi-web --help"],
    [["--constructor"], "Unknown option --constructor"],
    [["-x"], "Unknown option -x"],
    [["--port"], "--port needs a number"],
    [["--port="], "--port needs a number"],
    [["--port", "--json"], "--port needs a number"],
    [["--port", "eighty"], "eighty"],
    [["--port", "65536"], "65536"],
    [["--port", "-1"], "--port needs a number"],
    [["--port", "80.5"], "80.5"],
    [["--port", "0x50"], "0x50"],
    [["--json=yes"], "--json doesn't take a value"],
    [["--host", "203.0.113.9"], "--host 203.0.113.9 isn't an address of this machine"],
    [["--host", "192.0.2.256"], "isn't an address of this machine"],
    [["--host", "localhost.example.com"], "isn't an address of this machine"],
    [["--host", "constructor"], "isn't an address of this machine"],
    [["--host", "127.0.0.1, 10.0.0.1"], "isn't an address of this machine"],
    [["--model", " "], "--model needs a model name"],
    [["missing"], "Folder not found"],
    [["missing\u001b[31m\nline"], "missing\\u{1b}[31m\\u{a}line"],
    [["broken"], "Folder not found"],
    [["loop"], "(ELOOP)"],
    [["x".repeat(5000)], "(ENAMETOOLONG)"],
    [["nul\0byte"], "isn't a valid path"],
    [["file.txt"], "is a file"],
    [["file.txt/below"], "Folder not found"],
    [[""], "folder name is empty"],
    [["sub folder", "run"], "Only one folder can be opened at a time"],
    [["--home", "file.txt"], "file.txt is a file"],
    [["--home", "file.txt/below/it"], "file.txt is a file"],
    [["--demo", "sub folder"], "--demo has a project, a home and a model of its own"],
    [["--demo", "--home", "x"], "leave out the folder, --file, --home and --model"],
    [["--demo", "--model", "x"], "leave out the folder, --file, --home and --model"],
    [["--demo", "doctor"], '--demo works with "gopi-web [folder]"'],
    [["--approve", "all"], 'works with "gopi-web run"'],
    [["run", "hi", "--port", "1"], 'not with "gopi-web run"'],
    [["run", "hi", "--background"], 'not with "gopi-web run"'],
    [["run", "fix", "the", "tests"], "Put the prompt in quotes"],
    [["run", ""], "The prompt is empty"],
    [["run", " \n"], "The prompt is empty"],
    [["run", "x".repeat(limits.promptMaxChars + 1)], "longer than"],
    [["dcotor"], 'There is no folder dcotor; did you mean "gopi-web doctor"?'],
    [["evla", "qwen3:8b"], 'There is no folder evla; did you mean "gopi-web eval"?'],
    [["project/runn"], "Folder not found"],
    [["run", "hi", "--approve", "yes"], "--approve needs one of ask, edits, all, none"],
    [["run", "--stdin"], "--stdin needs --json"],
    [["run", "--automation", "n", "prompt"], "--automation has a prompt, a folder and a model of its own"],
    [["run", "--automation", "n", "--model", "m"], "--automation has a prompt, a folder and a model of its own"],
    [["run", "hi", "-f", "none.ts"], "File not found: "],
    [["run", "hi", "-f", "sub folder"], "is a folder, not a file"],
    [["run", "hi", "-f"], "--file needs a file"],
    [["run", "hi", ...Array.from({ length: 31 }, () => "-ffile.txt")], "at most 30 pinned files, but got 31"],
    [["run", "hi", "--session", "a/b"], "--session needs a session ID"],
    [["run", "hi", "--session", "s1", "--continue"], "can't be used together"],
    [["run", "hi", "--cwd", "file.txt"], "is a file"],
  ];
  const titled = cases.map(([argv, words]) => [JSON.stringify(argv).slice(0, 60), argv, words] as const);
  test.each(titled)("%s", (_title, argv, words) => {
    const parsed = parse(argv);
    expect(parsed).toMatchObject({ kind: "usage", code: 2, text: expect.stringContaining(words) });
    expect(parsed.kind === "usage" && /[\n\u001b]/.test(parsed.text)).toBe(false);
  });

  test.skipIf(process.getuid?.() === 0)("a folder without permission", () => {
    const closed = join(project, "closed");
    mkdirSync(closed);
    chmodSync(closed, 0o000);
    const parsed = parse(["closed"]);
    chmodSync(closed, 0o700);
    expect(parsed).toMatchObject({ kind: "usage", text: expect.stringContaining("No permission to open") });
  });
});

describe("--host with network addresses", () => {
  const machine = machineAddresses();
  test.each(["0.0.0.0", "::", "[::]"])("%s means every network address of this machine", (name) => {
    expect(parse(["--host", name])).toMatchObject(
      machine.length > 0
        ? { kind: "serve", host: "127.0.0.1", network: machine }
        : { kind: "usage", text: expect.stringContaining("isn't on a network") },
    );
  });
  test("a network address adds only that address to loopback", () => {
    for (const address of machine)
      expect(parse(["--host", address])).toMatchObject({ host: "127.0.0.1", network: [address] });
  });
});

describe("the home folder", () => {
  const cases: readonly [name: string, argv: readonly string[], env: Environment, home: () => string][] = [
    ["is .gopi in the user's", [], { HOME: "/home/someone" }, () => "/home/someone/.gopi"],
    ["is GOPI_HOME when that is set", [], { HOME: "/h", GOPI_HOME: "/g" }, () => "/g"],
    ["is --home before all", ["--home", "/x"], { HOME: "/h", GOPI_HOME: "/g" }, () => "/x"],
    ["is relative to the current folder", ["--home", "own"], { HOME: "/h" }, () => join(project, "own")],
    ["needs no HOME when given", ["--home", "/x"], {}, () => "/x"],
    ["ignores an empty GOPI_HOME", [], { HOME: "/h", GOPI_HOME: "" }, () => "/h/.gopi"],
  ];
  test.each(cases)("%s", (_name, argv, env, home) => {
    expect(parse(argv, env)).toMatchObject({ kind: "serve", home: home() });
  });
  test.each([{}, { HOME: "" }, { HOME: "relative" }])("without a usable HOME a folder is requested: %j", (env) => {
    expect(parse([], env)).toMatchObject({ kind: "usage", text: expect.stringContaining("HOME isn't set") });
  });
});

describe("print commands", () => {
  test.each([[["--version"]], [["-v"]], [["run", "--version"]]])("%j prints the version", (argv) => {
    expect(parse(argv)).toEqual({ kind: "print", text: `${packageFile.version}\n`, code: 0 });
  });
  test.each([[["--help"]], [["-h"]], [["run", "--help"]], [["missing", "--help"]]])("%j prints the help", (argv) => {
    const parsed = parse(argv);
    expect(parsed).toMatchObject({ kind: "print", code: 0 });
    expect(parsed.kind === "print" ? parsed.text : "").toContain('gopi-web run "prompt"');
  });
  test("the help fits 100 columns and omits hidden options", () => {
    const parsed = parse(["--help"]);
    const text = parsed.kind === "print" ? parsed.text : "";
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(text).not.toContain("background");
  });
});
