import Database from "better-sqlite3";
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type BlobId, type ProjectId, type RuleId, type SessionId, type TrashId } from "@/lib/events/id";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { messageRow, openTestStore, newSessionRow, storeWithSession } from "./__fixtures__/home";
import { blobInlineBytes } from "./files/blobs";

const sessionId = (id: string) => asId<SessionId>(id);

describe("sessions", () => {
  const listed = () => {
    const { store, project } = storeWithSession();
    const other = store.projects.open({ path: "/other", name: "other" }, 6);
    const add = (id: string, updatedAt: number, title: string, projectId = project.id) =>
      store.events.create({ session: newSessionRow(id, projectId, { updatedAt, title }), rows: [] });
    add("a", 30, "Fix the ÄRGER in Parser");
    add("b", 30, "100% of _all_ files");
    add("c", 20, "修复中文标题");
    add("d", 40, "Ｆｕｌｌ width", other.id);
    const ids = (query: Partial<Parameters<typeof store.sessions.list>[0]>) =>
      store.sessions.list({ limit: 10, ...query }).rows.map(({ id }) => id);
    return { store, project, other, ids };
  };

  test("are listed newest first, in pages without gaps or duplicates", () => {
    const { store } = listed();
    const seen: string[] = [];
    for (let before: { updatedAt: number; id: SessionId } | undefined, more = true; more; ) {
      const page = store.sessions.list({ limit: 2, before });
      seen.push(...page.rows.map(({ id }) => id));
      before = page.rows.at(-1);
      more = page.more;
    }
    expect(seen).toEqual(["d", "b", "a", "c", "s1"]);
    expect(store.sessions.list({ limit: 5 }).more).toBe(false);
    expect(store.sessions.list({ limit: 4 }).more).toBe(true);
  });

  test.each([
    ["ärger", ["a"]],
    ["PARSER", ["a"]],
    ["%", ["b"]],
    ["_ALL_", ["b"]],
    ["中文", ["c"]],
    ["文", ["c"]],
    ["full", ["d"]],
    ["'; --", []],
    ["\\", []],
    ["", ["d", "b", "a", "c", "s1"]],
  ])("the title filter %j finds %j", (title, expected) => {
    expect(listed().ids({ title })).toEqual(expected);
  });

  test("are filtered by project", () => {
    const { ids, project, other } = listed();
    expect(ids({ projectId: other.id })).toEqual(["d"]);
    expect(ids({ projectId: project.id, title: "fix" })).toEqual(["a"]);
  });

  test("are deleted, restored, and purged with their logs", () => {
    const { store, ids } = listed();
    store.events.commit({ sessionId: sessionId("a"), rows: [messageRow(1)] });
    expect(store.sessions.remove(sessionId("a"), 500)).toBe(true);
    expect(store.sessions.remove(sessionId("a"), 600)).toBe(false);
    expect(ids({})).not.toContain("a");
    expect(ids({ deleted: true })).toEqual(["a"]);
    expect(store.sessions.get(sessionId("a"))?.deletedAt).toBe(500);
    expect(store.sessions.restore(sessionId("a"))).toBe(true);
    expect(store.sessions.restore(sessionId("a"))).toBe(false);
    expect(store.sessions.get(sessionId("a"))).not.toHaveProperty("deletedAt");
    store.sessions.remove(sessionId("a"), 500);
    expect(store.sessions.listDeleted()).toEqual(["a"]);
    expect(store.sessions.purge(sessionId("b"))).toBe(false);
    expect(store.sessions.purge(sessionId("a"))).toBe(true);
    expect(store.sessions.purge(sessionId("a"))).toBe(false);
    expect(store.sessions.get(sessionId("a"))).toBeUndefined();
    expect(store.events.read(sessionId("a"))).toEqual([]);
    expect(ids({})).toEqual(["d", "b", "c", "s1"]);
  });

  test("left open by a crash are found by their status", () => {
    const { store } = listed();
    store.events.commit({ sessionId: sessionId("a"), rows: [], row: { status: "running" } });
    store.events.commit({ sessionId: sessionId("c"), rows: [], row: { status: "waiting" } });
    store.events.commit({ sessionId: sessionId("b"), rows: [], row: { status: "error" } });
    expect(store.sessions.listOpen()).toEqual(["a", "c"]);
  });
});

