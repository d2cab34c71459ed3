import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSessionRow } from "@/server/store/__fixtures__/home";
import { makeTestServices } from "@/server/session/testing/test-services";
import { promptAndWait, callAnswer, makeTestHarness, textAnswer } from "@/server/session/testing/test-harness";

test("a project whose folder was moved continues at the new path with its sessions; never over another project", async () => {
  const { store, root: home, services } = makeTestServices();
  const { projects } = services();
  const [old, now, other] = [join(home, "old"), join(home, "now"), join(home, "other")];
  mkdirSync(old);
  mkdirSync(other);
  writeFileSync(join(home, "file"), "");
  const opened = await projects.open(old);
  const otherProject = await projects.open(other);
  if (!opened.ok || !otherProject.ok) throw new Error("not opened");
  const { id } = opened.value.project;
  store.projects.setTrust(id, 5);
  store.events.create({ session: newSessionRow("s", id), rows: [] });
  renameSync(old, now);
  expect(await projects.relink(id, old)).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(await projects.relink(id, join(home, "file"))).toMatchObject({ ok: false, error: { code: "not_folder" } });
  expect(await projects.relink(id, other)).toMatchObject({ ok: false, error: { code: "exists" } });
  expect(await projects.relink(id, now)).toMatchObject({ ok: true, value: { root: now, project: { id, path: now } } });
  expect(await projects.get(id)).toMatchObject({ ok: true, value: { root: now } });
  expect(store.sessions.list({ projectId: id, limit: 5 }).rows.map((row) => row.id)).toEqual(["s"]);
  // Trust was granted to the old folder.
  expect(store.projects.isTrusted(id)).toBe(false);
});

test("a session whose shell was in the moved folder continues in a new shell", async () => {
  const harness = await makeTestHarness();
  const one = harness.session("full");
  harness.script(callAnswer(["bash", { command: "pwd" }]), textAnswer("there"));
  await promptAndWait(one, "where");
  harness.registry().suspend(one.view.projectId);
  harness.script(callAnswer(["bash", { command: "pwd" }]), textAnswer("still there"));
  expect(await promptAndWait(one, "again")).toBe("done");
});
