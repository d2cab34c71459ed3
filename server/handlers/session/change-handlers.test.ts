import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { ownerPath } from "@/server/security/paths/safe-path";
import { makeTestServices } from "@/server/session/testing/test-services";
import { changeHandlers } from "./change-handlers";

const sessionId = asId<SessionId>("s1");

async function makeRig() {
  let time = 0;
  const { store, home, root, pushes, services } = makeTestServices({ now: () => time });
  const core = services();
  const { projects } = core;
  const { trash } = core.toolEnvironments;
  const found = await projects.open(root);
  if (!found.ok) throw new Error(found.error.code);
  const project = found.value;
  const table = changeHandlers(core);
  /** Projects whose clients were notified of a changed trash. */
  const notified = () => pushes.flatMap((push) => (push.type === "trash" ? [push.projectId] : []));
  const remove = async (path: string) => {
    const place = ownerPath(path, "write", project.policy());
    if (!place.ok) throw new Error(place.error.code);
    time += 1;
    const put = await trash.put(project, sessionId, place.value);
    if (!put.ok) throw new Error(put.error.code);
    return put.value.trash;
  };
  const projectId = project.project.id;
  return { home, root, store, notified, table, remove, projectId, trust: () => store.projects.setTrust(projectId, 1) };
}

test("the trash lists restorable files, newest first, and notifies all clients of changes", async () => {
  const { root, table, notified, remove, projectId } = await makeRig();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.txt"), "aa");
  writeFileSync(join(root, "src/b.txt"), "b");
  writeFileSync(join(root, "c.txt"), "c");
  const folder = await remove("src");
  const file = await remove("c.txt");
  const listed = await table["trash.list"]({ projectId });
  expect(listed).toEqual({
    ok: true,
    value: {
      more: false,
      entries: [
        { id: file, sessionId, projectId, path: "c.txt", folder: false, files: 1, bytes: 1, at: 2 },
        { id: folder, sessionId, projectId, path: "src", folder: true, files: 2, bytes: 3, at: 1 },
      ],
    },
  });
  expect(await table["trash.list"]({ before: 2 })).toMatchObject({ value: { entries: [{ id: folder }] } });
  expect(notified()).toEqual([projectId, projectId]);
});

test("an entry of the trash is restored once, and never overwrites a file", async () => {
  const { home, root, table, notified, remove } = await makeRig();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.txt"), "a");
  const trashId = await remove("src");
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/mine.txt"), "mine");
  expect(await table["trash.restore"]({ trashId })).toMatchObject({ ok: false, error: { code: "exists" } });
  expect(readFileSync(join(root, "src/mine.txt"), "utf8")).toBe("mine");
  rmSync(join(root, "src"), { recursive: true });
  expect(await table["trash.restore"]({ trashId })).toEqual({ ok: true, value: { path: "src" } });
  expect(readFileSync(join(root, "src/a.txt"), "utf8")).toBe("a");
  expect(await table["trash.restore"]({ trashId })).toMatchObject({ ok: false, error: { code: "gone" } });
  expect(existsSync(join(home, "trash", trashId))).toBe(false);
  expect(notified()).toHaveLength(2);
});

test("an entry removed from the trash is deleted permanently, and the rest of the home is untouched", async () => {
  const { home, root, store, table, remove } = await makeRig();
  writeFileSync(join(root, "a.txt"), "a");
  const trashId = await remove("a.txt");
  expect(await table["trash.remove"]({ trashId })).toEqual({ ok: true, value: null });
  expect(existsSync(join(home, "trash", trashId))).toBe(false);
  expect(await table["trash.restore"]({ trashId })).toMatchObject({ ok: false, error: { code: "not_found" } });
  expect(await table["trash.remove"]({ trashId })).toMatchObject({ ok: false, error: { code: "not_found" } });

  const other = await remove(".").catch((error: unknown) => error);
  expect(other).toMatchObject({ message: "not_allowed" });
  mkdirSync(join(home, "other"));
  store.trash.add({
    id: trashId,
    sessionId,
    projectId: store.projects.list()[0]?.id ?? asId<ProjectId>(""),
    path: "x",
    keptIn: join(home, "other"),
    folder: true,
    files: 0,
    bytes: 0,
    at: 1,
  });
  await table["trash.remove"]({ trashId });
  expect(existsSync(join(home, "other"))).toBe(true);
});

test("unknown sessions have no files", async () => {
  const { table } = await makeRig();
  expect(await table["session.changes"]({ sessionId, from: 0 })).toMatchObject({
    error: { code: "not_found" },
  });
  expect(await table["session.restore_preview"]({ sessionId, toSeq: 0 })).toMatchObject({
    error: { code: "not_found" },
  });
});

test("git marks are read once for all clients that ask meanwhile", async () => {
  const { root, table, projectId, trust } = await makeRig();
  execFileSync("git", ["init", "-q", root]);
  writeFileSync(join(root, "a.txt"), "a");
  expect(await table["project.marks"]({ projectId })).toEqual({ ok: true, value: { marks: null } });
  trust();
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => table["project.marks"]({ projectId })));
  expect(first).toEqual({ ok: true, value: { marks: [{ path: "a.txt", mark: "untracked" }] } });
  if (second?.ok !== true || third?.ok !== true) throw new Error("no marks");
  // The second and the third caller share the run after the first one.
  expect(second.value.marks).toBe(third.value.marks);
});
