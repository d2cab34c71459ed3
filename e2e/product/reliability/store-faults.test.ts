/** Deliberate faults of disk and database, each with the behaviour that must hold. docs/reliability.md is the table. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Push } from "@/lib/protocol/push";
import { isFullRun } from "../../fixtures/full-run";
import { expect, test } from "../../fixtures/product-test";
import { makeProductEnvironment, ProductCommand, startProductServer } from "../../fixtures/server";
import { Auditor } from "../../soak/audit";
import { provideFullDisk } from "../../soak/full-disk";
import { Ledger, versionContent } from "../../soak/ledger";
import { sendSoakMessage, waitUntilIdle } from "../../soak/phases";
import { pollUntil, waitMs } from "../../soak/random";
import type { SessionFollower } from "../../soak/session-follower";
import { freshSoakCommandId, SoakProduct } from "../../soak/soak-product";

/** Collects the store states that the server reports from now on. */
function collectStoreStates(follower: SessionFollower): Extract<Push, { type: "store" }>["error"][] {
  const news: Extract<Push, { type: "store" }>["error"][] = [];
  follower.socket.on("push", (push) => {
    if (push.type === "store") news.push(push.error);
  });
  return news;
}

test("a full disk: new messages are refused with the reason, reading works, and work continues when there is space", async ({
  skip,
}) => {
  const place = makeProductEnvironment();
  const disk = provideFullDisk(join(place.root, "disk"), 12);
  skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
  if (disk === null) return;
  const subject = await SoakProduct.start((own) => ({ ...own, home: join(place.root, "disk", "home") }));
  try {
    const scene = { subject, ledger: new Ledger() };
    const sessionId = await subject.newSession("ask");
    await sendSoakMessage(scene, sessionId, "before");
    await waitUntilIdle(subject, sessionId);
    const follower = subject.follow(sessionId);
    const news = collectStoreStates(follower);
    await follower.until(() => true);
    const { pid } = subject.server;
    disk.fill(pid);
    const text = "x".repeat(100_000);
    const refused = await pollUntil("the first refusal", async () => {
      const sent = await subject.call("session.send", {
        sessionId,
        commandId: freshSoakCommandId(),
        text,
        intent: "prompt",
      });
      return sent.kind === "refused" ? sent.error : undefined;
    });
    expect(refused.code).toBe(disk.kind === "mount" ? "disk_full" : "store_failed");
    await expect.poll(() => news.at(-1)?.code).toBe(refused.code);
    expect((await subject.call("files.list", { projectId: subject.projectId, path: "" })).kind).toBe("ok");
    expect((await subject.freshView(sessionId)).seq).toBeGreaterThan(0);
    disk.free(pid);
    const late = await sendSoakMessage(scene, sessionId, "there is room again");
    expect(late.seq).not.toBeNull();
    await waitUntilIdle(subject, sessionId);
    await expect.poll(() => news.at(-1)).toBeNull();
    expect(subject.server.pid).toBe(pid);
    const audit = { home: subject.place.home, ledger: scene.ledger, whole: true };
    expect(new Auditor().audit(audit)).toEqual([]);
    follower.close();
  } finally {
    await subject.end();
    disk.end();
    await place.remove();
  }
});

test("a full disk under the project: the write fails, the file is unchanged, and no temp file stays", async ({
  skip,
}) => {
  const place = makeProductEnvironment();
  const disk = provideFullDisk(join(place.root, "disk"), 4);
  skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
  if (disk === null) return;
  const project = join(place.root, "disk", "project");
  mkdirSync(project);
  writeFileSync(join(project, "kept.txt"), versionContent("old", 10));
  const subject = await SoakProduct.start((own) => ({ ...own, project }));
  try {
    const sessionId = await subject.newSession("full");
    if (disk.kind === "mount") disk.fill(subject.server.pid);
    const content = versionContent("new", 60_000);
    subject.model.setScript({
      turns: [
        { toolCalls: [{ name: "write", arguments: { path: "kept.txt", content } }] },
        { text: "It did not fit." },
      ],
    });
    await sendSoakMessage({ subject, ledger: new Ledger() }, sessionId, "write it");
    await waitUntilIdle(subject, sessionId);
    const calls = (await subject.callOrThrow("session.open", { sessionId })).snapshot.entries.flatMap((entry) =>
      entry.kind === "message" ? entry.calls : [],
    );
    if (disk.kind === "mount") {
      expect(calls).toMatchObject([{ state: "error", facts: { code: "disk_full" } }]);
      expect(readFileSync(join(project, "kept.txt"), "utf8")).toBe(versionContent("old", 10));
    }
    expect(readdirSync(project).filter((name) => name.startsWith(".gopi-"))).toEqual([]);
  } finally {
    await subject.end();
    disk.end();
    await place.remove();
  }
});

test("another program locks the database: no text is lost, the lock is reported, and work continues", async ({
  subject,
}) => {
  const scene = { subject, ledger: new Ledger() };
  const sessionId = await subject.newSession("ask");
  const follower = subject.follow(sessionId);
  const news = collectStoreStates(follower);
  const words = Array.from({ length: 30 }, (_, index) => `word${index} `);
  subject.model.setScript({ turns: [{ pieces: words, holdAfter: 15 }] });
  await sendSoakMessage(scene, sessionId, "talk on");
  await follower.until((view) => JSON.stringify(view).includes("word10"));
  const other = new Database(join(subject.place.home, "gopi.db"));
  other.exec("BEGIN IMMEDIATE");
  subject.model.release();
  // The lock outlasts the time for which a write waits; in the full run it outlasts the next attempt, too.
  await Promise.all([waitMs(lockedMs), expect.poll(() => news.at(-1)?.code).toBe("store_locked")]);
  other.exec("COMMIT");
  other.close();
  await waitUntilIdle(subject, sessionId);
  await expect
    .poll(() => news.map((error) => error?.code ?? null))
    .toEqual(expect.arrayContaining(["store_locked", null]));
  const stored = JSON.stringify((await subject.callOrThrow("session.open", { sessionId })).snapshot.entries);
  expect(stored).toContain(words.join("").trim());
  expect((await sendSoakMessage(scene, sessionId, "and now")).seq).not.toBeNull();
  await waitUntilIdle(subject, sessionId);
  const audit = { home: subject.place.home, ledger: scene.ledger, whole: true };
  expect(new Auditor().audit(audit)).toEqual([]);
  follower.close();
});

const lockedMs = isFullRun ? 10_000 : 0;

test("a file of zero bytes in the database's place is a new database", async () => {
  const place = makeProductEnvironment();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "gopi.db"), "");
  const server = await startProductServer(place);
  expect(server.stderr).toBe("");
  expect(await server.stop()).toEqual([]);
});

test("a read-only home: one line with its path, exit 1", async () => {
  const place = makeProductEnvironment();
  mkdirSync(place.home, { mode: 0o700 });
  // Root may write anywhere except on a read-only disk.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    execFileSync("mount", ["--bind", place.home, place.home]);
    execFileSync("mount", ["-o", "remount,ro,bind", place.home]);
  } else chmodSync(place.home, 0o500);
  try {
    const { code, stderr } = await new ProductCommand(place, [
      "--json",
      "--no-open",
      "--port",
      "0",
      place.project,
    ]).done();
    expect(code).toBe(1);
    expect(stderr).toContain(place.home);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  } finally {
    if (isRoot) execFileSync("umount", ["-l", place.home]);
    else chmodSync(place.home, 0o700);
    await place.remove();
  }
});
