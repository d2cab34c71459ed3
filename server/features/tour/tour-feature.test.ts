/** The tour over the composed services. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { tourConnectionId } from "@/lib/models/tour";
import { ownerPath } from "@/server/security/paths/safe-path";
import { testCommandId, testTab } from "@/server/session/testing/test-harness";
import { makeTestServices } from "@/server/session/testing/test-services";
import { tourFeature } from "./tour-feature";

async function makeTourRig() {
  const rig = makeTestServices({ model: null });
  const services = rig.services();
  const { pushes, store } = rig;
  const feature = tourFeature({ ...services, now: Date.now, push: (push) => void pushes.push(push), store });
  const own = await services.projects.open(rig.root);
  if (!own.ok) throw new Error(own.error.code);
  const projectId = own.value.project.id;
  const end = feature.commands["tour.end"];
  onTestFinished(async () => void (await end()));
  const start = async () => {
    const answer = await feature.commands["tour.start"]({ projectId });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.project;
  };
  const tours = () => store.projects.list().filter(({ id }) => id !== projectId);
  return { ...services, projectId, start, end, tours };
}

test("two tabs leave the tour at once: one project is deleted, and no trace is left", async () => {
  const { start, end, tours, projectId, access, sessions } = await makeTourRig();
  const project = await start();
  expect(await start()).toMatchObject({ id: project.id });
  expect(access.connections.list()).toMatchObject([{ id: tourConnectionId, projectId: project.id }]);
  const created = await sessions.create({ projectId: project.id, commandId: testCommandId() }, { id: testTab });
  expect(created.ok).toBe(true);
  expect(await Promise.all([end(), end()])).toEqual([
    { ok: true, value: { returnTo: projectId } },
    { ok: true, value: { returnTo: projectId } },
  ]);
  expect([tours(), access.connections.list(), existsSync(project.path)]).toEqual([[], [], false]);
});

test("the end of the tour deletes the trash of its project, and no other", async () => {
  const { start, end, projectId, projects, toolEnvironments } = await makeTourRig();
  const { trash } = toolEnvironments;
  const listed = async () => (await trash.list({})).entries.map((entry) => entry.projectId);
  const tour = await start();
  for (const id of [tour.id, projectId]) {
    const project = await projects.get(id);
    if (!project.ok) throw new Error(project.error.code);
    writeFileSync(join(project.value.root, "old.txt"), "old");
    const path = ownerPath("old.txt", "write", project.value.policy());
    if (!path.ok) throw new Error(path.error.code);
    expect((await trash.put(project.value, null, path.value)).ok).toBe(true);
  }
  expect(await listed()).toHaveLength(2);
  await end();
  expect(await listed()).toEqual([projectId]);
});

test("a tour that could not be started starts later", async () => {
  const { start, tours } = await makeTourRig();
  vi.stubEnv("TMPDIR", "/nowhere");
  await expect(start()).rejects.toThrow("ENOENT");
  vi.unstubAllEnvs();
  const { id } = await start();
  expect(tours()).toMatchObject([{ id }]);
});

test("a tour that starts while another one ends is not deleted", async () => {
  const { start, end, tours, access } = await makeTourRig();
  const first = await start();
  const [, second] = await Promise.all([end(), start()]);
  expect(second.id).not.toBe(first.id);
  expect(tours()).toMatchObject([{ id: second.id }]);
  expect([access.connections.list().length, existsSync(second.path)]).toEqual([1, true]);
});
