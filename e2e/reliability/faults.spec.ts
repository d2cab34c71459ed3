/**
 * Deliberate faults of disk, database and clock, and inputs of excessive size; each with the behaviour that must hold.
 * docs/reliability.md is the table.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Push } from "@/lib/protocol/push";
import { limits } from "@/lib/settings/settings";
import { pendingApprovals } from "@/lib/view/view";
import {
  ProductCommand,
  makeProductEnvironment,
  type ProductEnvironment,
  startProductServer,
} from "../fixtures/server";
import { expect, test } from "../fixtures/test";
import { Auditor } from "../soak/audit";
import { NetworkProxy } from "../soak/network-proxy";
import { SessionFollower, comparableView } from "../soak/session-follower";
import { provideFullDisk } from "../soak/full-disk";
import { versionContent, Ledger } from "../soak/ledger";
import { countedTokens, waitUntilIdle, sendSoakMessage, type KillContext } from "../soak/phases";
import { makeRandom, waitMs, pollUntil } from "../soak/random";
import { freshSoakCommandId, SoakProduct } from "../soak/soak-product";
import { viewFromSnapshot } from "@/lib/view/snapshot";
import type { SessionId } from "@/lib/events/id";

const makeKillContext = (subject: SoakProduct): KillContext => ({
  subject,
  ledger: new Ledger(),
  random: makeRandom(1),
  round: 0,
  longSession: null,
});

const followProduct = (subject: SoakProduct, sessionId: SessionId, address = subject.server.origin): SessionFollower =>
  new SessionFollower(sessionId, {
    address,
    host: `localhost:${subject.server.port}`,
    bearer: () => subject.bearer,
    reconnects: true,
  });

/** Collects the store states that the server reports from now on. */
function collectStoreStates(follower: SessionFollower): Extract<Push, { type: "store" }>["error"][] {
  const news: Extract<Push, { type: "store" }>["error"][] = [];
  follower.socket.on("push", (push) => {
    if (push.type === "store") news.push(push.error);
  });
  return news;
}

const freshView = async (subject: SoakProduct, sessionId: SessionId) =>
  viewFromSnapshot((await subject.callOrThrow("session.open", { sessionId })).snapshot);

