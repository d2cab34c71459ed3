/** What is published works where nothing else is: packed, installed into an empty folder, started there, used in Chromium. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { plantMimeProject, repair, repairTurn } from "./fixtures/mime-project";
import type { ReadyLine } from "./fixtures/server";
import { expect, test } from "./fixtures/test";
import { mainPrompt } from "./pages/main-job";
import { WorkbenchPage } from "./pages/workbench-page";

const run = promisify(execFile);
/** Where no binary of better-sqlite3 is to be had it is compiled, on a slow and busy machine for many minutes. */
const installMs = 3_600_000;

/** `.tgz` of this checkout. It is built already: the scripts of the package would only look whether it is. */
async function pack(folder: string): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder]);
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  return join(folder, packed?.filename ?? "");
}

test("the packed product, installed into an empty folder, does a short main job", async ({ browser, place, model }) => {
  test.setTimeout(installMs);
  const folder = join(place.root, "installed");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), "{}");
  const tarball = await pack(place.root);
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
  await plantMimeProject(place.project);

  const server = spawn(
    join(folder, "node_modules/.bin/gopi-web"),
    ["--json", "--no-open", "--port", "0", place.project],
    {
      cwd: folder,
      env: { ...place.environment, GOPI_HOME: place.home },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line]: string[] = await once(createInterface(server.stdout), "line");
  const ready: ReadyLine = JSON.parse(line ?? "");

  model.setScript({
    turns: [{ toolCalls: [{ name: "read", arguments: { path: repair.file } }] }, repairTurn, { text: repair.answer }],
  });
  const context = await browser.newContext();
  const bench = new WorkbenchPage(await context.newPage());
  await bench.open(ready.url);
  await bench.begin(mainPrompt);
  const { session } = bench;
  await expect(session.card.changed("add")).toContainText(repair.right);
  await session.card.once.click();
  await expect(session.conversation.getByText(repair.answer)).toBeVisible();
  await expect(session.lines({ verb: "Read", target: repair.file })).toHaveCount(1);
  expect(await readFile(join(place.project, repair.file), "utf8")).toContain(repair.right);
  await context.close();
  server.kill("SIGTERM");
  await once(server, "close");
});