describe("projects", () => {
  test("a folder is one project, however often it is opened, and keeps a name set by the user", () => {
    const store = openTestStore();
    const first = store.projects.open({ path: "/p", name: "p" }, 1);
    expect(store.projects.rename(first.id, "Mine")).toBe(true);
    expect(store.projects.open({ path: "/p", name: "p" }, 2)).toEqual({ ...first, name: "Mine", openedAt: 2 });
    store.projects.open({ path: "/q", name: "q" }, 3);
    expect(store.projects.list().map(({ path }) => path)).toEqual(["/q", "/p"]);
  });

  test("a removed project is not listed but found, and opening lists it again with the same id", () => {
    const store = openTestStore();
    const project = store.projects.open({ path: "/p", name: "p" }, 1);
    expect(store.projects.remove(project.id, 5)).toBe(true);
    expect(store.projects.remove(project.id, 6)).toBe(false);
    expect(store.projects.list()).toEqual([]);
    expect(store.projects.get(project.id)).toEqual({ ...project, removedAt: 5 });
    expect(store.projects.open({ path: "/p", name: "p" }, 9).id).toBe(project.id);
    expect(store.projects.list()).toEqual([{ ...project, openedAt: 9 }]);
  });

  test("a project is pinned and unpinned", () => {
    const store = openTestStore();
    const project = store.projects.open({ path: "/p", name: "p" }, 1);
    expect(store.projects.setPin(project.id, 5)).toBe(true);
    expect(store.projects.list()).toEqual([{ ...project, pinnedAt: 5 }]);
    expect(store.projects.setPin(project.id, null)).toBe(true);
    expect(store.projects.list()).toEqual([project]);
    expect(store.projects.setPin(asId<ProjectId>("none"), 5)).toBe(false);
  });
});

describe("trust", () => {
  test("applies to one folder, survives removal from the list and can be revoked", () => {
    const store = openTestStore();
    const { id } = store.projects.open({ path: "/p", name: "p" }, 1);
    const other = store.projects.open({ path: "/q", name: "q" }, 1);
    expect(store.projects.isTrusted(id)).toBe(false);
    expect(store.projects.setTrust(id, 7)).toBe(true);
    expect(store.projects.isTrusted(id)).toBe(true);
    expect(store.projects.get(id)?.trustedAt).toBe(7);
    expect(store.projects.isTrusted(other.id)).toBe(false);
    store.projects.remove(id, 8);
    expect(store.projects.open({ path: "/p", name: "p" }, 9).trustedAt).toBe(7);
    expect(store.projects.setTrust(id, null)).toBe(true);
    expect(store.projects.isTrusted(id)).toBe(false);
    expect(store.projects.setTrust(asId<ProjectId>("none"), 1)).toBe(false);
    expect(store.projects.isTrusted(asId<ProjectId>("none"))).toBe(false);
  });
});

