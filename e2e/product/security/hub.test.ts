// The built product as the server of one person of JupyterHub, with a scripted hub, behind a proxy that leaves the path.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { io, type Socket } from "socket.io-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { annPrefix, hubServerToken, hubVersion, startTestHub, type TestHub } from "@/lib/testing/test-hub";
import { eventually } from "@/lib/testing/test-waits";
import { freePort } from "../../bench/server/bench-product";
import { callCommand } from "../../fixtures/call-command";
import { startFrontProxy } from "../../fixtures/front-proxy";
import { startScriptedModel } from "../../fixtures/scripted-model.mjs";
import {
  findRunningServer,
  makeProductEnvironment,
  ProductCommand,
  type ProductEnvironment,
  readServerJson,
} from "../../fixtures/server";

interface HubRig {
  readonly hub: TestHub;
  readonly place: ProductEnvironment;
  readonly port: number;
  /** Address of the pages, without a final slash. */
  readonly pages: string;
  start(changes?: Readonly<Record<string, string>>, args?: readonly string[]): Promise<ProductCommand>;
}

async function openRig(modelAddress?: string): Promise<HubRig> {
  const [hub, port] = [await startTestHub(), await freePort()];
  const place = makeProductEnvironment(modelAddress);
  const proxy = await startFrontProxy({ prefix: annPrefix, strips: false, hostOf: "browser" });
  await proxy.connect(port);
  onTestFinished(async () => {
    await proxy.close();
    await hub.close();
    expect(await place.remove()).toEqual([]);
  });
  return {
    hub,
    place,
    port,
    pages: `${proxy.origin}${annPrefix}`,
    async start(changes = {}, args = []) {
      const command = new ProductCommand(place, args, { environment: hub.variables(port, changes) });
      onTestFinished(async () => {
        command.child.kill("SIGTERM");
        await command.done();
      });
      await command.until(({ stdout }) => stdout.includes("\n"));
      return command;
    },
  };
}

const post = (address: string, body: object, headers: HeadersInit): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: new Headers([["Content-Type", "application/json"], ...new Headers(headers)]),
    body: JSON.stringify(body),
  });

/** Signs in like a browser without a sign-in: asks, goes to the hub, returns, exchanges the link. */
async function signIn({ pages }: HubRig) {
  const { origin } = new URL(pages);
  const started = await post(`${pages}/api/sign-in`, { page: "/s/abc" }, { Origin: origin });
  const state = started.headers.get("set-cookie")?.split(";", 1).join("") ?? "";
  const { value } = await started.json();
  const atHub = await fetch(value.signInAt, { redirect: "manual" });
  const back = await fetch(`${origin}${atHub.headers.get("location")}`, {
    redirect: "manual",
    headers: { cookie: state },
  });
  const link = back.headers.get("location") ?? "";
  if (link === "") return { link, cookie: "", page: "" };
  const signedIn = await post(
    `${pages}/api/sign-in`,
    { token: link.replace(/^.*#token=/, "") },
    { Origin: origin, "User-Agent": "Mozilla/5.0 Firefox/150 Linux" },
  );
  const answer = await signedIn.json();
  return { link, cookie: signedIn.headers.get("set-cookie") ?? "", page: String(answer.value?.page) };
}

function connect({ pages }: HubRig, { cookie, page }: { readonly cookie: string; readonly page: string }): Socket {
  const { origin } = new URL(pages);
  const socket = io(origin, {
    path: `${annPrefix}/socket.io/`,
    transports: ["websocket"],
    reconnection: false,
    forceNew: true,
    auth: { page },
    extraHeaders: { Origin: origin, Cookie: cookie.split(";", 1).join("") },
  });
  onTestFinished(() => void socket.disconnect());
  return socket;
}

const outcome = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once("connect", () => resolve("connected"));
    socket.once("connect_error", ({ message }) => resolve(message));
  });

