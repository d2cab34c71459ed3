/**
 * The published package works without anything else installed, on each supported Node version: packed, installed into
 * an empty folder, started there, used in Chromium.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { plantMimeProject, mimeFix, mimeFixTurn } from "../fixtures/mime-project";
import { nodeMajors, provideNode, testedMajor, withNode } from "../../scripts/base/node-versions.mjs";
import { isFullRun } from "../fixtures/full-run";
import type { ProductEnvironment, ServerReadyLine } from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { mainJobPrompt } from "../pages/main-job";
import { WorkbenchPageObject } from "../pages/workbench-page";

test.use({ hasOwnServer: true });

const execFileAsync = promisify(execFile);
/** The installation compiles better-sqlite3 if no binary is available: many minutes on a slow or busy machine. */
const installMs = 3_600_000;

/** Packs this checkout into a `.tgz`. It is already built, so the package's scripts would only check that. */
async function packCheckout(folder: string): Promise<string> {
  const { stdout } = await execFileAsync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  return join(folder, packed?.filename ?? "");
}

/** Installs the packed product into a folder of its own with that Node's npm. */
async function installPackage(place: ProductEnvironment, node: string): Promise<string> {
  const folder = join(place.root, "installed");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), "{}");
  const tarball = await packCheckout(place.root);
  const env = withNode(node, process.env);
  await execFileAsync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: folder, env });
  return folder;
}

/** Code loaded before the program: requests the page as soon as the server listens, and records the order of events. */
const startWatcherCode = (notes: string): string => `
  import { appendFileSync } from "node:fs";
  import http from "node:http";
  const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + "\\n");
  const listen = http.Server.prototype.listen;
  http.Server.prototype.listen = function (...args) {
    this.once("listening", () => {
      const { port } = this.address();
      http.get({ port, host: "127.0.0.1", path: "/", headers: { host: "localhost:" + port } }, (answer) => {
        answer.resume().once("end", () => note("page " + answer.statusCode));
      });
    });
    return listen.apply(this, args);
  };
  const open = process.dlopen;
  process.dlopen = function (...args) {
    note("native module");
    return open.apply(this, args);
  };`;

interface InstalledServer {
  readonly server: ChildProcess;
  readonly ready: ServerReadyLine;
}

/** Starts the installed program; returns what it wrote to standard error if it ends instead. */
async function startInstalled(
  place: ProductEnvironment,
  folder: string,
  node: string,
): Promise<InstalledServer | string> {
  const notes = join(place.root, "notes");
  await writeFile(`${notes}.mjs`, startWatcherCode(notes));
  const program = join(folder, "node_modules/gopi-web/bin/gopi-web.mjs");
  const options = ["--json", "--no-open", "--port", "0", place.project];
  const server = spawn(node, ["--import", `${notes}.mjs`, program, ...options], {
    cwd: folder,
    env: withNode(node, { ...place.environment, GOPI_HOME: place.home }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let problem = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    problem += text;
  });
  const ended = once(server, "close").then(() => null);
  const line = await Promise.race([
    once(createInterface(server.stdout), "line").then(([text]: string[]) => text),
    ended,
  ]);
  if (line === null) return problem;
  const ready: ServerReadyLine = JSON.parse(line ?? "");
  // On Node 22 and later import() does not return to the event loop, so the page must not wait for its imports.
  const order = (await readFile(notes, "utf8")).trim().split("\n");
  expect(order.slice(0, 2)).toEqual(["page 200", "native module"]);
  return { server, ready };
}

/** A full run installs the package on every supported version; on Node 20 that compiles better-sqlite3. */
for (const major of isFullRun ? nodeMajors : [testedMajor])
  test(`the packed product, installed into an empty folder, does a short main job on Node ${major}`, async ({
    browser,
    place,
    model,
  }) => {
    test.setTimeout(installMs);
    const node = await provideNode(major);
    test.skip("missing" in node, "missing" in node ? node.missing : "");
    if ("missing" in node) return;
    const folder = await installPackage(place, node.path);
    await plantMimeProject(place.project);
    const started = await startInstalled(place, folder, node.path);
    if (typeof started === "string") {
      // Only Node 20 needs a binary from elsewhere, or a compiler with headers: without them the program says the command.
      expect([major, started]).toEqual([20, expect.stringContaining("npx --yes --package=node@24")]);
      return;
    }
    const { server, ready } = started;

    model.setScript({
      turns: [
        { toolCalls: [{ name: "read", arguments: { path: mimeFix.file } }] },
        mimeFixTurn,
        { text: mimeFix.answer },
      ],
    });
    const context = await browser.newContext();
    const bench = new WorkbenchPageObject(await context.newPage());
    await bench.open(ready.url);
    await bench.begin(mainJobPrompt);
    const { session } = bench;
    await expect(session.card.changed("add")).toContainText(mimeFix.right);
    await session.card.once.click();
    await expect(session.conversation.getByText(mimeFix.answer)).toBeVisible();
    await expect(session.lines({ verb: "Read", target: mimeFix.file })).toHaveCount(1);
    expect(await readFile(join(place.project, mimeFix.file), "utf8")).toContain(mimeFix.right);
    await context.close();
    server.kill("SIGTERM");
    await once(server, "close");
  });