describe("rules", () => {
  const rule = (id: string, projectId: ProjectId, words: string[], rest = true) =>
    ({ id: asId<RuleId>(id), projectId, effect: "allow", tool: "bash", words, rest, createdAt: 1 }) as const;

  test("belong to their project, and a pattern is stored once", () => {
    const store = openTestStore();
    const one = store.projects.open({ path: "/1", name: "one" }, 1);
    const two = store.projects.open({ path: "/2", name: "two" }, 1);
    const test_ = rule("r1", one.id, ["npm", "test", "a b", "*"]);
    expect(store.rules.add(test_)).toEqual(test_);
    expect(store.rules.add(rule("r2", one.id, ["npm", "test", "a b", "*"]))).toEqual(test_);
    store.rules.add(rule("r3", one.id, ["npm", "test", "a b", "*"], false));
    store.rules.add(rule("r4", two.id, ["make"]));
    expect(store.rules.list(one.id)).toEqual([test_, rule("r3", one.id, ["npm", "test", "a b", "*"], false)]);
    expect(store.rules.all()).toHaveLength(3);
    expect(store.rules.all().at(-1)).toEqual(rule("r4", two.id, ["make"]));
    expect(store.rules.remove(asId<RuleId>("r1"))).toBe(true);
    expect(store.rules.remove(asId<RuleId>("r1"))).toBe(false);
    expect(store.rules.list(one.id).map(({ id }) => id)).toEqual(["r3"]);
  });

  test("from the settings overwrite existing ones, and a pattern is never duplicated", () => {
    const store = openTestStore();
    const { id: projectId } = store.projects.open({ path: "/1", name: "one" }, 1);
    const other = store.projects.open({ path: "/2", name: "two" }, 1);
    const docs = { id: asId<RuleId>("f1"), projectId, effect: "deny", tool: "files", createdAt: 2 } as const;
    const first = { ...docs, access: "write", glob: "docs/**" } as const;
    expect(store.rules.save(first)).toEqual(first);
    expect(store.rules.get(first.id)).toEqual(first);
    expect(store.rules.all()).toEqual([first]);
    // the same pattern with another id changes the effect of the existing rule
    expect(store.rules.save({ ...first, id: asId<RuleId>("f2"), effect: "ask", createdAt: 9 })).toEqual({
      ...first,
      effect: "ask",
    });
    const command = rule("r1", projectId, ["make"]);
    store.rules.add(command);
    // a rule that gets the pattern of another replaces it
    expect(store.rules.save({ ...first, id: command.id, createdAt: 9 })).toEqual({ ...first, id: "r1", createdAt: 1 });
    expect(store.rules.list(projectId).map(({ id }) => id)).toEqual(["r1"]);
    expect(store.rules.save({ ...first, id: command.id, projectId: other.id })).toBeUndefined();
    expect(store.rules.list(other.id)).toEqual([]);
  });

  test("a rule of an unknown project is refused", () => {
    const store = openTestStore();
    expect(() => store.rules.add(rule("r", asId<ProjectId>("none"), ["ls"]))).toThrow();
  });
});

describe("settings", () => {
  test("are the defaults until written, and a patch keeps the other values", () => {
    const store = openTestStore();
    expect(store.settings.read()).toEqual(settingsDefaults);
    store.settings.write({ model: "m", think: false });
    expect(store.settings.write({ model: "n", theme: undefined })).toEqual({
      ...settingsDefaults,
      model: "n",
      think: false,
    });
    expect(store.settings.read()).toEqual({ ...settingsDefaults, model: "n", think: false });
  });

  test("an invalid stored value falls back without affecting the others", () => {
    const store = openTestStore();
    store.settings.write({ model: "kept" });
    const direct = new Database(store.path);
    const put = direct.prepare("INSERT INTO settings (key, value) VALUES (?, ?)");
    put.run("maxSteps", "100000");
    put.run("theme", "not json");
    put.run("ghost", "1");
    put.run("__proto__", '{"mode":"full"}');
    direct.close();
    expect(store.settings.read()).toEqual({ ...settingsDefaults, model: "kept" });
  });

  test.each<[string, Partial<Settings>]>([
    ["a value out of range", { maxSteps: 0 }],
    ["one invalid value among valid ones", { model: "x", keepAliveMinutes: -2 }],
  ])("%s is refused and nothing is written", (_, patch) => {
    const store = openTestStore();
    expect(() => store.settings.write(patch)).toThrow(expect.objectContaining({ code: "bad_input" }));
    expect(store.settings.read()).toEqual(settingsDefaults);
  });
});

describe("sign-ins", () => {
  test("are found by hash until they expire or are removed", () => {
    let now = 100;
    const store = openTestStore({ now: () => now });
    const first = store.signIns.create({ tokenHash: "h1", label: "Chromium, Linux", now, expiresAt: 200 });
    const second = store.signIns.create({ tokenHash: "h2", label: "Firefox", now, expiresAt: 900 });
    expect(store.signIns.find("h1")).toEqual(first);
    expect(store.signIns.find("h")).toBeUndefined();
    now = 200;
    expect(store.signIns.find("h1")).toBeUndefined();
    store.signIns.touch(second.id, 150);
    expect(store.signIns.list()).toEqual([{ ...second, lastUsedAt: 150 }, first]);
    expect(store.signIns.remove(second.id)).toBe(true);
    expect(store.signIns.remove(second.id)).toBe(false);
    expect(store.signIns.find("h2")).toBeUndefined();
  });

  test("a hash is unique", () => {
    const store = openTestStore();
    const input = { tokenHash: "h", label: "", now: 1, expiresAt: 2 };
    store.signIns.create(input);
    expect(() => store.signIns.create(input)).toThrow(expect.objectContaining({ name: "StoreError" }));
  });
});