describe("with the variables of JupyterHub and no option", () => {
  test("the person signs in by the hub, and is out as soon as the hub says so", async () => {
    const rig = await openRig();
    const server = await rig.start();
    expect(server.stdout).not.toContain("token=");
    const first = await fetch(`http://127.0.0.1:${rig.port}${annPrefix}/`);
    expect([first.status, first.headers.get("x-jupyterhub-version")]).toEqual([200, hubVersion]);
    expect(await first.text()).toContain(`<html data-base="${annPrefix}" data-hub`);
    const signedIn = await signIn(rig);
    expect(signedIn.link).toMatch(/^\/user\/ann\/s\/abc#token=[\w-]+$/);
    expect(signedIn.cookie).toMatch(/^gopi_\w+=\S+; Path=\/user\/ann\/; HttpOnly; SameSite=Strict/);
    const socket = connect(rig, signedIn);
    expect(await outcome(socket)).toBe("connected");
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    rig.hub.tokens.clear();
    expect(await outcome(connect(rig, signedIn))).toBe("unauthorized");
    expect(await cut).toBe("io server disconnect");
    const gone = await post(`${rig.pages}/api/call`, { name: "app.welcome" }, { Cookie: signedIn.cookie });
    expect(gone.status).toBe(401);
  });

  test("no one else gets in, whatever the Host and the Origin", async () => {
    const rig = await openRig();
    await rig.start();
    rig.hub.person = { name: "root", scopes: ["access:servers"] };
    expect(await signIn(rig)).toMatchObject({ link: "", cookie: "" });
    const direct = `http://127.0.0.1:${rig.port}`;
    const others: readonly HeadersInit[] = [
      { Cookie: "gopi=x" },
      { Authorization: "token x" },
      { Authorization: "Bearer 0123456789abcdef" },
    ];
    for (const headers of others)
      expect((await post(`${direct}/api/call`, { name: "app.welcome" }, headers)).status).toBe(401);
    const begun = await post(`${rig.pages}/api/sign-in`, { page: "/" }, { Origin: "https://evil.example" });
    expect(begun.status).toBe(403);
  });

  test("a sign-in ends with the server, which SIGTERM ends", async () => {
    const rig = await openRig();
    const server = await rig.start();
    const signedIn = await signIn(rig);
    expect(await outcome(connect(rig, signedIn))).toBe("connected");
    server.child.kill("SIGTERM");
    expect((await server.done()).code).toBe(0);
    await rig.start();
    expect(await outcome(connect(rig, signedIn))).toBe("websocket error");
  });

  test("a hub that is away keeps no one out who is in, and gets the last use when it is back", async () => {
    const rig = await openRig();
    rig.hub.faults.set("/", "silent");
    await rig.start({ JUPYTERHUB_ACTIVITY_INTERVAL: "0.05" });
    const signedIn = await signIn(rig);
    rig.hub.faults.set("/user", 503).set("/users/ann/activity", 503);
    expect(await outcome(connect(rig, signedIn))).toBe("connected");
    const before = Date.now();
    rig.hub.faults.clear();
    await callCommand(findRunningServer(rig.place.home), "project.open", { path: rig.place.project });
    await eventually(() => expect(lastActivity(rig.hub)).toBeGreaterThanOrEqual(before));
  });
});

function lastActivity({ reports }: TestHub): number {
  const report: unknown = reports.at(-1);
  const text = typeof report === "object" && report !== null && "last_activity" in report ? report.last_activity : "";
  return Date.parse(String(text));
}

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));

const listenPlaces: readonly (readonly [host: string, address: string, answers: boolean])[] = [
  ["127.0.0.1", "127.0.0.1", true],
  ["127.0.0.1", "127.0.0.2", false],
  ["0.0.0.0", "127.0.0.2", true],
  ["", "127.0.0.2", true],
  ["*", "127.0.0.2", true],
  ["[::1]", "[::1]", true],
];
test.each(listenPlaces.filter(([host]) => host !== "[::1]" || hasIpv6))(
  "where the hub names %j, it answers at %s: %s",
  async (host, address, answers) => {
    const rig = await openRig();
    await rig.start({ JUPYTERHUB_SERVICE_URL: `http://${host}:${rig.port}${annPrefix}/` });
    const answer = await fetch(`http://${address}:${rig.port}${annPrefix}/api`).catch(() => null);
    expect(answer?.ok === true).toBe(answers);
  },
);

