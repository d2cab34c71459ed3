/** The files of an extension on its page, and what changed since it was enabled: real files, over the commands. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extensionLimits } from "./extension-files";
import {
  bashScript,
  type ExtensionsRig,
  makeExtensionsRig,
  valueOf,
  writeExtension,
  writeExtensionFile,
} from "./test-extensions";

const readFile = (rig: ExtensionsRig, path: string) =>
  rig.commands["extensions.file"]({ projectId: rig.projectId, extension: join(rig.place, "probe"), path });
const definition = "gate: { before_tool: gate.sh }\n";
async function makeProbe() {
  const rig = await makeExtensionsRig();
  const files = { "extension.yaml": definition, "gate.sh": bashScript("exit 0"), "old.txt": "old\n" };
  writeExtension(rig.place, "probe", files);
  return rig;
}

test("each file is shown before the extension is enabled, and no other file", async () => {
  const rig = await makeProbe();
  writeExtensionFile(join(rig.place, "other.txt"), "other");
  expect(valueOf(await readFile(rig, "gate.sh"))).toEqual({ text: bashScript("exit 0"), isCut: false });
  for (const path of ["../other.txt", "missing.txt", join(rig.place, "probe/gate.sh")])
    expect(await readFile(rig, path)).toMatchObject({ error: { code: "not_found" } });
});

test.each([
  ["NUL characters", Buffer.from("a\0b"), { text: null, isCut: false }],
  ["other bytes than UTF-8", Buffer.from([0xff, 0x41]), { text: null, isCut: false }],
  [
    "more than is shown, cut within a character",
    Buffer.from(`a${"é".repeat(extensionLimits.shownFileBytes)}`),
    { text: `a${"é".repeat(extensionLimits.shownFileBytes / 2 - 1)}`, isCut: true },
  ],
])("a file with %s", async (_how, bytes, shown) => {
  const rig = await makeProbe();
  writeFileSync(join(rig.place, "probe/data.bin"), bytes);
  expect(valueOf(await readFile(rig, "data.bin"))).toEqual(shown);
});

test("after a change the files that changed are marked, with their difference", async () => {
  const rig = await makeProbe();
  const files = async () => (await rig.enable("probe")).files;
  expect((await files()).map(({ change }) => change)).toEqual([undefined, undefined, undefined]);
  writeExtensionFile(join(rig.place, "probe/gate.sh"), bashScript("exit 2"));
  writeExtensionFile(join(rig.place, "probe/new.txt"), "new\n");
  rmSync(join(rig.place, "probe/old.txt"));
  const changed = await rig.find("probe");
  expect([changed.status, changed.files.map(({ path, change }) => [path, change])]).toEqual([
    "changed",
    [
      ["extension.yaml", undefined],
      ["gate.sh", "changed"],
      ["new.txt", "added"],
      ["old.txt", "removed"],
    ],
  ]);
  const gate = valueOf(await readFile(rig, "gate.sh"));
  const lines = (gate.hunks ?? []).flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== "same");
  expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
    ["remove", "exit 0"],
    ["add", "exit 2"],
  ]);
  expect(valueOf(await readFile(rig, "new.txt"))).toEqual({ text: "new\n", isCut: false, change: "added" });
  expect(valueOf(await readFile(rig, "old.txt"))).toEqual({ text: "old\n", isCut: false, change: "removed" });
  expect((await files()).map(({ change }) => change)).toEqual([undefined, undefined, undefined]);
  expect(valueOf(await readFile(rig, "gate.sh"))).toEqual({ text: bashScript("exit 2"), isCut: false });
});

test("without the stored files nothing is marked, and they decide nothing", async () => {
  const rig = await makeProbe();
  await rig.enable("probe");
  rmSync(join(rig.harness.home, "enabled-extensions"), { recursive: true });
  expect((await rig.find("probe")).status).toBe("on");
  writeExtensionFile(join(rig.place, "probe/gate.sh"), bashScript("exit 2"));
  const { status, files } = await rig.find("probe");
  expect([status, files.map(({ change }) => change)]).toEqual(["changed", [undefined, undefined, undefined]]);
  expect(valueOf(await readFile(rig, "gate.sh"))).toEqual({ text: bashScript("exit 2"), isCut: false });
});
