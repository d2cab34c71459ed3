/**
 * Random sessions in which tools come and go, subagents run, a gate allows, asks, denies or fails, folders have guides,
 * the memory is written, skills are read and the process is killed: every request begins with the one before it of the
 * same session, a subagent's first one with its parent's start, none is over the window, and each share holds.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { modes } from "@/lib/permissions/policy";
import { lawRuns } from "@/lib/testing/law-runs";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { iterate } from "@/lib/view/chunks";
import { splitMessageElements } from "./agent/context/message-elements";
import { skillFile } from "./features/skills/test-skills";
import type { ModelRequest } from "./providers/provider";
import type { Session } from "./session/core/session-types";
import { callAnswer, makeGate, type ScriptedAnswer, textAnswer } from "./session/testing/test-harness";
import { brokenPairs, requestTokens } from "./session/testing/test-long-run";
import { gateStates, makeRandomSessions, type SentRequest } from "./test-random-sessions";

const folders = ["a", "b", "b/c", "d", "e", "f"];
const toolNames = ["create_issue", "search", ...Array.from({ length: 40 }, (_, at) => `t${at}`)];
const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, at) => `${text} ${at}.`).join("\n");

/** Calls of the model in an answer. */
const callKinds = {
  external: () => [["toolbox", { tool: "github__create_issue", input: { title: "x" } }]],
  direct: () => [["files__search", { title: "x" }]],
  search: () => [["toolbox", { search: "issue" }]],
  list: () => [["toolbox", {}]],
  read: (at) => [["read", { path: `${folders[at % folders.length]}/x.ts` }]],
  readAll: () => folders.map((folder) => ["read", { path: `${folder}/x.ts` }] as const),
  flood: () => Array.from({ length: 4 }, (_, at) => ["bash", { command: `seq ${at} 9999` }] as const),
  write: (at) => [["write", { path: `${folders[at % folders.length]}/y${at}.ts`, content: lines(at, "line") }]],
  remember: (at) => [["toolbox", { tool: "remember", input: { text: `fact ${at} ${"of it ".repeat(at)}` } }]],
  recall: () => [["toolbox", { tool: "recall", input: { query: "fact" } }]],
  skill: (at) => [["toolbox", { tool: `skill:${at % 2 === 0 ? "pdf" : "forms"}` }]],
} satisfies Record<string, (at: number) => readonly (readonly [string, Json])[]>;

type CallKind = keyof typeof callKinds;
const isCallKind = (key: string): key is CallKind => Object.hasOwn(callKinds, key);
const arbitraryCall = fc.record({
  kind: fc.constantFrom(...Object.keys(callKinds).filter(isCallKind)),
  at: fc.nat({ max: 40 }),
});
type Call = typeof arbitraryCall extends fc.Arbitrary<infer T> ? T : never;

const arbitrarySpawn = fc.record({
  look: fc.boolean(),
  calls: fc.array(arbitraryCall, { maxLength: 3 }),
  answerLines: fc.constantFrom(1, 40, 1_000),
  /** The process is killed while the subagent works. */
  isKilled: fc.constantFrom(false, false, false, true),
});

const arbitraryStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("run" as const),
      calls: fc.array(arbitraryCall, { maxLength: 4 }),
      spawn: fc.option(arbitrarySpawn),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("offer", "define", "note", "skill", "guide"),
      at: fc.nat({ max: 42 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("gate" as const), state: fc.constantFrom(...gateStates) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("compact" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("session" as const), mode: fc.constantFrom(...modes) }) },
);
type Step = typeof arbitraryStep extends fc.Arbitrary<infer T> ? T : never;
type RunStep = Extract<Step, { readonly kind: "run" }>;
type Rig = Awaited<ReturnType<typeof makeRandomSessions>>;

const wire = ({ tools, messages }: ModelRequest): string => JSON.stringify([tools, messages]).slice(0, -2);
const sumTokens = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + estimateTokens(text), 0);

