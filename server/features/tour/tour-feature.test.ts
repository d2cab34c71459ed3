/** The tour over the composed services. */
import { existsSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { tourConnectionId } from "@/lib/models/tour";
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
