/**
 * Deliberate faults of disk, database and clock, and inputs of excessive size; each with the behaviour that must hold.
 * docs/reliability.md is the table.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Push } from "@/lib/push";
import { limits } from "@/lib/settings";
import { pendingApprovals } from "@/lib/view";
import { Command, makePlace, type Place, startServer } from "./fixtures/server";
import { expect, test } from "./fixtures/test";
import { Auditor } from "./soak/audit";
import { NetworkDoor } from "./soak/door";
import { Follower, plainView } from "./soak/follower";
import { provideFullDisk } from "./soak/full-disk";
import { contentOf, Ledger } from "./soak/ledger";
import { countedTokens, resting, say, type Scene } from "./soak/phases";
import { makeRandom, passing, until } from "./soak/random";
import { freshCommandId, Subject } from "./soak/subject";
import { viewOf } from "@/lib/snapshot";
import type { SessionId } from "@/lib/id";

const sceneOf = (subject: Subject): Scene => ({
  subject,
  ledger: new Ledger(),
  random: makeRandom(1),
  round: 0,
  longSession: null,
});

const follow = (subject: Subject, sessionId: SessionId, address = subject.server.origin): Follower =>
  new Follower(sessionId, {
    address,
    host: `localhost:${subject.server.port}`,
    bearer: () => subject.bearer,
    returns: true,
  });

/** Collects the store states that the server reports from now on. */
function storeNews(follower: Follower): Extract<Push, { type: "store" }>["error"][] {
  const news: Extract<Push, { type: "store" }>["error"][] = [];
  follower.socket.on("push", (push) => {
    if (push.type === "store") news.push(push.error);
  });
  return news;
}

const freshView = async (subject: Subject, sessionId: SessionId) =>
  viewOf((await subject.must("session.open", { sessionId })).snapshot);

