/** Scripts end at once when the user disables their extension, or does not trust its project any more. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { callAnswer, promptAndWait, testCommandId, textAnswer } from "@/server/session/testing/test-harness";
import {
  bashScript,
  type ExtensionsRig,
  isAlive,
  listCalls,
  makeExtensionsRig,
  valueOf,
  writeExtension,
} from "./test-extensions";

/** Notes the id of its process and its folder, and stays. */
const stays = (file: string): string =>
  bashScript(`echo "$$ $PWD" >> '${file}'; trap '' TERM; while :; do sleep 1; done`);
const started = async (file: string, count = 1): Promise<readonly (readonly [pid: number, folder: string])[]> => {
  const lines = (): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  await eventually(() => expect(lines().length).toBe(count));
  return lines().map((line) => [Number(line.split(" ")[0]), line.slice(line.indexOf(" ") + 1)]);
};
const ends = (pid: number): Promise<void> => eventually(() => expect(isAlive(pid)).toBe(false));

/** Withdraws the trust as the command does. */
function withdrawTrust({ harness, feature, projectId }: ExtensionsRig): void {
  harness.store.projects.setTrust(projectId, null);
  feature.trustWithdrawn(projectId);
}

const parts: readonly (readonly [string, string, (rig: ExtensionsRig) => Promise<unknown>])[] = [
  [
    "a gate",
    "gate: { before_tool: run.sh }\n",
    ({ harness, session }) => {
      harness.script(callAnswer(["ls", {}]), textAnswer("Done."));
      return Promise.resolve(session.send("go", "prompt", testCommandId()));
    },
  ],
  [
    "a slash command",
    "commands: [{name: slow, description: Slow, run: run.sh}]\n",
    ({ commands, projectId }) => commands["extensions.expand"]({ projectId, name: "slow", arguments: "" }),
  ],
  [
    "a listener",
    "on: [{event: run_start, run: run.sh}]\n",
    async ({ harness, session }) => {
      harness.script(textAnswer("Done."));
      await promptAndWait(session, "go");
    },
  ],
  [
    "a kept listener",
    "on: [{event: run_start, run: run.sh, keep: true}]\n",
    async ({ harness, session }) => {
      harness.script(textAnswer("Done."));
      await promptAndWait(session, "go");
    },
  ],
];

describe.each(parts)("%s", (_title, yaml, begin) => {
  test.each(["disabled", "untrusted"] as const)("that runs ends when it is %s", async (state) => {
    const rig = await makeExtensionsRig();
    const file = join(rig.harness.userHome, "started");
    rig.harness.store.projects.setTrust(rig.projectId, 1);
    const place = state === "untrusted" ? join(rig.harness.root, ".gopi/extensions") : rig.place;
    const extension = writeExtension(place, "slow", { "extension.yaml": yaml, "run.sh": stays(file) });
    await rig.enable("slow");
    const begun = begin(rig);
    const [[pid = 0] = []] = await started(file);
    if (state === "untrusted") withdrawTrust(rig);
    else valueOf(await rig.commands["extensions.disable"]({ projectId: rig.projectId, extension }));
    await ends(pid);
    await begun;
    await rig.session.abort();
    expect(rig.bugs).toEqual([]);
  });
});

test("a gate that ends so asks, and the call does not run unseen", async () => {
  const rig = await makeExtensionsRig();
  const file = join(rig.harness.userHome, "started");
  const extension = writeExtension(rig.place, "slow", {
    "extension.yaml": "gate: { before_tool: run.sh }\n",
    "run.sh": stays(file),
  });
  await rig.enable("slow");
  rig.harness.script(callAnswer(["write", { path: "a.txt", content: "x" }]), textAnswer("Done."));
  const sent = rig.session.send("go", "prompt", testCommandId());
  await started(file);
  valueOf(await rig.commands["extensions.disable"]({ projectId: rig.projectId, extension }));
  await eventually(() =>
    expect(listCalls(rig.session.view)).toMatchObject([{ approvals: [{ gate: { gate: "slow", failure: "broken" } }] }]),
  );
  expect(existsSync(join(rig.harness.root, "a.txt"))).toBe(false);
  await rig.session.abort();
  if (sent.ok) await sent.value.done;
});

test("a kept listener of the home is started again outside of a project that is not trusted any more", async () => {
  const rig = await makeExtensionsRig();
  const file = join(rig.harness.userHome, "started");
  rig.harness.store.projects.setTrust(rig.projectId, 1);
  writeExtension(rig.place, "slow", {
    "extension.yaml": "on: [{event: run_start, run: run.sh, keep: true}]\n",
    "run.sh": stays(file),
  });
  await rig.enable("slow");
  rig.harness.script(textAnswer("Done."));
  await promptAndWait(rig.session, "go");
  const [[pid, folder] = [0, ""]] = await started(file);
  expect(folder).toBe(rig.harness.root);
  withdrawTrust(rig);
  await ends(pid);
  rig.harness.script(textAnswer("Done."));
  await promptAndWait(rig.session, "again");
  expect((await started(file, 2)).at(-1)?.[1]).toContain(join(rig.harness.home, "script-copies"));
});
