/** Kills the product at random moments of all its activities, starts it again and audits the stored state. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { SessionId } from "@/lib/events/id";
import { ProductCommand, type ProductEnvironment } from "../fixtures/server";
import { Auditor, leftoverTempFiles } from "./audit";
import { Ledger } from "./ledger";
import { readLogLengths, digestLog, makeOldHome, migrationProblems, replaceHome } from "./old-home";
import {
  type AfterRestartCheck,
  killDuringApproval,
  killDuringCompaction,
  counterFile,
  countedTokens,
  type PhaseName,
  type KillContext,
  killDuringStart,
  killWhileStreaming,
  killDuringTool,
  killDuringWrite,
} from "./phases";
import { makeRandom, waitMs, type Random, pollUntil } from "./random";
import { SoakProduct } from "./soak-product";

interface KillReport {
  readonly kills: Record<PhaseName, number>;
  /** Acknowledged and lost, half written, or still running. */
  readonly losses: string[];
  /** Done or stored twice. */
  readonly duplicates: string[];
  /** Numbers of acknowledged messages checked and of events read. */
  messages: number;
  events: number;
  /** Longest span of streamed text that a kill lost, ms. */
  lostTextMs: number;
}

export const emptyReport = (): KillReport => ({
  kills: { streaming: 0, tool: 0, approval: 0, compaction: 0, write: 0, migration: 0, start: 0 },
  losses: [],
  duplicates: [],
  messages: 0,
  events: 0,
  lostTextMs: 0,
});

const killPhases: Record<Exclude<PhaseName, "migration">, (scene: KillContext) => Promise<AfterRestartCheck>> = {
  streaming: killWhileStreaming,
  tool: killDuringTool,
  approval: killDuringApproval,
  compaction: killDuringCompaction,
  write: killDuringWrite,
  start: killDuringStart,
};

/** Kills per phase, of a hundred; `killDuringStart` and `migration` are the fast ones. */
const phaseShares: Record<PhaseName, number> = {
  streaming: 17,
  tool: 15,
  approval: 15,
  compaction: 8,
  write: 17,
  migration: 14,
  start: 14,
};

/** Every log is read again after this many kills; in between, only the touched ones. */
const wholeAuditEvery = 20;

/**
 * Performs `kills` on one home, one after the other. Faults go into the report; it rejects only when the harness fails
 * or a server does not start.
 */
export async function killHome(kills: number, seed: number, report: KillReport): Promise<void> {
  const random = makeRandom(seed);
  const subject = await SoakProduct.start();
  const ledger = new Ledger();
  const auditor = new Auditor();
  const plan = planPhases(kills, random);
  let longSession: SessionId | null = null;
  try {
    for (const [index, name] of plan.entries()) {
      const scene: KillContext = { subject, ledger, random, round: index, longSession };
      const after = await killPhases[name](scene);
      report.kills[name] += 1;
      longSession = scene.longSession;
      await subject.restart();
      const isWhole = index % wholeAuditEvery === 0 || index === plan.length - 1;
      addProblems(report, name, seed, [
        ...auditor.audit({
          ...auditOptions(subject, ledger),
          whole: isWhole,
          ...(isWhole ? {} : { sessions: recentSessions(ledger) }),
        }),
        ...(await after()),
        ...(await remainingTempFiles(ledger)),
        ...tokenProblems(subject, ledger),
      ]);
      ledger.lastReceived = null;
    }
    await killMigrations(subject, kills - plan.length, { random, report, seed });
  } finally {
    Object.assign(report, {
      messages: report.messages + auditor.counts.messages,
      events: report.events + auditor.counts.events,
      lostTextMs: Math.max(report.lostTextMs, auditor.counts.lostTextMs),
    });
    for (const left of await subject.end()) report.losses.push(`left running: ${left}`);
  }
}

const auditOptions = (subject: SoakProduct, ledger: Ledger) => ({ home: subject.place.home, ledger });

/** Returns the sessions of the last messages. */
const recentSessions = (ledger: Ledger): ReadonlySet<SessionId> =>
  new Set(ledger.sentMessages.slice(-4).map(({ sessionId }) => sessionId));

/** Returns all phases except the migration, in a random order. */
function planPhases(kills: number, random: Random): readonly Exclude<PhaseName, "migration">[] {
  const all = Object.values(phaseShares).reduce((sum, share) => sum + share, 0);
  const names = (["streaming", "tool", "approval", "compaction", "write", "start"] as const).flatMap((name) =>
    Array.from({ length: Math.max(1, Math.round((kills * phaseShares[name]) / all)) }, () => name),
  );
  return random.shuffled(names).slice(0, kills);
}

function addProblems(report: KillReport, name: PhaseName, seed: number, wrong: readonly string[]): void {
  for (const words of wrong)
    (/twice|\d times/.test(words) ? report.duplicates : report.losses).push(`seed ${seed}, ${name}: ${words}`);
}

/** Long enough that only files that are never deleted exceed it. */
const clearedWithinMs = 120_000;

const remainingTempFiles = (ledger: Ledger): Promise<readonly string[]> =>
  pollUntil(
    "the deletion of temporary files",
    () => (leftoverTempFiles(ledger).length === 0 ? [] : undefined),
    clearedWithinMs,
  ).catch(() => leftoverTempFiles(ledger).map((name) => `${name} was left behind`));

function tokenProblems(subject: SoakProduct, ledger: Ledger): readonly string[] {
  const counted = countedTokens(subject);
  return [...ledger.tokens].flatMap(([token, rule]) => {
    const times = counted.filter((word) => word === token).length;
    if (times > 1) return [`the command of ${token} ran ${times} times`];
    if (rule === "never" && times > 0) return [`${token} ran although it was not allowed`];
    if (rule === "once" && times === 0) return [`${token} was allowed and did not run (${counterFile(subject)})`];
    return [];
  });
}

interface MigrationOptions {
  readonly random: Random;
  readonly report: KillReport;
  readonly seed: number;
}

/**
 * Starts on a home of the first version, killed at random; every second start is followed by a complete one whose log
 * is compared.
 */
async function killMigrations(
  subject: SoakProduct,
  kills: number,
  { random, report, seed }: MigrationOptions,
): Promise<void> {
  await subject.server.kill("SIGTERM");
  const old = mkdtempSync(join(subject.place.root, "old-"));
  makeOldHome(subject.place.home, old);
  const lengths = readLogLengths(old);
  const digest = digestLog(old, lengths);
  const place: ProductEnvironment = { ...subject.place, home: join(subject.place.root, "migrated") };
  for (let index = 0; index < kills; index += 1) {
    const isFresh = index % 2 === 0;
    if (isFresh) replaceHome(old, place.home);
    await startOnHome(place, random.between(60, 320));
    report.kills.migration += 1;
    addProblems(report, "migration", seed, migrationProblems(place.home));
    if (isFresh && index + 1 < kills) continue;
    await startOnHome(place, null);
    const isSame = digestLog(place.home, lengths) === digest;
    addProblems(report, "migration", seed, [
      ...migrationProblems(place.home),
      ...(isSame ? [] : ["the log differs from before"]),
    ]);
  }
}

/** Starts once and kills after that time; null = ends cleanly once it is ready. */
async function startOnHome(place: ProductEnvironment, killAfterMs: number | null): Promise<void> {
  const command = new ProductCommand(place, ["--json", "--no-open", "--port", "0", place.project]);
  if (killAfterMs === null) await command.until(({ stdout }) => stdout.includes("\n"));
  else await waitMs(killAfterMs);
  command.child.kill(killAfterMs === null ? "SIGTERM" : "SIGKILL");
  await command.done();
}
