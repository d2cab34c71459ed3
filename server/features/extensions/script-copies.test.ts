/** Only enabled content runs: scripts run from private copies of their extension. Real scripts in sessions. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import {
  callAnswer,
  promptAndWait,
  testCommandId,
  testTab,
  textAnswer,
  waitForCards,
} from "@/server/session/testing/test-harness";
import {
  bashScript,
  type ExtensionsRig,
  lastOutput,
  makeExtensionsRig,
  nodeScript,
  pythonScript,
  writeExtension,
  writeExtensionFile,
} from "./test-extensions";

const yaml = (run: string): string => `tools: [{name: look, description: Looks., run: ${run}}]\n`;
const copiesOf = (rig: ExtensionsRig): readonly string[] => {
  const folder = join(rig.harness.home, "script-copies");
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** Starts a call of the tool and allows it; `done` resolves with its output. */
async function begin(rig: ExtensionsRig): Promise<{ readonly done: Promise<string> }> {
  const { harness, session } = rig;
  harness.script(callAnswer(["toolbox", { tool: "probe__look", input: {} }]), textAnswer("Done."));
  const sent = session.send("go", "prompt", testCommandId());
  if (!sent.ok) throw new Error(sent.error.code);
  const [card] = await waitForCards(session);
  if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
  return { done: sent.value.done.then(() => lastOutput(session.view)) };
}

test("a file that is exchanged after the start is not run", async () => {
  const rig = await makeExtensionsRig();
  const mark = join(rig.harness.userHome, "started");
  const folder = writeExtension(rig.place, "probe", {
    "extension.yaml": yaml("run.sh"),
    "run.sh": bashScript(
      `touch '${mark}'; until [ -e '${mark}.go' ]; do sleep 0.05; done; source "$(dirname "$0")/lib.sh"`,
    ),
    "lib.sh": "echo enabled\n",
  });
  await rig.enable("probe");
  const { done } = await begin(rig);
  await eventually(() => expect(existsSync(mark)).toBe(true));
  writeFileSync(join(folder, "lib.sh"), "echo exchanged\n");
  writeFileSync(`${mark}.go`, "");
  expect(await done).toBe("[from probe]\nenabled");
  await eventually(() => expect(copiesOf(rig)).toEqual([]));
});

test.each<readonly [string, string, { readonly [path: string]: string }]>([
  ["bash", "bin/run.sh", { "bin/run.sh": bashScript(`cat "$(dirname "$0")/../data/text"`) }],
  ["a link inside", "link.sh", { "bin/run.sh": bashScript(`cat "$(dirname "$0")/data/text"`) }],
  [
    "node",
    "run.mjs",
    {
      "run.mjs": nodeScript(`import { text } from "./lib/text.mjs"; console.log(text);`),
      "lib/text.mjs": `import { readFileSync } from "node:fs";\nexport const text = readFileSync(new URL("../data/text", import.meta.url), "utf8");`,
    },
  ],
  [
    "python",
    "run.py",
    {
      "run.py": pythonScript("import lib.text"),
      "lib/text.py": `from pathlib import Path\nprint((Path(__file__).parent.parent / "data/text").read_text())`,
    },
  ],
])("the files beside a script are found from %s", async (kind, run, files) => {
  const rig = await makeExtensionsRig();
  const folder = writeExtension(rig.place, "probe", { "extension.yaml": yaml(run), "data/text": "data", ...files });
  if (kind === "a link inside") symlinkSync("bin/run.sh", join(folder, "link.sh"));
  await rig.enable("probe");
  expect((await (await begin(rig)).done).trimEnd()).toBe("[from probe]\ndata");
});

test("a script of one file does not see the files of others, and its copy is private", async () => {
  const rig = await makeExtensionsRig();
  const head = "#!/usr/bin/env bash\n# gopi:\n#   tools: [{name: look, description: Looks.}]\n";
  writeExtensionFile(
    join(rig.place, "probe.sh"),
    `${head}cd "$(dirname "$0")"; ls -l . | tail -n +2 | cut -c1-10; ls -ld . | cut -c1-10\n`,
  );
  writeExtensionFile(join(rig.place, "other.sh"), `${head}echo other\n`);
  await rig.enable("probe");
  expect(await (await begin(rig)).done).toBe("[from probe]\n-r-x------\ndrwx------");
});

test("what a killed program left is deleted, and a script whose copy cannot be written does not run", async () => {
  const rig = await makeExtensionsRig();
  const folder = join(rig.harness.home, "script-copies");
  mkdirSync(join(folder, "old"), { recursive: true });
  writeExtension(rig.place, "probe", { "extension.yaml": yaml("run.sh"), "run.sh": bashScript("echo ran") });
  await rig.enable("probe");
  expect(await (await begin(rig)).done).toContain("ran");
  await eventually(() => expect(readdirSync(folder)).toEqual([]));
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  rig.harness.script(callAnswer(["toolbox", { tool: "probe__look", input: { again: "yes" } }]), textAnswer("Done."));
  await promptAndWait(rig.session, "go");
  expect(lastOutput(rig.session.view)).toContain(
    `look could not be started: its files could not be copied to ${folder}`,
  );
});