test("a full disk: new messages are refused with the reason, reading works, and work continues when there is space", async () => {
  const place = makeProductEnvironment();
  const disk = provideFullDisk(join(place.root, "disk"), 12);
  test.skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
  if (disk === null) return;
  const subject = await SoakProduct.start((own) => ({ ...own, home: join(place.root, "disk", "home") }));
  try {
    const scene = makeKillContext(subject);
    const sessionId = await subject.newSession("ask");
    await sendSoakMessage(scene, sessionId, "before");
    await waitUntilIdle(subject, sessionId);
    const follower = followProduct(subject, sessionId);
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
    expect((await freshView(subject, sessionId)).seq).toBeGreaterThan(0);
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

test("a full disk under the project: the write fails, the file is unchanged, and no temp file stays", async () => {
  const place = makeProductEnvironment();
  const disk = provideFullDisk(join(place.root, "disk"), 4);
  test.skip(disk === null, "neither a small disk can be mounted here nor can a process be kept from writing");
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
    await sendSoakMessage(makeKillContext(subject), sessionId, "write it");
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

test("another program locks the database for ten seconds: no text is lost, the lock is reported, and work continues", async () => {
  const subject = await SoakProduct.start();
  try {
    const scene = makeKillContext(subject);
    const sessionId = await subject.newSession("ask");
    const follower = followProduct(subject, sessionId);
    const news = collectStoreStates(follower);
    const words = Array.from({ length: 30 }, (_, index) => `word${index} `);
    subject.model.setScript({ turns: [{ pieces: words, holdAfter: 15 }] });
    await sendSoakMessage(scene, sessionId, "talk on");
    await follower.until((view) => JSON.stringify(view).includes("word10"));
    const other = new Database(join(subject.place.home, "gopi.db"));
    other.exec("BEGIN IMMEDIATE");
    subject.model.release();
    // On a busy machine the first write comes late: it must meet the lock within the lock's time.
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
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const lockedMs = 10_000;

for (const [damage, bytes] of [
  ["no database at all", Buffer.from("This was never a database.\n".repeat(400))],
  ["a database with a broken middle", null],
] as const) {
  test(`${damage}: the start page shows where it was moved, every byte of it is retained, and work starts with a new one`, async ({
    browser,
  }) => {
    const place = makeProductEnvironment();
    mkdirSync(place.home, { mode: 0o700 });
    const path = join(place.home, "gopi.db");
    const original = bytes ?? brokenDatabase(place);
    writeFileSync(path, original);
    const server = await startProductServer(place);
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
function brokenDatabase(place: ProductEnvironment): Buffer {
  const path = join(place.home, "gopi.db");
  const database = new Database(path);
  database.exec("CREATE TABLE events (body TEXT)");
  database.close();
  const bytes = readFileSync(path);
  bytes.fill(0x2a, 100, 4_096);
  return bytes;
}

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

test("two clients answer one card at the same moment: one wins, both see the same result, and the command runs once", async () => {
  const subject = await SoakProduct.start();
  try {
    const sessionId = await subject.newSession("ask");
    const followers = [followProduct(subject, sessionId), followProduct(subject, sessionId)];
    subject.model.setScript({
      turns: [{ toolCalls: [{ name: "bash", arguments: { command: "echo both >> counter" } }] }, { text: "Done." }],
    });
    await sendSoakMessage(makeKillContext(subject), sessionId, "do it once");
    await Promise.all(followers.map((one) => one.until((view) => pendingApprovals(view).length > 0)));
    const view = await freshView(subject, sessionId);
    const approvalId = pendingApprovals(view)[0]?.approval.approvalId;
    const answers = await Promise.all(
      followers.map(() => subject.callOrThrow("session.answer", { sessionId, approvalId, option: "once" })),
    );
    expect(answers.filter(({ won }) => won)).toHaveLength(1);
    await waitUntilIdle(subject, sessionId);
    expect(countedTokens(subject)).toEqual(["both"]);
    const expected = comparableView(await freshView(subject, sessionId));
    for (const follower of followers) {
      await follower.until((one) => comparableView(one) === expected);
      follower.close();
    }
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

/** Returns the peak memory of a process, bytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;

/** Memory a frozen tab may add to the server's peak for such an output; the data sent to it is three times as much. */
const frozenMaxBytes = 60_000_000;
const printedBytes = 45_000_000;
const frozenPrints = 4;

test("a tab that stops reading while commands print 180 MB costs bounded memory, delays no other client, and is up to date again when it reads", async () => {
  test.setTimeout(1_800_000);
  test.skip(process.platform !== "linux", "the peak of a process's memory is read from /proc");
  const subject = await SoakProduct.start();
  const proxy = await NetworkProxy.open(subject.server.port);
  try {
    const line = "0123456789".repeat(10);
    const run = async (sessionId: SessionId): Promise<void> => {
      const command = `yes ${line} | head -c ${printedBytes}`;
      subject.model.setScript({ turns: [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { tokens: 200 }] });
      await sendSoakMessage(makeKillContext(subject), sessionId, "print");
      await waitUntilIdle(subject, sessionId);
    };
    // Establishes the memory of the output itself, with a tab that reads; from the third time on it no longer grows.
    const sessionId = await subject.newSession("full");
    const steady = followProduct(subject, sessionId);
    for (let count = 0; count < 3; count += 1) await run(sessionId);
    const before = peakMemory(subject.server.pid);
    const frozen = followProduct(subject, sessionId, proxy.address);
    await Promise.all([frozen.until(() => true), steady.until(() => true)]);
    proxy.freeze();
    const frozenAt = await freshView(subject, sessionId);
    for (let count = 0; count < frozenPrints; count += 1) await run(sessionId);
    const { seq } = await freshView(subject, sessionId);
    await steady.until((view) => view.seq >= seq);
    // Nothing got past the proxy since it froze.
    expect(frozen.view?.seq).toBeLessThanOrEqual(frozenAt.seq);
    expect(frozenAt.seq).toBeLessThan(seq);
    const grown = peakMemory(subject.server.pid) - before;
    test.info().annotations.push({ type: "frozen", description: `${Math.round(grown / 1_048_576)} MB` });
    expect(grown).toBeLessThan(frozenMaxBytes);
    proxy.unfreeze();
    const expected = comparableView(await freshView(subject, sessionId));
    await frozen.until((view) => comparableView(view) === expected);
    frozen.close();
    steady.close();
  } finally {
    proxy.close();
    expect(await subject.end()).toEqual([]);
  }
});

test("a clock set an hour ahead and two hours back: the run continues, the order stays, and browsers stay signed in", async () => {
  const clock = { file: "", shiftMs: 0 };
  const subject = await SoakProduct.start((place) => {
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
    await pollUntil("the new time", async () => {
      const sessionId = await subject.newSession("ask");
      const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
      return Math.abs(snapshot.createdAt - Date.now() - shiftMs) < hourInMs / 2 ? true : undefined;
    });
  };
  try {
    const token = subject.server.url.split("#token=")[1] ?? "";
    const scene = makeKillContext(subject);
    const sessionId = await subject.newSession("ask");
    subject.model.setScript({
      turns: [{ text: "I look.", holdAfter: 1, toolCalls: [{ name: "ls", arguments: {} }] }, { text: "All seen." }],
    });
    await sendSoakMessage(scene, sessionId, "before the jump");
    await subject.model.waitFor((requests) => requests.some(({ events }) => events === 1));
    await setClock(hourInMs);
    subject.model.release();
    await waitUntilIdle(subject, sessionId);
    expect(await runEndReasons(subject, sessionId)).toEqual(["done"]);
    const answer = await fetch(`${subject.server.origin}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: subject.server.origin },
      body: JSON.stringify({ token }),
    });
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { value } = await answer.json();
    await setClock(-hourInMs);
    await sendSoakMessage(scene, sessionId, "after the jump back");
    await waitUntilIdle(subject, sessionId);
    expect(await runEndReasons(subject, sessionId)).toEqual(["done", "done"]);
    const again = await fetch(`${subject.server.origin}/api/call`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: subject.server.origin, cookie, "x-gopi-page": value.page },
      body: JSON.stringify({ name: "project.list", input: {} }),
    });
    expect(again.status).toBe(200);
    const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
    const userTexts = snapshot.entries.flatMap((entry) =>
      entry.kind === "message" && entry.role === "user" ? [JSON.stringify(entry.blocks)] : [],
    );
    expect(userTexts[0]).toContain("before the jump");
    expect(userTexts[1]).toContain("after the jump back");
    expect(new Auditor().audit({ home: subject.place.home, ledger: scene.ledger, whole: true })).toEqual([]);
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const hourInMs = 3_600_000;

const runEndReasons = async (subject: SoakProduct, sessionId: SessionId): Promise<readonly string[]> =>
  (await subject.callOrThrow("session.open", { sessionId })).snapshot.entries.flatMap((entry) =>
    entry.kind === "run_end" ? [entry.reason] : [],
  );

test("a prompt of 5 MB, a file of 2 GB and a folder of 100,000 files meet limits that are reported, and nothing of them is stored", async () => {
  const subject = await SoakProduct.start();
  try {
    const { projectId, place } = subject;
    const sessionId = await subject.newSession("ask");
    const text = "x".repeat(5_000_000);
    const sent = await subject.call("session.send", {
      sessionId,
      commandId: freshSoakCommandId(),
      text,
      intent: "prompt",
    });
    expect(sent).toMatchObject({ kind: "refused", error: { code: "too_large" } });
    writeFileSync(join(place.project, "huge.bin"), "");
    truncateSync(join(place.project, "huge.bin"), 2 * 1_024 ** 3);
    const opened = await subject.call("files.read", { projectId, path: "huge.bin" });
    expect(JSON.stringify(opened)).toContain("too_large");
    subject.model.setScript({
      turns: [{ toolCalls: [{ name: "read", arguments: { path: "huge.bin" } }] }, { text: "Too large." }],
    });
    await sendSoakMessage(makeKillContext(subject), sessionId, "read it");
    await waitUntilIdle(subject, sessionId);
    const { snapshot } = await subject.callOrThrow("session.open", { sessionId });
    const calls = snapshot.entries.flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    // A text of this size is read by lines; these bytes are not text.
    expect(calls).toMatchObject([{ state: "error", facts: { code: "binary" } }]);
    const folder = join(place.project, "many");
    mkdirSync(folder);
    for (let index = 0; index < manyFiles; index += 1) writeFileSync(join(folder, `f${index}`), "");
    // The keep-alive connection may have been closed while the files were created.
    const { nodes, total } = await pollUntil("the list of the folder", async () => {
      const listed = await subject.call("files.list", { projectId, path: "many" });
      return listed.kind === "ok" ? listed.value : undefined;
    });
    expect({ shown: nodes.length, total }).toEqual({ shown: limits.folderEntries, total: manyFiles });
  } finally {
    expect(await subject.end()).toEqual([]);
  }
});

const manyFiles = 100_000;