test("the hub's token reaches no command of the model and no terminal, and commands find the server", async () => {
  const command = "env > env.txt; cat /proc/self/environ > environ.txt";
  const model = await startScriptedModel({
    turns: [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { text: "done" }],
  });
  onTestFinished(() => model.close());
  const rig = await openRig(model.url);
  const server = await rig.start({ JUPYTERHUB_ACTIVITY_INTERVAL: "0.05" });
  const running = findRunningServer(rig.place.home);
  const run = await new ProductCommand(rig.place, ["run", "--approve", "all", "go"]).done();
  expect(run).toMatchObject({ code: 0 });
  const opened = await callCommand(running, "project.open", { path: rig.place.project });
  const size = { columns: 80, rows: 24 };
  const { terminal } = await callCommand(running, "terminal.open", { projectId: opened.project.id, ...size });
  const text = "env > terminal.txt; sleep 1000\r";
  await callCommand(running, "terminal.write", { terminalId: terminal.id, text });
  const read = (name: string): string => readFileSync(join(rig.place.project, name), "utf8");
  await eventually(() => expect(read("terminal.txt")).toContain("JUPYTERHUB_USER=ann"));
  for (const name of ["env.txt", "environ.txt", "terminal.txt"]) expect(read(name)).not.toContain(hubServerToken);
  // A command in a terminal is work.
  const later = Date.now() + 1;
  await eventually(() => expect(lastActivity(rig.hub)).toBeGreaterThan(later));
  expect(server.stdout + server.stderr).not.toContain(hubServerToken);
  expect(readFileSync(join(rig.place.home, "server.json"), "utf8")).not.toContain(hubServerToken);
  const status = await new ProductCommand(rig.place, ["status", "--json"]).done();
  expect(JSON.parse(status.stdout)).toMatchObject({ server: { responds: true } });
});

describe("a start that the hub must see fail", () => {
  const start = async (
    { hub, place, port }: HubRig,
    args: readonly string[] = [],
    changes: Readonly<Record<string, string>> = {},
  ) => new ProductCommand(place, args, { environment: hub.variables(port, changes) }).done();

  test("the port is in use", async () => {
    const rig = await openRig();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(rig.port, "127.0.0.1", resolve));
    const ended = await start(rig);
    other.close();
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(`Port ${rig.port} of JUPYTERHUB_SERVICE_URL is in use`);
  });

  test("the home is in use, which another server of the person avoids by a home of its own", async () => {
    const rig = await openRig();
    await rig.start();
    const second: HubRig = { ...rig, port: await freePort() };
    const ended = await start(second);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    const { pid } = readServerJson(rig.place.home);
    expect(ended.stderr).toContain(`(process ${pid}) is using ${rig.place.home}. Stop it, or pass another folder`);
    const named = new ProductCommand(rig.place, [], {
      environment: { ...rig.hub.variables(second.port, { JUPYTERHUB_SERVER_NAME: "two" }), GOPI_HOME: "" },
    });
    onTestFinished(async () => {
      named.child.kill("SIGTERM");
      await named.done();
    });
    await named.until(({ stdout }) => stdout.includes("\n"));
    expect(existsSync(join(rig.place.root, ".gopi/hub/two/server.json"))).toBe(true);
  });

  test.each([
    [["--port", "1"], {}, "--port can't be used with JupyterHub"],
    [[], { JUPYTERHUB_SSL_KEYFILE: "/x" }, "internal_ssl isn't supported"],
    [[], { JUPYTERHUB_SERVICE_URL: "nowhere" }, "isn't an address with a port"],
  ])("%j %j", async (args, changes, sentence) => {
    const ended = await start(await openRig(), args, changes);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(sentence);
  });
});
