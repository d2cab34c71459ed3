import Database from "better-sqlite3";
import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type CallId, type SessionId } from "@/lib/events/id";
import { openTestStore, storeWithSession, temporaryHome } from "../__fixtures__/home";
import { openDatabase } from "../core/open-database";

const command = (session: string, call: string) => ({
  sessionId: asId<SessionId>(session),
  callId: asId<CallId>(call),
});
const image = { size: 1, mode: 0o644, modifiedNs: "1", changedNs: "1", inode: "1" };

describe("open commands", () => {
  test("are listed until they are cleared, also when one is recorded twice", () => {
    const { store, project } = storeWithSession();
    const first = { projectId: project.id, ...command("s1", "c1") };
    const second = { projectId: project.id, ...command("s1", "c2") };
    for (const row of [first, second, first]) store.fileSnapshots.markCommandOpen(row);
    expect(store.fileSnapshots.listOpenCommands()).toEqual([first, second]);
    store.fileSnapshots.clearOpenCommand(first);
    expect(store.fileSnapshots.listOpenCommands()).toEqual([second]);
    expect([...store.fileSnapshots.pages(project.id)]).toEqual([]);
  });

  test("of a home of version 5 are carried over from the table of files", () => {
    const home = temporaryHome();
    const migrations = join(temporaryHome(), "migrations");
    cpSync("server/store/migrations", migrations, {
      recursive: true,
      filter: (path) => !path.endsWith(".sql") || basename(path) < "0005",
    });
    openDatabase({ home, now: () => 1, migrations }).database.close();
    const old = new Database(join(home, "gopi.db"));
    old.exec("INSERT INTO projects (id, path, name, created_at, opened_at) VALUES ('p1', '/folder', 'folder', 1, 1)");
    const put = old.prepare("INSERT INTO file_images VALUES ('p1', ?, NULL, 1, 420, '1', '1', '1')");
    for (const path of ["/s1/c1", "/s1/c2", "src/a.ts"]) put.run(path);
    old.close();
    const store = openTestStore({ home });
    const [open] = store.fileSnapshots.listOpenCommands();
    expect(store.fileSnapshots.listOpenCommands()).toMatchObject([command("s1", "c1"), command("s1", "c2")]);
    if (open === undefined) throw new Error("no command was carried over");
    expect([...store.fileSnapshots.pages(open.projectId)]).toEqual([[{ ...image, path: "src/a.ts", blob: null }]]);
  });
});
