// Starts of the product by users and scripts: arguments, ports, hand-over, exit codes, signals.
import { mkdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe } from "vitest";
import packageFile from "@/package.json" with { type: "json" };
import { callCommand } from "../../fixtures/call-command";
import { endBackgroundServer, expect, test } from "../../fixtures/product-test";
import {
  findProcesses,
  ProductCommand,
  productProgram,
  readServerJson,
  type ServerReadyLine,
  startProductServer,
} from "../../fixtures/server";

const nonEmptyLines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

describe("commands without a server", () => {
  test("npm start resolves folders from where npm was called", async ({ place }) => {
    const { code, stdout, stderr } = await new ProductCommand(place, ["no-such-folder"], {
      script: "scripts/start.mjs",
      cwd: dirname(dirname(productProgram)),
      environment: { INIT_CWD: place.root },
    }).done();
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(nonEmptyLines(stderr).at(-1)).toBe(`gopi-web: Folder not found: ${join(place.root, "no-such-folder")}`);
  });

  test("--help explains the two commands and --version prints the version", async ({ place }) => {
    const help = await new ProductCommand(place, ["--help"]).done();
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toContain("gopi-web [folder]");
    expect(help.stdout).toContain('gopi-web run "prompt"');
    expect(await new ProductCommand(place, ["--version"]).done()).toEqual({
      code: 0,
      stdout: `${packageFile.version}\n`,
      stderr: "",
    });
  });

  const wrong: readonly [args: readonly string[], words: string][] = [
    [["--prot", "80"], "did you mean --port?"],
    [["--port", "many"], "--port needs a number"],
    [["--host", "203.0.113.9"], "--host 203.0.113.9 isn't an address of this machine"],
    [["no-such-folder"], "Folder not found"],
    [["README.md"], "is a file"],
    [["run", "two", "words"], "Put the prompt in quotes"],
    [["run", ""], "The prompt is empty"],
    [["run"], "The prompt is empty"],
    [["run", "hi", "--approve", "maybe"], "--approve needs one of"],
  ];
  for (const [args, words] of wrong) {
    test(`${args.join(" ")}: one line and exit 2`, async ({ place }) => {
      const { code, stdout, stderr } = await new ProductCommand(place, args).done();
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(nonEmptyLines(stderr)).toEqual([expect.stringContaining(words)]);
      expect(findProcesses(place.home)).toEqual([]);
    });
  }
});

describe("gopi-web [folder]", () => {
  test("a taken port: the next one is used and reported", async ({ place }) => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const server = new ProductCommand(place, ["--json", "--no-open", "--port", `${port}`]);
    // Two pipes: the line on one may arrive before the note on the other.
    await server.until(({ stdout, stderr }) => stdout.includes("\n") && stderr.includes("\n"));
    const ready: ServerReadyLine = JSON.parse(server.stdout);
    expect(ready.port).toBeGreaterThan(port);
    expect(server.stderr).toContain(`Port ${port} is in use, so gopi-web is using ${ready.port}.`);
    server.child.kill("SIGTERM");
    await server.done();
    blocker.close();
  });

  test("where a proxy signs in, the start prints its address and no link that signs in", async ({ place }) => {
    const publicUrl = "https://alice.example.org/ide/";
    const options = ["--socket", join(place.root, "s"), "--proxy-user", "X-User=alice", "--public-url", publicUrl];
    const server = await startProductServer(place, options);
    expect(server.url).toBe(publicUrl);
    expect(readServerJson(place.home)).toMatchObject({ socket: join(place.root, "s") });
    await server.kill("SIGTERM");
  });

  test("-f has the page pin a file, at the first start and at a second one", async ({ place }) => {
    const args = ["--json", "--no-open", "--port", "0", "-f", "README.md"];
    const server = new ProductCommand(place, args);
    await server.until(({ stdout }) => stdout.includes("\n"));
    const second = await new ProductCommand(place, args).done();
    for (const stdout of [server.stdout, second.stdout]) {
      const { url }: ServerReadyLine = JSON.parse(stdout);
      expect(url).toMatch(/^http:\/\/localhost:\d+\/\?pin=README\.md#token=/);
    }
    server.child.kill("SIGTERM");
    await server.done();
  });

  test("a second start passes its folder to the running server and prints a fresh link", async ({ server, place }) => {
    const other = join(place.root, "other");
    mkdirSync(other);
    const second = await new ProductCommand(place, [other, "--json", "--no-open"]).done();
    expect(second.code).toBe(0);
    const ready: ServerReadyLine = JSON.parse(second.stdout);
    expect(Object.keys(ready)).toEqual(["url", "port", "pid", "home", "version"]);
    expect(ready).toMatchObject({
      port: server.port,
      pid: server.pid,
      home: server.home,
      version: packageFile.version,
    });
    expect(ready.url).not.toBe(server.url);
    const { projects } = await callCommand(server, "project.list", {});
    expect(projects.map(({ path }) => path).sort()).toEqual([other, place.project]);
    const again = await new ProductCommand(place, [other, "--no-open"]).done();
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/http:\/\/localhost:\d+\/#token=\S+\n$/) });
  });

  test("a second start of another version reports that and still works", async ({ server, place }) => {
    const path = join(server.home, "server.json");
    writeFileSync(path, JSON.stringify({ ...readServerJson(server.home), version: "0.0.1" }));
    const { code, stderr } = await new ProductCommand(place, ["--json", "--no-open"]).done();
    expect(code).toBe(0);
    expect(stderr).toContain(`Version 0.0.1 is running; this is ${packageFile.version}`);
  });

  test("a server that holds the home and does not answer is named, exit 1", async ({ server, place }) => {
    process.kill(server.pid, "SIGSTOP");
    const { code, stdout, stderr } = await new ProductCommand(place, ["--json", "--no-open"]).done();
    process.kill(server.pid, "SIGCONT");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`process ${server.pid}`);
    expect(stderr).toContain(server.home);
  });

  test("a killed server leaves nothing that blocks the next one", async ({ server, place }) => {
    await server.kill("SIGKILL");
    const next = await startProductServer(place);
    expect(next.pid).not.toBe(server.pid);
    await next.kill("SIGTERM");
  });

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal} ends it cleanly, also during a run`, async ({ server, model, place }) => {
      model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
      const run = new ProductCommand(place, ["run", "hi"]);
      await run.until(({ stdout }) => stdout.includes("one"));
      const { code } = await server.kill(signal);
      expect(code).toBe(signal === "SIGTERM" ? 0 : 130);
      expect(() => readServerJson(server.home)).toThrow();
      run.child.kill("SIGINT");
      run.child.kill("SIGINT");
      await run.done();
      await endBackgroundServer(place);
    });
  }
});
