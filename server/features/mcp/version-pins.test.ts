/** Pins over the real file and real processes; npm and uv are scripts in PATH. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { findInPath } from "@/server/workspace/shell/find-in-path";
import { isRunning } from "./test-mcp";
import { makeMcpRig, succeed } from "./test-feature";
import { serveHttp } from "./transport/test-http-server";

/** A rig whose only server is run by `command`, in a file with comments; `scripts` are the programs beside it. */
async function makePinRig(command: "npx" | "uvx", scripts: { readonly [name: string]: string }) {
  const rig = await makeMcpRig();
  const programs = join(rig.harness.userHome, "bin");
  mkdirSync(programs);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(programs, name), `#!/bin/bash\ncd "$(dirname "$0")"\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const runner = JSON.stringify(join(programs, command));
  writeFileSync(
    rig.file,
    `{\n  // mine\n  "mcpServers": {\n    "My Server": {\n      "command": ${runner},\n      "args": ["-y", "files"] // the package\n    }\n  }\n}\n`,
  );
  const input = { projectId: rig.projectId, server: "my_server" };
  return {
    ...rig,
    programs,
    input,
    pin: async () => rig.commands["mcp.pin"]({ ...input, launch: (await rig.only()).launchHash }),
    written: () => readFileSync(rig.file, "utf8"),
    noted: (name: string) => readFileSync(join(programs, name), "utf8").trim(),
  };
}

/** Versions of a package, not in their order, and the Node that each needs. */
const enginesOf = {
  "1.10.0": { node: ">=99" },
  "1.2.0": {},
  "1.9.0": { node: ">=18" },
  "2.0.0": { node: ">=99 || ^98.1" },
} as const;

/** Packs the archive that the registry has for each version. */
async function makeArchive(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "gopi-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package/package.json"), JSON.stringify({ name: "files", version: "1.9.0" }));
  const child = spawn("tar", ["-czf", "files.tgz", "package"], { cwd: folder });
  await once(child, "exit");
  return readFileSync(join(folder, "files.tgz"));
}