test("a full disk: new messages are refused with the reason, reading works, and work continues when there is space", async () => {
  const place = makePlace();
  const disk = provideFullDisk(join(place.root, "disk"), 12);
  test.skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
  if (disk === null) return;
  const subject = await Subject.start((own) => ({ ...own, home: join(place.root, "disk", "home") }));
  try {
    const scene = sceneOf(subject);
    const sessionId = await subject.newSession("ask");
    await say(scene, sessionId, "before");
    await resting(subject, sessionId);
    const follower = follow(subject, sessionId);
    const news = storeNews(follower);
    await follower.until(() => true);
    const { pid } = subject.server;
    disk.fill(pid);
    const text = "x".repeat(100_000);
    const refused = await until("the first refusal", async () => {
      const sent = await subject.call("session.send", {
        sessionId,
        commandId: freshCommandId(),
        text,
        intent: "prompt",
      });
      return sent.kind === "refused" ? sent.error : undefined;
    });
    expect(refused.code).toBe(disk.kind === "mount" ? "disk_full" : "store_failed");
    await expect.poll(() => news.at(-1)?.code).toBe(refused.code);
    expect((await subject.call("files.list", { projectId: subject.projectId, path: "" })).kind).toBe("ok");
    expect((await freshView(subject, sessionId)).seq).toBeGreaterThan(0);
    disk.free(pid);
    const late = await say(scene, sessionId, "there is room again");
    expect(late.seq).not.toBeNull();
    await resting(subject, sessionId);
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

test("a full disk under the project: the write fails, the file is unchanged, and no temp file stays", async () => {
  const place = makePlace();
  const disk = provideFullDisk(join(place.root, "disk"), 4);
  test.skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
  if (disk === null) return;
  const project = join(place.root, "disk", "project");
  mkdirSync(project);
  writeFileSync(join(project, "kept.txt"), contentOf("old", 10));
  const subject = await Subject.start((own) => ({ ...own, project }));
  try {
    const sessionId = await subject.newSession("full");
    if (disk.kind === "mount") disk.fill(subject.server.pid);
    const content = contentOf("new", 60_000);
    subject.model.setScript({
      turns: [
        { toolCalls: [{ name: "write", arguments: { path: "kept.txt", content } }] },
        { text: "It did not fit." },
      ],
    });
    await say(sceneOf(subject), sessionId, "write it");
    await resting(subject, sessionId);
    const calls = (await subject.must("session.open", { sessionId })).snapshot.entries.flatMap((entry) =>
      entry.kind === "message" ? entry.calls : [],
    );
    if (disk.kind === "mount") {
      expect(calls).toMatchObject([{ state: "error", facts: { code: "disk_full" } }]);
      expect(readFileSync(join(project, "kept.txt"), "utf8")).toBe(contentOf("old", 10));
    }
    expect(readdirSync(project).filter((name) => name.startsWith(".gopi-"))).toEqual([]);
  } finally {
    await subject.end();
    disk.end();
    await place.remove();
  }
});

test("another program locks the database for ten seconds: no text is lost, the lock is reported, and work continues", async () => {
  const subject = await Subject.start();
  try {
    const scene = sceneOf(subject);
    const sessionId = await subject.newSession("ask");
    const follower = follow(subject, sessionId);
    const news = storeNews(follower);
    const words = Array.from({ length: 30 }, (_, index) => `word${index} `);
    subject.model.setScript({ turns: [{ pieces: words, holdAfter: 15 }] });
    await say(scene, sessionId, "talk on");
    await follower.until((view) => JSON.stringify(view).includes("word10"));
    const other = new Database(join(subject.place.home, "gopi.db"));
    other.exec("BEGIN IMMEDIATE");
    subject.model.release();
    // On a busy machine the first write comes late: it must meet the lock within the lock's time.
    await Promise.all([passing(lockedMs), expect.poll(() => news.at(-1)?.code).toBe("store_locked")]);
    other.exec("COMMIT");
    other.close();
    await resting(subject, sessionId);
    await expect
      .poll(() => news.map((error) => error?.code ?? null))
      .toEqual(expect.arrayContaining(["store_locked", null]));
    const said = JSON.stringify((await subject.must("session.open", { sessionId })).snapshot.entries);
    expect(said).toContain(words.join("").trim());
    expect((await say(scene, sessionId, "and now")).seq).not.toBeNull();
    await resting(subject, sessionId);
    const audit = { home: subject.place.home, ledger: scene.ledger, whole: true };
    expect(new Auditor().audit(audit)).toEqual([]);
    follower.close();
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const lockedMs = 10_000;

for (const [what, bytes] of [
  ["no database at all", Buffer.from("This was never a database.\n".repeat(400))],
  ["a database with a broken middle", null],
] as const) {
  test(`${what}: the start page shows where it was moved, every byte of it is retained, and work starts with a new one`, async ({
    browser,
  }) => {
    const place = makePlace();
    mkdirSync(place.home, { mode: 0o700 });
    const path = join(place.home, "gopi.db");
    const original = bytes ?? brokenDatabase(place);
    writeFileSync(path, original);
    const server = await startServer(place);
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url);
    await expect(page.getByText("The database couldn't be read. It was moved to")).toBeVisible();
    await page.context().close();
    await server.kill("SIGTERM");
    const [aside] = readdirSync(place.home).filter((name) =>
      /^gopi\.db\.corrupt-[^-]+-[^-]+-[^-]+-[^-]+-[\d.]+Z$/.test(name),
    );
    expect(readFileSync(join(place.home, aside ?? "missing")).equals(original)).toBe(true);
    expect(await server.stop()).toEqual([]);
  });
}

/** Creates a database with SQLite and overwrites the page of its table list. */
function brokenDatabase(place: Place): Buffer {
  const path = join(place.home, "gopi.db");
  const database = new Database(path);
  database.exec("CREATE TABLE events (body TEXT)");
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0x2a, 100, 4_096);
  return bytes;
}

test("a file of zero bytes in the database's place is a new database", async () => {
  const place = makePlace();
  mkdirSync(place.home, { mode: 0o700 });
  writeFileSync(join(place.home, "gopi.db"), "");
  const server = await startServer(place);
  expect(server.stderr).toBe("");
  expect(await server.stop()).toEqual([]);
});

test("a read-only home: one line with its path, exit 1", async () => {
  const place = makePlace();
  mkdirSync(place.home, { mode: 0o700 });
  // Root may write anywhere except on a read-only disk.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    execFileSync("mount", ["--bind", place.home, place.home]);
    execFileSync("mount", ["-o", "remount,ro,bind", place.home]);
  } else chmodSync(place.home, 0o500);
  try {
    const { code, stderr } = await new Command(place, ["--json", "--no-open", "--port", "0", place.project]).done();
    expect(code).toBe(1);
    expect(stderr).toContain(place.home);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  } finally {
    if (isRoot) execFileSync("umount", ["-l", place.home]);
    else chmodSync(place.home, 0o700);
    await place.remove();
  }
});

test("two clients answer one card at the same moment: one wins, both see the same result, and the command runs once", async () => {
  const subject = await Subject.start();
  try {
    const sessionId = await subject.newSession("ask");
    const followers = [follow(subject, sessionId), follow(subject, sessionId)];
    subject.model.setScript({
      turns: [{ toolCalls: [{ name: "bash", arguments: { command: "echo both >> counter" } }] }, { text: "Done." }],
    });
    await say(sceneOf(subject), sessionId, "do it once");
    await Promise.all(followers.map((one) => one.until((view) => pendingApprovals(view).length > 0)));
    const view = await freshView(subject, sessionId);
    const approvalId = pendingApprovals(view)[0]?.approval.approvalId;
    const answers = await Promise.all(
      followers.map(() => subject.must("session.answer", { sessionId, approvalId, option: "once" })),
    );
    expect(answers.filter(({ won }) => won)).toHaveLength(1);
    await resting(subject, sessionId);
    expect(countedTokens(subject)).toEqual(["both"]);
    const expected = plainView(await freshView(subject, sessionId));
    for (const follower of followers) {
      await follower.until((one) => plainView(one) === expected);
      follower.close();
    }
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

/** Returns the peak memory of a process, bytes. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;

/** Memory a frozen tab may add to the server's peak for such an output; the data sent to it is three times as much. */
const frozenMaxBytes = 60_000_000;
const printedBytes = 45_000_000;
const frozenPrints = 4;

test("a tab that stops reading while commands print 180 MB costs bounded memory, delays no other client, and is up to date again when it reads", async () => {
  test.setTimeout(1_800_000);
  test.skip(process.platform !== "linux", "the peak of a process's memory is read from /proc");
  const subject = await Subject.start();
  const door = await NetworkDoor.open(subject.server.port);
  try {
    const line = "0123456789".repeat(10);
    const run = async (sessionId: SessionId): Promise<void> => {
      const command = `yes ${line} | head -c ${printedBytes}`;
      subject.model.setScript({ turns: [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { tokens: 200 }] });
      await say(sceneOf(subject), sessionId, "print");
      await resting(subject, sessionId);
    };
    // Establishes the memory of the output itself, with a tab that reads; from the third time on it no longer grows.
    const sessionId = await subject.newSession("full");
    const steady = follow(subject, sessionId);
    for (let count = 0; count < 3; count += 1) await run(sessionId);
    const before = peakOf(subject.server.pid);
    const frozen = follow(subject, sessionId, door.address);
    await Promise.all([frozen.until(() => true), steady.until(() => true)]);
    door.freeze();
    const frozenAt = await freshView(subject, sessionId);
    for (let count = 0; count < frozenPrints; count += 1) await run(sessionId);
    const { seq } = await freshView(subject, sessionId);
    await steady.until((view) => view.seq >= seq);
    // Nothing got past the proxy since it froze.
    expect(frozen.view?.seq).toBeLessThanOrEqual(frozenAt.seq);
    expect(frozenAt.seq).toBeLessThan(seq);
    const grown = peakOf(subject.server.pid) - before;
    test.info().annotations.push({ type: "frozen", description: `${Math.round(grown / 1_048_576)} MB` });
    expect(grown).toBeLessThan(frozenMaxBytes);
    door.thaw();
    const expected = plainView(await freshView(subject, sessionId));
    await frozen.until((view) => plainView(view) === expected);
    frozen.close();
    steady.close();
  } finally {
    door.close();
    expect(await subject.end()).toEqual([]);
  }
});

test("a clock set an hour ahead and two hours back: the run continues, the order stays, and browsers stay signed in", async () => {
  const clock = { file: "", shiftMs: 0 };
  const subject = await Subject.start((place) => {
    clock.file = join(place.root, "clock.mjs");
    writeFileSync(`${clock.file}.shift`, "0");
    // Simulates a change of the machine's clock: on a signal the process reads the shift.
    writeFileSync(
      clock.file,
      `import { readFileSync } from "node:fs";
       const real = Date.now.bind(Date);
       let shift = 0;
       Date.now = () => real() + shift;
       process.on("SIGUSR2", () => { shift = Number(readFileSync(${JSON.stringify(`${clock.file}.shift`)}, "utf8")); });`,
    );
    return { ...place, environment: { ...place.environment, NODE_OPTIONS: `--import ${clock.file}` } };
  });
  const setClock = async (shiftMs: number): Promise<void> => {
    writeFileSync(`${clock.file}.shift`, `${shiftMs}`);
    process.kill(subject.server.pid, "SIGUSR2");
    // The time of the next event shows that the signal was handled.
    await until("the new time", async () => {
      const sessionId = await subject.newSession("ask");
      const { snapshot } = await subject.must("session.open", { sessionId });
      return Math.abs(snapshot.createdAt - Date.now() - shiftMs) < hourMs / 2 ? true : undefined;
    });
  };
  try {
    const token = subject.server.url.split("#token=")[1] ?? "";
    const scene = sceneOf(subject);
    const sessionId = await subject.newSession("ask");
    subject.model.setScript({
      turns: [{ text: "I look.", holdAfter: 1, toolCalls: [{ name: "ls", arguments: {} }] }, { text: "All seen." }],
    });
    await say(scene, sessionId, "before the jump");
    await subject.model.waitFor((requests) => requests.some(({ events }) => events === 1));
    await setClock(hourMs);
    subject.model.release();
    await resting(subject, sessionId);
    expect(await endsOf(subject, sessionId)).toEqual(["done"]);
    const answer = await fetch(`${subject.server.origin}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: subject.server.origin },
      body: JSON.stringify({ token }),
    });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { value } = await answer.json();
    await setClock(-hourMs);
    await say(scene, sessionId, "after the jump back");
    await resting(subject, sessionId);
    expect(await endsOf(subject, sessionId)).toEqual(["done", "done"]);
    const again = await fetch(`${subject.server.origin}/api/call`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: subject.server.origin, cookie, "x-gopi-page": value.page },
      body: JSON.stringify({ name: "project.list", input: {} }),
    });
    expect(again.status).toBe(200);
    const { snapshot } = await subject.must("session.open", { sessionId });
    const said = snapshot.entries.flatMap((entry) =>
      entry.kind === "message" && entry.role === "user" ? [JSON.stringify(entry.blocks)] : [],
    );
    expect(said[0]).toContain("before the jump");
    expect(said[1]).toContain("after the jump back");
    expect(new Auditor().audit({ home: subject.place.home, ledger: scene.ledger, whole: true })).toEqual([]);
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const hourMs = 3_600_000;

const endsOf = async (subject: Subject, sessionId: SessionId): Promise<readonly string[]> =>
  (await subject.must("session.open", { sessionId })).snapshot.entries.flatMap((entry) =>
    entry.kind === "run_end" ? [entry.reason] : [],
  );

test("a prompt of 5 MB, a file of 2 GB and a folder of 100,000 files meet limits that are reported, and nothing of them is stored", async () => {
  const subject = await Subject.start();
  try {
    const { projectId, place } = subject;
    const sessionId = await subject.newSession("ask");
    const text = "x".repeat(5_000_000);
    const sent = await subject.call("session.send", { sessionId, commandId: freshCommandId(), text, intent: "prompt" });
    expect(sent).toMatchObject({ kind: "refused", error: { code: "too_large" } });
    writeFileSync(join(place.project, "huge.bin"), "");
    truncateSync(join(place.project, "huge.bin"), 2 * 1_024 ** 3);
    const opened = await subject.call("files.read", { projectId, path: "huge.bin" });
    expect(JSON.stringify(opened)).toContain("too_large");
    subject.model.setScript({
      turns: [{ toolCalls: [{ name: "read", arguments: { path: "huge.bin" } }] }, { text: "Too large." }],
    });
    await say(sceneOf(subject), sessionId, "read it");
    await resting(subject, sessionId);
    const { snapshot } = await subject.must("session.open", { sessionId });
    const calls = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    // A text of this size is read by lines; these bytes are not text.
    expect(calls).toMatchObject([{ state: "error", facts: { code: "binary" } }]);
    const folder = join(place.project, "many");
    mkdirSync(folder);
    for (let index = 0; index < manyFiles; index += 1) writeFileSync(join(folder, `f${index}`), "");
    // The keep-alive connection may have been closed while the files were created.
    const { nodes, total } = await until("the list of the folder", async () => {
      const listed = await subject.call("files.list", { projectId, path: "many" });
      return listed.kind === "ok" ? listed.value : undefined;
    });
    expect({ shown: nodes.length, total }).toEqual({ shown: limits.folderEntries, total: manyFiles });
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const manyFiles = 100_000;