describe("trash", () => {
  const item = (id: string, at: number, projectId = asId<ProjectId>("p")) => ({
    id: asId<TrashId>(id),
    sessionId: sessionId("s"),
    projectId,
    path: `a/${id}`,
    keptIn: `/home/trash/${id}`,
    folder: true,
    files: 3,
    bytes: 4_000_000_000,
    at,
  });

  test("lists restorable items, newest first", () => {
    const { trash } = openTestStore();
    for (const entry of [item("t1", 1), item("t2", 2), item("t3", 3, asId<ProjectId>("q"))]) trash.add(entry);
    expect(trash.get(asId<TrashId>("t1"))).toEqual(item("t1", 1));
    expect(trash.list({ limit: 2 }).map(({ id }) => id)).toEqual(["t3", "t2"]);
    expect(trash.list({ limit: 9, before: 2 }).map(({ id }) => id)).toEqual(["t1"]);
    expect(trash.list({ limit: 9, projectId: asId<ProjectId>("q") }).map(({ id }) => id)).toEqual(["t3"]);
    expect(trash.markRestored(asId<TrashId>("t2"), 50)).toBe(true);
    expect(trash.markRestored(asId<TrashId>("t2"), 51)).toBe(false);
    expect(trash.get(asId<TrashId>("t2"))?.restoredAt).toBe(50);
    expect(trash.remove(asId<TrashId>("t3"))).toBe(true);
    expect(trash.list({ limit: 9 }).map(({ id }) => id)).toEqual(["t1"]);
  });

  test("an id that is taken throws a StoreError", () => {
    const { trash } = openTestStore();
    trash.add(item("t1", 1));
    expect(() => trash.add(item("t1", 2))).toThrow(expect.objectContaining({ name: "StoreError" }));
  });
});

describe("blobs", () => {
  const big = new Uint8Array(blobInlineBytes + 1).fill(7);
  const fileOf = (path: string, id: BlobId) => join(dirname(path), "blobs", id.slice(0, 2), id);

  test.each([
    ["no bytes", new Uint8Array()],
    ["one zero byte", new Uint8Array(1)],
    ["every byte", Uint8Array.from({ length: 256 }, (_, index) => index)],
    ["the largest stored in the database", new Uint8Array(blobInlineBytes).fill(1)],
    ["the smallest stored as a file", big],
  ])("%s are read unchanged under the same id each time", (_, bytes) => {
    const { blobs } = openTestStore();
    const id = blobs.put(bytes);
    expect(blobs.put(bytes)).toBe(id);
    expect(blobs.has(id)).toBe(true);
    expect(Buffer.from(blobs.get(id) ?? "gone").equals(bytes)).toBe(true);
  });

  test("the id is the sha256 of the content", () => {
    const id = openTestStore().blobs.put(new TextEncoder().encode("abc"));
    expect(id).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("an id from outside is never used as a path", () => {
    const store = openTestStore();
    writeFileSync(join(dirname(store.path), "secret"), "x");
    const id = asId<BlobId>("../secret");
    expect(store.blobs.has(id)).toBe(false);
    expect(store.blobs.get(id)).toBeUndefined();
  });

  test("a large blob is a private file in private folders", () => {
    const store = openTestStore();
    mkdirSync(join(dirname(store.path), "blobs"));
    chmodSync(join(dirname(store.path), "blobs"), 0o755);
    const path = fileOf(store.path, store.blobs.put(big));
    const rights = [path, dirname(path), dirname(dirname(path))].map((name) =>
      (statSync(name).mode & 0o777).toString(8),
    );
    expect(rights).toEqual(["600", "700", "700"]);
  });

  test("a damaged or truncated file is not returned, and a new put repairs a truncated one", () => {
    const store = openTestStore();
    const id = store.blobs.put(big);
    const path = fileOf(store.path, id);
    const damaged = readFileSync(path);
    damaged[100] = 8;
    writeFileSync(path, damaged);
    expect(store.blobs.get(id)).toBeUndefined();
    truncateSync(path, 10);
    expect(store.blobs.has(id)).toBe(false);
    store.blobs.put(big);
    expect(store.blobs.get(id)).toHaveLength(big.length);
  });
});
