/** Child process for kill tests: reports each finished action as one line on stdout before it continues. */
import { writeSync } from "node:fs";
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import { takeHomeLock } from "../core/home-lock";
import { openStore } from "../open-store";

const report = (word: string | number): void => void writeSync(1, `${word}\n`);
const [role = "", home = "", migrations] = process.argv.slice(2);
const sessionId = asId<SessionId>("s1");

const openOrExit = () => {
  const result = openStore({ home, now: Date.now, migrations });
  if (result.ok) return result.value;
  report(result.error.code);
  return process.exit(1);
};

/** Commits endlessly: one to three rows with a receipt named after the last seq, with checkpoints in between. */
const commitEndlessly = (): never => {
  const store = openOrExit();
  for (let seq = store.sessions.get(sessionId)?.lastSeq ?? 0; ; ) {
    const count = 1 + (seq % 3);
    store.events.checkpoint(sessionId, "open", "x".repeat(2_000), seq);
    const rows = Array.from({ length: count }, (_, index) => ({
      seq: seq + 1 + index,
      at: seq,
      event: { type: "session_update" as const, title: `title ${seq} `.repeat(40) },
    }));
    seq += count;
    const receipt = { commandId: asId<CommandId>(`c${seq}`), result: { seq } };
    store.events.commit({ sessionId, rows, receipt, row: { title: `up to ${seq}` } });
    report(seq);
  }
};

const holdLock = (): void => {
  const lock = takeHomeLock(home);
  report(lock.ok ? "held" : lock.error.code);
  if (lock.ok) setInterval(() => undefined, 60_000);
};

/** Opens the store as an unprivileged user, since root can write everything. */
const openUnprivileged = (): void => {
  if (process.getuid?.() === 0) process.setuid?.(65_534);
  openOrExit();
  report("open");
};

const openAndReport = (): void => {
  report("opening");
  openOrExit();
  report("open");
};

const roles = new Map([
  ["commit", commitEndlessly],
  ["lock", holdLock],
  ["unprivileged", openUnprivileged],
  ["open", openAndReport],
]);
roles.get(role)?.();
