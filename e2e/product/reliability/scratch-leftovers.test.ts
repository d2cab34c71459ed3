/** The server is killed during an eval or a doctor run: the next start ends the model's programs and deletes its folder. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { callCommand } from "../../fixtures/call-command";
import type { Script, ScriptedTurn } from "../../fixtures/scripted-model.mjs";
import { findProcesses, type ProductEnvironment, startProductServer, type TestServer } from "../../fixtures/server";
import { expect, test } from "../../fixtures/product-test";

const base: Script = { models: ["m:8b"], capabilities: ["completion", "tools"], context: 16_384, vramShare: 1 };
const call = (name: string, input: object): ScriptedTurn => ({
  text: "",
  toolCalls: [{ name, arguments: input }],
});

/** The environment without a sandbox: bubblewrap fails. */
function withoutSandbox(place: ProductEnvironment): ProductEnvironment {
  const bin = join(place.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(bin, "bwrap"), 0o755);
  return { ...place, environment: { ...place.environment, PATH: `${bin}:${place.environment.PATH ?? ""}` } };
}

/** Folders of scratch sessions whose project has the file. */
const foldersWith = (file: string): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => existsSync(join(tmpdir(), name, "project", file)));

/** Programs that run the file, without the shells that started them. */
const programsOf = (file: string) => findProcesses(file).filter(({ command }) => command === `node ${file}`);

interface StartedRun {
  /** A file that the model creates in its folder; no other test has this name. */
  readonly file: string;
  start(server: TestServer): Promise<unknown>;
}

const runs: readonly [name: string, hold: (file: string) => ScriptedTurn[], start: StartedRun["start"]][] = [
  [
    "eval",
    (file) => [
      call("write", { path: file, content: "setInterval(() => {}, 1000);\n" }),
      call("bash", { command: `node ${file}` }),
    ],
    (server) => callCommand(server, "evals.start", { models: [{ name: "m:8b" }], tasks: ["edit-config"] }),
  ],
  [
    "doctor",
    (file) => [
      { text: "A unit test checks one small part of a program on its own, again and again." },
      call("write", { path: file, content: "" }),
      { text: "one two three", holdAfter: 1 },
    ],
    (server) => callCommand(server, "models.doctor", { model: "m:8b" }),
  ],
];

for (const [name, hold, start] of runs)
  test(`killed during a run of the ${name}`, async ({ place, model }) => {
    const file = `${basename(place.root)}.mjs`;
    model.setScript({ ...base, turns: hold(file) });
    const server = await startProductServer(withoutSandbox(place));
    try {
      await start(server);
      await expect.poll(() => foldersWith(file)).toHaveLength(1);
      const programs = name === "eval" ? 1 : 0;
      await expect.poll(() => programsOf(file)).toHaveLength(programs);
      const folder = join(tmpdir(), foldersWith(file)[0] ?? "");
      await server.kill("SIGKILL");
      expect(existsSync(folder)).toBe(true);
      expect(programsOf(file)).toHaveLength(programs);
      await server.restart();
      await expect.poll(() => existsSync(folder)).toBe(false);
      await expect.poll(() => programsOf(file)).toEqual([]);
    } finally {
      await server.kill("SIGTERM");
    }
  });