/** The context of a topic in a message. */
const topicTexts = (text: string, topic: string): readonly string[] =>
  splitMessageElements(text).flatMap((one) => (one.kind === "context" && one.topic === topic ? [one.text] : []));

/** The blocks at the start of a request that do not belong to its session alone. */
function startBlocksOf(text: string): string {
  let end = 0;
  for (const element of splitMessageElements(text)) {
    const isShared =
      element.kind === "context" && ["toolbox", "owner", "memory", "project", "tree"].includes(element.topic);
    if (!isShared) break;
    end = text.indexOf(element.whole, end) + element.whole.length;
  }
  return text.slice(0, end);
}

/** The share of the window that the catalogue and the memory each have; tokens. */
const smallShare = (window: number, most: number): number => Math.min(most, window / (window <= 8_192 ? 64 : 32));

/** The shares that every request keeps. `window` in tokens of the model server, of which one of ours has `ratio`. */
function checkShares({ messages, tools }: ModelRequest, window: number, ratio: number): void {
  const texts = messages.map(({ text }) => text);
  const start = texts[1] ?? "";
  const schemas = tools.filter(({ name }) => name.includes("__")).map((schema) => JSON.stringify(schema));
  const catalogue = smallShare(window, 1_200);
  const atStart = sumTokens([...schemas, ...topicTexts(start, "toolbox").slice(0, 1)]);
  expect(atStart, "tokens of the tools at the start").toBeLessThanOrEqual(catalogue);
  for (const text of texts.flatMap((one) => topicTexts(one, "toolbox")))
    expect(estimateTokens(text), "tokens of a catalogue").toBeLessThanOrEqual(catalogue);
  const memory = ["owner", "memory"].flatMap((topic) => texts.flatMap((text) => topicTexts(text, topic)));
  expect(memory.length, "texts of the memory").toBeLessThanOrEqual(2);
  expect(sumTokens(memory), "tokens of the memory").toBeLessThanOrEqual(smallShare(window, 1_000));
  const guides = texts.flatMap((text) => topicTexts(text, "guide"));
  expect(guides.length, "guides").toBeLessThanOrEqual(4);
  for (const guide of guides) {
    const tokens = estimateTokens(guide.slice(guide.indexOf("\n") + 1));
    expect(tokens * ratio, "tokens of a guide").toBeLessThanOrEqual(window / 32);
  }
}

/** The results of subagents and of skills in a session; tokens. */
function checkResults({ view }: Session, window: number): void {
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    for (const { name, output = [] } of entry.calls) {
      const texts = output.flatMap((block) => (block.type === "text" ? [block.text] : []));
      const share = name === "spawn" ? 1 / 16 : name?.startsWith("skill:") === true ? 1 / 8 : 1;
      expect(sumTokens(texts), `tokens of ${name}`).toBeLessThanOrEqual(window * share);
    }
  }
}

/** Checks each request against those before it. */
function makeJudge(window: number, ratio: number) {
  const last = new Map<string, SentRequest>();
  return (sent: SentRequest): void => {
    const { request, session, starts } = sent;
    const before = last.get(session.id);
    const parent = last.get(session.view.parent?.sessionId ?? "");
    last.set(session.id, sent);
    if (before !== undefined && before.starts === starts)
      expect(wire(request).startsWith(wire(before.request)), "the prefix of a request").toBe(true);
    if (before === undefined && parent !== undefined) {
      expect(request.tools).toEqual(parent.request.tools);
      expect(request.messages[0]).toEqual(parent.request.messages[0]);
      const start = startBlocksOf(parent.request.messages[1]?.text ?? "");
      expect(start).not.toBe("");
      expect(request.messages[1]?.text.startsWith(start), "the start of a subagent").toBe(true);
    }
    expect(Math.ceil(requestTokens(request) * ratio), "tokens of a request").toBeLessThanOrEqual(window);
    expect(brokenPairs(request.messages)).toEqual([]);
    checkShares(request, window, ratio);
  };
}