describe("Pin", () => {
  test.each([
    ["npx", "npm", `echo "$PWD $*" > called; pwd > /dev/null; echo '[{"version":"2.0.1"}]'`, "files@2.0.1"],
    ["uvx", "uv", `echo "$(cat) $*" > called; echo 'files==2.0.1'`, "files==2.0.1"],
  ] as const)(
    "of %s writes the version that %s finds, with all comments, and asks again",
    async (command, program, script, word) => {
      const rig = await makePinRig(command, { [program]: script });
      expect(await rig.only()).toMatchObject({ unpinned: { isPinning: false } });
      const before = (await rig.only()).launchHash;
      const { version, state } = succeed(await rig.pin());
      expect(version).toBe("2.0.1");
      expect(rig.written()).toContain(`["-y", "${word}"] // the package`);
      expect(rig.written()).toContain("// mine");
      expect(state.servers[0]).toMatchObject({ status: "unapproved" });
      expect(state.servers[0]).not.toHaveProperty("unpinned");
      expect(state.servers[0]?.launchHash).not.toBe(before);
      expect(rig.noted("called")).toContain(program === "npm" ? "pack files --dry-run --json" : "files pip compile -");
    },
  );

  test.each([
    ["files", "files@1.9.0"],
    ["files@latest", "files@1.9.0"],
    ["files@>=1", "files@1.9.0"],
    ["files@^1.2.0 || ^0.9.0", "files@1.9.0"],
  ])("of %s writes the newest version whose engines this Node fits", async (word, pinned) => {
    const archive = await makeArchive();
    const registry = await serveHttp(({ url = "" }, response) => {
      if (url.endsWith(".tgz")) return void response.end(archive);
      const versions = Object.entries(enginesOf).map(([version, engines]) => {
        const dist = { tarball: `${registry.origin}/files-${version}.tgz` };
        return [version, { name: "files", version, engines, dist }] as const;
      });
      const document = { name: "files", "dist-tags": { latest: "2.0.0" }, versions: Object.fromEntries(versions) };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(document));
    });
    const rig = await makeMcpRig();
    const options = ["-y", "--registry", registry.origin];
    // Beside npm, which a Node of npm's own package does not have.
    const command = findInPath("npx", process.env.PATH ?? "") ?? "";
    writeFileSync(rig.file, JSON.stringify({ mcpServers: { "My Server": { command, args: [...options, word] } } }));
    const launch = (await rig.only()).launchHash;
    succeed(await rig.commands["mcp.pin"]({ projectId: rig.projectId, server: "my_server", launch }));
    expect(JSON.parse(readFileSync(rig.file, "utf8")).mcpServers["My Server"].args).toEqual([...options, pinned]);
  });

  test.each([
    ["an unknown package", `echo '{"error":{"code":"E404"}}'; exit 1`, "pin_unknown"],
    ["no network", `echo '{"error":{"code":"ENOTFOUND"}}'; exit 1`, "pin_unreachable"],
    ["another failure", `echo "npm is broken" >&2; exit 1`, "pin_failed"],
    ["an answer that is no version", `echo '[{"version":"--evil"}]'`, "pin_failed"],
  ])("reports %s, and leaves the file as it is", async (_name, script, reason) => {
    const rig = await makePinRig("npx", { npm: script });
    const before = rig.written();
    expect(await rig.pin()).toMatchObject({ ok: false, error: { code: "tool_failed", facts: { reason } } });
    expect(rig.written()).toBe(before);
    expect(await rig.only()).toMatchObject({ unpinned: { isPinning: false } });
  });

  test("is reported to the pages of all projects that show the server, when it begins and when it ends", async () => {
    const rig = await makePinRig("npx", { npm: `echo '[{"version":"2.0.1"}]'` });
    const other = succeed(await rig.openProject("other"));
    const unseen = succeed(await rig.openProject("unseen"));
    succeed(await rig.commands["mcp.state"]({ projectId: other }));
    await rig.only();
    rig.changedProjects.splice(0);
    succeed(await rig.pin());
    expect(rig.changedProjects.toSorted()).toEqual([rig.projectId, rig.projectId, other, other].toSorted());
    expect(rig.changedProjects).not.toContain(unseen);
  });

  test("reports that there is no package manager", async () => {
    const rig = await makePinRig("npx", {});
    expect(await rig.pin()).toMatchObject({ error: { facts: { reason: "program_missing" } } });
  });

  test("is stopped with all processes of the package manager", async () => {
    const rig = await makePinRig("npx", { npm: "sleep 600 & echo $! > child; mv child started; wait" });
    const pinned = rig.pin();
    await eventually(() => expect(existsSync(join(rig.programs, "started"))).toBe(true));
    expect(await rig.only()).toMatchObject({ unpinned: { isPinning: true } });
    succeed(await rig.commands["mcp.stop_pin"](rig.input));
    expect(await pinned).toMatchObject({ error: { code: "aborted" } });
    await eventually(() => expect(isRunning(Number(rig.noted("started")))).toBe(false));
  });

  test("is recorded while the package manager runs, so that the next start ends it after a crash", async () => {
    const rig = await makePinRig("npx", { npm: `env > variables; mv variables started; sleep 600` });
    const pinned = rig.pin();
    await eventually(() => expect(existsSync(join(rig.programs, "started"))).toBe(true));
    const [marker = "no marker"] = /^GOPI_MCP=.+$/m.exec(rig.noted("started")) ?? [];
    const leftovers = join(rig.harness.home, "leftovers");
    const recorded = () => readdirSync(leftovers).map((name) => readFileSync(join(leftovers, name), "utf8"));
    expect(recorded()).toContain(JSON.stringify({ marker }));
    succeed(await rig.commands["mcp.stop_pin"](rig.input));
    await pinned;
    expect(recorded()).not.toContain(JSON.stringify({ marker }));
  });

  test("gives the package manager no keys of the environment, and no folder of the project", async () => {
    const rig = await makePinRig("npx", {
      npm: `env > variables; echo "$OLDPWD" > folder; echo '[{"version":"1.0.0"}]'`,
    });
    succeed(await rig.pin());
    expect(rig.noted("variables")).not.toContain("NODE_ENV");
    expect(rig.noted("folder")).toBe(join(rig.harness.home, "mcp"));
  });

  test("does not replace another word that the user has written there meanwhile", async () => {
    const rig = await makePinRig("npx", { npm: `cp edited "$(cat file)"; echo '[{"version":"1.0.0"}]'` });
    const edited = rig.written().replace('"-y", "files"', '"--quiet", "-y", "files"');
    writeFileSync(join(rig.programs, "edited"), edited);
    writeFileSync(join(rig.programs, "file"), rig.file);
    expect(await rig.pin()).toMatchObject({ error: { code: "changed_meanwhile" } });
    expect(rig.written()).toBe(edited);
  });

  test("does not edit the file of a project", async () => {
    const rig = await makePinRig("npx", { npm: `echo '[{"version":"1.0.0"}]'` });
    rig.harness.store.projects.setTrust(rig.projectId, Date.now());
    rmSync(rig.file);
    const text = JSON.stringify({ mcpServers: { "My Server": { command: join(rig.programs, "npx"), args: ["x"] } } });
    writeFileSync(join(rig.harness.root, ".mcp.json"), text);
    await eventually(async () => expect((await rig.only()).isOfProject).toBe(true));
    expect(await rig.pin()).toMatchObject({ error: { code: "not_allowed" } });
    expect(readFileSync(join(rig.harness.root, ".mcp.json"), "utf8")).toBe(text);
  });
});
