import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestHub } from "@/lib/testing/test-hub";
import { parseArguments } from "./parse-arguments";

let home = "";
let variables: Record<string, string> = {};
const parse = (argv: readonly string[], changes: Readonly<Record<string, string | undefined>> = {}) =>
  parseArguments(argv, { HOME: home, ...variables, ...changes }, home);

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "gopi-hub-args-")));
  mkdirSync(join(home, "work"));
  const hub = await startTestHub();
  variables = hub.variables(8_888);
  await hub.close();
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("needs no option: it listens where the hub says, opens no folder and no browser", () => {
  const expected = {
    kind: "serve",
    folder: null,
    port: 8_888,
    host: "127.0.0.1",
    network: [],
    publicAddress: { origins: [], prefix: "/user/ann" },
    open: false,
    hub: { user: "ann", port: 8_888 },
  };
  expect(parse([])).toMatchObject(expected);
  expect(parse(["serve"])).toMatchObject(expected);
});

test.each([
  ["http://0.0.0.0:8888/user/ann/", "127.0.0.1"],
  ["http://:8888/user/ann/", "127.0.0.1"],
  ["http://[::1]:8888/user/ann/", "::1"],
  ["http://10.0.0.7:8888/user/ann/", "10.0.0.7"],
])("JUPYTERHUB_SERVICE_URL=%s: programs of this machine reach it at %s", (url, host) => {
  expect(parse([], { JUPYTERHUB_SERVICE_URL: url })).toMatchObject({ host, port: 8_888 });
});

test("opens the named folder, or that of the hub", () => {
  expect(parse(["work"])).toMatchObject({ folder: join(home, "work") });
  expect(parse([], { JUPYTERHUB_ROOT_DIR: "~/work" })).toMatchObject({ folder: join(home, "work") });
});

test.each(["--port 1", "--host 0.0.0.0", "--socket x", "--proxy-user A=b", "--tls-cert x"])("refuses %s", (option) => {
  expect(parse(option.split(" "))).toMatchObject({ kind: "usage", text: expect.stringContaining("JupyterHub") });
});

test("a fault of the variables is a sentence", () => {
  const usage = { kind: "usage", code: 2, text: expect.stringContaining("JUPYTERHUB_USER isn't set") };
  expect(parse([], { JUPYTERHUB_USER: "" })).toMatchObject(usage);
});

test("--public-url names the origin, with the path of the hub", () => {
  expect(parse(["--public-url", "https://hub.example.org/user/ann/"])).toMatchObject({
    publicAddress: { origins: ["https://hub.example.org"], prefix: "/user/ann" },
    hub: { publicAddress: { origins: ["https://hub.example.org"] } },
  });
  expect(parse(["--public-url", "https://hub.example.org/"])).toMatchObject({
    kind: "usage",
    text: expect.stringContaining("/user/ann/"),
  });
});

test.each([["--background"], ["serve --install"]])("%s is no server of the hub", (line) => {
  const parsed = parse(line.split(" "));
  expect(parsed.kind).not.toBe("usage");
  expect(parsed).not.toHaveProperty("hub");
});

test("in a terminal of a hub's server, which has no token, the variables do not matter", () => {
  expect(parse([], { JUPYTERHUB_API_TOKEN: undefined })).not.toHaveProperty("hub");
});

test("the token may come through a pipe", () => {
  const file = join(home, "token");
  writeFileSync(file, "from-the-pipe");
  const descriptor = openSync(file, "r");
  const changes = { JUPYTERHUB_API_TOKEN: undefined, GOPI_HUB_TOKEN_FD: String(descriptor) };
  expect(parse([], changes)).toMatchObject({ hub: { token: "from-the-pipe" } });
  expect(() => closeSync(descriptor)).toThrow("EBADF");
  expect(parse([], { ...changes, GOPI_HUB_TOKEN_FD: "999999" })).toMatchObject({ kind: "usage" });
});

test.each([
  ["two", "hub/two"],
  ["", ""],
  ["../x", "hub/___x-"],
  [".", "hub/_-"],
  ["ä b", "hub/__b-"],
])("the home of the server %j is a folder of its own, for every command", (name, folder) => {
  const changes = { JUPYTERHUB_SERVER_NAME: name };
  for (const argv of [[], ["run", "hi"], ["status"]]) {
    const parsed = parse(argv, changes);
    const path = "home" in parsed ? parsed.home : "";
    expect(folder.endsWith("-") ? path.replace(/[0-9a-f]{12}$/, "") : path).toBe(join(home, ".gopi", folder));
  }
  expect(parse(["--home", "/x"], changes)).toMatchObject({ home: "/x" });
});
