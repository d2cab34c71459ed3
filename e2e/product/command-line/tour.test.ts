// The tour of --demo leaves nothing behind: neither in the user's home, nor in the temporary folder.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { asId, type ProjectId } from "@/lib/events/id";
import { callCommand } from "../../fixtures/call-command";
import { expect, test } from "../../fixtures/product-test";
import { ProductCommand, type ProductEnvironment, startProductServer } from "../../fixtures/server";

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

test("the tour is not among the connections without --demo", async ({ server }) => {
  expect((await callCommand(server, "connections.list", {})).connections).toEqual([]);
});
