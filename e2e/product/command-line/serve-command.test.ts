// `gopi-web serve`, and the user's service that runs it, with a stub in place of systemd.
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import {
  findProcesses,
  findRunningServer,
  ProductCommand,
  type ProductEnvironment,
  readServerJson,
} from "../../fixtures/server";
import { hasTerminals, TerminalCommand } from "../../fixtures/terminal-command";

test.afterEach(({ place }) => endBackgroundServer(place));

test("serve opens no folder, prints no link that signs in, and stays without clients", async ({ place }) => {
  const serve = new ProductCommand(place, ["serve", "--port", "0"]);
  await serve.until(({ stdout }) => stdout.includes("\n"));
  const { port } = readServerJson(place.home);
  expect(serve.stdout).toBe(`gopi-web serves ${place.home} at http://localhost:${port}\n`);
  expect(await callCommand(findRunningServer(place.home), "project.list", {})).toEqual({ projects: [] });
  serve.child.kill("SIGTERM");
  expect(await serve.done()).toMatchObject({ code: 0, stderr: "" });
});

test("a client that sends nothing does not keep a server from its clean end", async ({ place }) => {
  const serve = new ProductCommand(place, ["serve", "--port", "0"]);
  await serve.until(({ stdout }) => stdout.includes("\n"));
  const client = connect(readServerJson(place.home).port, "127.0.0.1");
  onTestFinished(() => void client.destroy());
  await once(client, "connect");
  // An answered request after it proves that the server has the connection.
  await callCommand(findRunningServer(place.home), "project.list", {});
  serve.child.kill("SIGTERM");
  expect(await serve.done()).toMatchObject({ code: 0 });
  expect(existsSync(join(place.home, "server.json"))).toBe(false);
});

test("serve waits for the server that has the home, and takes its place", async ({ place, server }) => {
  const serve = new ProductCommand(place, ["serve", "--port", "0", "--json"]);
  await serve.until(({ stderr }) => stderr.includes("\n"));
  expect(serve.stderr).toContain(`Process ${server.pid} serves ${place.home}. Waiting for its end`);
  await server.kill("SIGTERM");
  await serve.until(({ stdout }) => stdout.includes("\n"));
  expect(readServerJson(place.home).pid).toBe(serve.child.pid);
  serve.child.kill("SIGTERM");
  await serve.done();
});

test.runIf(hasTerminals)("in a terminal serve prints a link, and Ctrl+C ends it, exit 130", async ({ place }) => {
  const serve = new TerminalCommand(place, "serve --port 0");
  onTestFinished(() => serve.end());
  await serve.until("/#token=");
  await serve.until("The link works once");
  serve.type("\u0003");
  expect(await serve.done()).toBe(130);
  expect(findProcesses(place.home)).toEqual([]);
});

/** A `systemctl` that notes its calls; its unit is active from its start to its stop. */
const stub = `#!/bin/sh
echo "$*" >> "$HOME/systemctl.log"
[ -e "$HOME/no-bus" ] && echo "Failed to connect to bus: No medium found" >&2 && exit 1
case "$*" in
  *is-active*) [ -e "$HOME/active" ] ;;
  *enable*) : > "$HOME/active" ;;
  *disable*) rm -f "$HOME/active" ;;
esac
`;

function withStub(place: ProductEnvironment): ProductEnvironment {
  const bin = join(place.root, "stub bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "systemctl"), stub);
  chmodSync(join(bin, "systemctl"), 0o755);
  return { ...place, environment: { ...place.environment, PATH: `${bin}:${place.environment.PATH}` } };
}

const unitOf = ({ root }: ProductEnvironment): string => join(root, ".config/systemd/user/gopi-web.service");
const callsOf = ({ root }: ProductEnvironment): readonly string[] => {
  const text = readFileSync(join(root, "systemctl.log"), "utf8");
  writeFileSync(join(root, "systemctl.log"), "");
  return text.trim().split("\n");
};

test.runIf(process.platform === "linux")(
  "a service is installed, also twice, shown by status, and removed",
  async ({ place: plain }) => {
    const place = withStub(plain);
    const run = (...args: readonly string[]) => new ProductCommand(place, args).done();
    const readService = async (): Promise<unknown> => JSON.parse((await run("status", "--json")).stdout).service;
    expect(await readService()).toEqual({ status: "not_installed" });
    const first = await run("serve", "--install", "--port", "4999");
    expect(first).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining(`Installed: ${unitOf(place)}\n`),
    });
    expect(first.stdout).toContain("loginctl enable-linger");
    const text = readFileSync(unitOf(place), "utf8");
    expect(text).toContain(`"serve" "--home" "${place.home}" "--port" "4999"`);
    expect(text).toContain(`Environment="PATH=${place.environment.PATH}"`);
    expect(callsOf(place)).toEqual([
      "--user show --property=Version",
      "--user daemon-reload",
      "--user enable --now gopi-web.service",
      "--user restart gopi-web.service",
    ]);
    expect(await readService()).toEqual({ status: "running", file: unitOf(place) });
    const again = await run("serve", "--install", "--port", "4999");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("Installed already") });
    expect(callsOf(place).join("\n")).not.toMatch(/enable|restart/);

    const refused = await run("serve", "--install", "--port", "4998");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("pass --yes") });
    expect(refused.stdout).toMatch(/^-.*"4999"$/m);
    expect(refused.stdout).toMatch(/^\+.*"4998"$/m);
    expect(readFileSync(unitOf(place), "utf8")).toBe(text);
    expect(await run("serve", "--install", "--port", "4998", "--yes")).toMatchObject({ code: 0 });
    expect(readFileSync(unitOf(place), "utf8")).toContain('"4998"');
    callsOf(place);

    expect(await run("serve", "--uninstall")).toMatchObject({ code: 0, stdout: `Removed: ${unitOf(place)}\n` });
    expect(callsOf(place)).toEqual(["--user disable --now gopi-web.service", "--user daemon-reload"]);
    expect(existsSync(unitOf(place))).toBe(false);
    expect(await run("serve", "--uninstall")).toMatchObject({ code: 0, stdout: "No service is installed.\n" });
  },
);

test.runIf(hasTerminals)("in a terminal a changed service is replaced after a yes only", async ({ place: plain }) => {
  const place = withStub(plain);
  mkdirSync(join(place.root, ".config/systemd/user"), { recursive: true });
  writeFileSync(unitOf(place), "[Service]\nExecStart=/bin/mine\n");
  for (const [reply, end, isReplaced] of [
    ["n", "Nothing was changed.", false],
    ["y", "The server runs now", true],
  ] as const) {
    const install = new TerminalCommand(place, "serve --install");
    onTestFinished(() => install.end());
    await install.until("-ExecStart=/bin/mine");
    await install.until("Replace it? [y/N] ");
    install.type(`${reply}\r`);
    await install.until(end);
    await install.done();
    expect(!readFileSync(unitOf(place), "utf8").includes("/bin/mine")).toBe(isReplaced);
  }
});

test.runIf(process.platform === "linux")(
  "where systemd refuses, nothing is written, and the next step is named",
  async ({ place: plain }) => {
    const place = withStub(plain);
    writeFileSync(join(place.root, "no-bus"), "");
    const { code, stdout, stderr } = await new ProductCommand(place, ["serve", "--install"]).done();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /systemd refused \(Failed to connect to bus: .*\); to start the server another way, have it run: .* serve --home/,
    );
    expect(existsSync(unitOf(place))).toBe(false);
  },
);