function changeWorld(rig: Rig, kind: string, at: number): void {
  const folder = folders[at % folders.length];
  if (kind === "offer") rig.external[at % 2]?.offer(toolNames.slice(0, at));
  else if (kind === "define") rig.external[at % 2]?.define(`v${at % 3}`);
  else if (kind === "note") rig.write("home", `memory/${["USER.md", "MEMORY.md"][at % 2]}`, lines(at * 4, "- a note"));
  else if (kind === "skill")
    rig.write(
      "home",
      `skills/${at % 4 < 2 ? "pdf" : "forms"}/SKILL.md`,
      skillFile(at % 4 < 2 ? "pdf" : "forms", `Fills in forms ${at}.`, lines(at * 30, "step")),
    );
  else rig.write("root", `${folder}/AGENTS.md`, lines(at * 20, `rule of ${folder}`));
}

/** The files of a project and of its user; `size` = 0 for none of the user's. */
function beginWorld(rig: Rig, size: number): void {
  for (const folder of folders) rig.write("root", `${folder}/x.ts`, lines(40, "export"));
  for (const kind of ["note", "skill", "guide", "offer"])
    for (let at = 0; at < folders.length && size > 0; at += 1) changeWorld(rig, kind, size + at);
}

async function runStep(rig: Rig, { calls, spawn }: RunStep, mode: (typeof modes)[number]): Promise<void> {
  const toAnswer = ({ kind, at }: Call): ScriptedAnswer => callAnswer(...callKinds[kind](at));
  const gate = makeGate();
  const own = calls.map(toAnswer);
  const ofSubagent = spawn === null ? [] : spawn.calls.map(toAnswer);
  const task = { task: "Find the cart", look: spawn?.look === true };
  const after = spawn?.isKilled === true ? [[gate, ...textAnswer("never")]] : [];
  const isKilled = after.length > 0;
  await rig.start(
    "go on",
    [...own, ...(spawn === null ? [] : [callAnswer(["toolbox", { tool: "spawn", input: task }])])],
    spawn === null ? [] : [...ofSubagent, ...after, textAnswer(lines(spawn.answerLines, "It is in cart.ts"))],
  );
  if (!isKilled) return void (await rig.ended());
  // The subagent may have been refused.
  const reached = await Promise.race([gate.reached.then(() => true), rig.ended().then(() => false)]);
  if (reached) await rig.restart(mode);
}

const tokenRatios = [1, 0.6, 1.7, 1.2];

test("requests of sessions and of their subagents keep their prefix, their window and their shares", async () => {
  const window = fc.constantFrom(4_096, 8_192, 16_384, 32_768);
  const ratios = fc.constantFrom(...tokenRatios);
  const gates = fc.constantFrom(...gateStates);
  const sizes = fc.constantFrom(0, 6, 36);
  const arbitrarySteps = fc.array(arbitraryStep, { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(window, ratios, sizes, gates, arbitrarySteps, async (numCtx, ratio, size, gate, steps) => {
      const failures: unknown[] = [];
      const judge = makeJudge(numCtx, ratio);
      const rig = await makeRandomSessions({
        numCtx,
        tokenRatio: () => ratio,
        // A failure here would be one of the model.
        check(sent) {
          try {
            judge(sent);
          } catch (error) {
            failures.push(error);
          }
        },
      });
      beginWorld(rig, size);
      rig.setGate(gate);
      let mode: (typeof modes)[number] = "ask";
      for (const step of steps) {
        if (step.kind === "run") {
          const before = rig.ranOutside();
          await runStep(rig, step, mode);
          if (rig.gate() === "deny") expect(rig.ranOutside(), "calls that a gate denies").toBe(before);
        } else if (step.kind === "gate") rig.setGate(step.state);
        else if (step.kind === "restart") await rig.restart(mode);
        else if (step.kind === "compact") await rig.compact();
        else if (step.kind === "session") {
          mode = step.mode;
          rig.begin(mode);
        } else changeWorld(rig, step.kind, step.at);
        expect(failures[0]).toBeUndefined();
        for (const one of [rig.session(), ...rig.subagents()]) checkResults(one, numCtx);
      }
    }),
    { numRuns: lawRuns(20) },
  );
}, 300_000);
