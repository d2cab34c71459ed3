/** Clients that answer at once, stop reading, or send too much, and a clock that jumps. docs/reliability.md is the table. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { pendingApprovals } from "@/lib/view/view";
import { isFullRun, longTestMs } from "../../fixtures/full-run";
import { expect, test } from "../../fixtures/product-test";
import { Auditor } from "../../soak/audit";
import { Ledger } from "../../soak/ledger";
import { NetworkProxy } from "../../soak/network-proxy";
import { countedTokens, sendSoakMessage, waitUntilIdle } from "../../soak/phases";
import { pollUntil } from "../../soak/random";
import { comparableView } from "../../soak/session-follower";
import { freshSoakCommandId, SoakProduct } from "../../soak/soak-product";

test("two clients answer one card at the same moment: one wins, both see the same result, and the command runs once", async ({
  subject,
}) => {
  const sessionId = await subject.newSession("ask");
  const followers = [subject.follow(sessionId), subject.follow(sessionId)];
  subject.model.setScript({
    turns: [{ toolCalls: [{ name: "bash", arguments: { command: "echo both >> counter" } }] }, { text: "Done." }],
  });
  await sendSoakMessage({ subject, ledger: new Ledger() }, sessionId, "do it once");
  await Promise.all(followers.map((one) => one.until((view) => pendingApprovals(view).length > 0)));
  const view = await subject.freshView(sessionId);
  const approvalId = pendingApprovals(view)[0]?.approval.approvalId;
  const answers = await Promise.all(
    followers.map(() => subject.callOrThrow("session.answer", { sessionId, approvalId, option: "once" })),
  );
  expect(answers.filter(({ won }) => won)).toHaveLength(1);
  await waitUntilIdle(subject, sessionId);
  expect(countedTokens(subject)).toEqual(["both"]);
  const expected = comparableView(await subject.freshView(sessionId));
  for (const follower of followers) {
    await follower.until((one) => comparableView(one) === expected);
    follower.close();
  }
});

/** Returns the peak memory of a process, bytes. */
const peakMemory = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;

/** Memory a frozen tab may add to the server's peak. Without a limit it would be almost twice what is printed. */
const frozenMaxBytes = 60_000_000;
const printedBytes = isFullRun ? 45_000_000 : 15_000_000;
const frozenPrints = 4;

test(
  "a tab that stops reading while commands print very much costs bounded memory, delays no other client, and is up to date again when it reads",
  async ({ skip, subject }) => {
    skip(process.platform !== "linux", "the peak of a process's memory is read from /proc");
    const proxy = await NetworkProxy.open(subject.server.port);
    try {
      const line = "0123456789".repeat(10);
      const run = async (sessionId: SessionId): Promise<void> => {
        const command = `yes ${line} | head -c ${printedBytes}`;
        subject.model.setScript({
          turns: [{ toolCalls: [{ name: "bash", arguments: { command } }] }, { tokens: 200 }],
        });
        await sendSoakMessage({ subject, ledger: new Ledger() }, sessionId, "print");
        await waitUntilIdle(subject, sessionId);
      };
      // Establishes the memory of the output itself, with a tab that reads; from the third time on it no longer grows.
      const sessionId = await subject.newSession("full");
      const steady = subject.follow(sessionId);
      for (let count = 0; count < 3; count += 1) await run(sessionId);
      const before = peakMemory(subject.server.pid);
      const frozen = subject.follow(sessionId, { address: proxy.address });
      await Promise.all([frozen.until(() => true), steady.until(() => true)]);
      proxy.freeze();
      const frozenAt = await subject.freshView(sessionId);
      for (let count = 0; count < frozenPrints; count += 1) await run(sessionId);
      const { seq } = await subject.freshView(sessionId);
      await steady.until((view) => view.seq >= seq);
      // Nothing got past the proxy since it froze.
      expect(frozen.view?.seq).toBeLessThanOrEqual(frozenAt.seq);
      expect(frozenAt.seq).toBeLessThan(seq);
      const grown = peakMemory(subject.server.pid) - before;
      expect(grown).toBeLessThan(frozenMaxBytes);
      proxy.unfreeze();
      const expected = comparableView(await subject.freshView(sessionId));
      await frozen.until((view) => comparableView(view) === expected);
      frozen.close();
      steady.close();
    } finally {
      proxy.close();
    }
  },
  longTestMs,
);

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
    const scene = { subject, ledger: new Ledger() };
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

test(
  "a prompt of 5 MB, a file of 2 GB and a folder of very many files meet limits that are reported, and nothing of them is stored",
  async ({ subject }) => {
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
    await sendSoakMessage({ subject, ledger: new Ledger() }, sessionId, "read it");
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
  },
  longTestMs,
);

const manyFiles = isFullRun ? 100_000 : 5_000;
