// The tour of --demo leaves nothing behind: neither in the user's home, nor in the temporary folder.
import Database from "better-sqlite3";
import * as z from "zod/mini";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { asId, type CommandId, type ProjectId } from "@/lib/events/id";
import { callCommand } from "../../fixtures/call-command";
import { expect, test } from "../../fixtures/product-test";
import { ProductCommand, type ProductEnvironment, startProductServer, type TestServer } from "../../fixtures/server";

/** The environment with a temporary folder of its own, and its path. */
function withTemporaryFolder(place: ProductEnvironment) {
  const temporary = join(place.root, "tmp");
  mkdirSync(temporary);
  const environment = { ...place.environment, TMPDIR: temporary };
  return { temporary, tourPlace: { ...place, environment } };
}

test("a tour that is stopped leaves nothing behind", async ({ place }) => {
  const { temporary, tourPlace } = withTemporaryFolder(place);
  const tour = await startProductServer(tourPlace, ["--demo"]);
  const { projects } = await callCommand(tour, "project.list", {});
  expect(projects.map(({ path }) => path)).toEqual([join(dirname(tour.home), "cart")]);
  expect(tour.stderr).toContain(join(dirname(tour.home), "cart"));
  const [{ id: projectId } = { id: asId<ProjectId>("none") }] = projects;
  const size = { columns: 80, rows: 24 };
  const { terminal } = await callCommand(tour, "terminal.open", { projectId, ...size });
  await callCommand(tour, "terminal.write", { terminalId: terminal.id, text: "echo typed > typed.txt\n" });
  await expect.poll(() => existsSync(join(dirname(tour.home), "cart/typed.txt"))).toBe(true);
  // An interactive shell that ends writes its history.
  await callCommand(tour, "terminal.write", { terminalId: terminal.id, text: "exit\n" });
  await expect.poll(() => existsSync(join(tour.home, "shell-history"))).toBe(true);
  expect((await tour.kill("SIGTERM")).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(existsSync(place.home)).toBe(false);
  expect(readdirSync(place.root).sort()).toEqual(["project", "tmp"]);
});

test("what a killed tour leaves is deleted by the next one, and a running tour stays", async ({ place }) => {
  const { temporary, tourPlace } = withTemporaryFolder(place);
  const killed = await startProductServer(tourPlace, ["--demo"]);
  const running = await startProductServer(tourPlace, ["--demo"]);
  await killed.kill("SIGKILL");
  mkdirSync(join(temporary, "gopi-tour-kept"));
  expect(existsSync(killed.home)).toBe(true);
  const next = await startProductServer(tourPlace, ["--demo"]);
  expect(existsSync(killed.home)).toBe(false);
  expect(existsSync(running.home)).toBe(true);
  await running.kill("SIGTERM");
  await next.kill("SIGINT");
  expect(readdirSync(temporary)).toEqual(["gopi-tour-kept"]);
});

test("without a temporary folder it says what to do, exit 1", async ({ place }) => {
  const environment = { TMPDIR: join(place.root, "missing") };
  const { code, stderr } = await new ProductCommand(place, ["--demo", "--no-open"], { environment }).done();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gopi-web: Couldn't create the tour's project: Error: ENOENT.*Set TMPDIR.*\n$/);
});

/** Numbers of rows by table. Blobs are left out: they are stored by content, the same of every tour, and none is ever deleted. */
function countRows(home: string): Readonly<Record<string, number>> {
  const database = new Database(join(home, "gopi.db"), { readonly: true });
  const counted = z.array(z.object({ name: z.string(), count: z.number() })).parse(
    z
      .array(z.string())
      .parse(
        database
          .prepare(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'blobs' AND name NOT LIKE 'sqlite_%'",
          )
          .pluck()
          .all(),
      )
      .map((name) => ({ name, count: database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() })),
  );
  database.close();
  return Object.fromEntries(counted.map(({ name, count }) => [name, count]));
}

/** Runs the tour up to its first card, with a rule. Returns the sample project. */
async function runTour(server: TestServer) {
  const [{ id: projectId } = { id: asId<ProjectId>("none") }] = (await callCommand(server, "project.list", {}))
    .projects;
  const { project } = await callCommand(server, "tour.start", { projectId });
  const commandId = asId<CommandId>("tour-1");
  const { row } = await callCommand(server, "session.create", {
    ...{ projectId: project.id, commandId, model: "scripted", connection: "tour" },
  });
  await callCommand(server, "session.send", {
    ...{ sessionId: row.id, commandId: asId<CommandId>("tour-2"), intent: "prompt" },
    text: "Run the tests and fix what fails",
  });
  await expect
    .poll(async () =>
      (await callCommand(server, "session.list", { projectId: project.id })).rows.map(({ status }) => status),
    )
    .toEqual(["waiting"]);
  return { projectId, project };
}

test("the tour of a running server is left without a trace", async ({ server }) => {
  expect((await callCommand(server, "connections.list", {})).connections).toEqual([]);
  const [before, settings] = [countRows(server.home), await callCommand(server, "settings.read", {})];
  const { projectId, project } = await runTour(server);
  expect(await callCommand(server, "tour.start", { projectId })).toMatchObject({ project: { id: project.id } });
  expect(await callCommand(server, "tour.end", {})).toEqual({ returnTo: projectId });
  expect(existsSync(dirname(project.path))).toBe(false);
  expect((await callCommand(server, "connections.list", {})).connections).toEqual([]);
  expect((await callCommand(server, "session.list", {})).rows).toEqual([]);
  expect((await callCommand(server, "project.list", {})).projects.map(({ id }) => id)).toEqual([projectId]);
  expect(await callCommand(server, "settings.read", {})).toEqual(settings);
  expect(countRows(server.home)).toEqual(before);
});

test("what a server that was killed during its tour leaves is deleted at the next start", async ({ server }) => {
  const before = countRows(server.home);
  const { projectId, project } = await runTour(server);
  await server.kill("SIGKILL");
  await server.restart();
  await expect
    .poll(async () => (await callCommand(server, "project.list", {})).projects.map(({ id }) => id))
    .toEqual([projectId]);
  expect(existsSync(dirname(project.path))).toBe(false);
  expect(countRows(server.home)).toEqual(before);
});
