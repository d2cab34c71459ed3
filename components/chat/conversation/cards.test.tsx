import type { ReactNode } from "react";
import { text } from "node:stream/consumers";
import { renderToString } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import { expect, test } from "vitest";
import { type ErrorCode, makeError } from "@/lib/events/error";
import { asId, type BlobId, type CallId, type MessageId, type RunId } from "@/lib/events/id";
import type { CallView, Entry, MessageEntry } from "@/lib/view/view";
import { StaticConversationMessages } from "../../messages/conversation-messages";
import { en } from "../../messages/en";
import * as enConversation from "../../messages/en-conversation";
import { type Messages, StaticMessages } from "../../messages/messages";
import { zhCN } from "../../messages/zh-CN";
import * as zhCNConversation from "../../messages/zh-CN-conversation";
import {
  type BranchControls,
  type ConversationActions,
  ConversationActionsContext,
  ConversationFactsContext,
  defaultFacts,
  readOnlyActions,
  type ConversationFacts,
  type RunControls,
} from "../actions";
import { noopRunControls, resolveFalse, noop } from "../noop-run-controls";
import type { CachedPrefix, RunSummary } from "../run/run-summary";
import { CompactionCard } from "./compaction-card";
import { ErrorCard } from "../errors/error-card";
import { PhaseLine } from "../run/phase-line";
import { RunDetails } from "../run/run-details";
import { RunEndLine } from "../run/run-end-line";
import { ConnectionLine, ModelLine } from "../start/model-line";
import { ToolLine } from "../tools/tool-line";

const branch: BranchControls = { resend: resolveFalse, rewind: noop, fork: noop, setLabel: noop };
const facts: ConversationFacts = {
  ...defaultFacts,
  model: {
    provider: "ollama",
    model: "qwen3:8b",
    toolMode: "native",
    numCtx: 8_192,
    think: true,
    profile: "default",
    prompt: asId<BlobId>("b"),
  },
};

const conversationOf = (messages: Messages) => (messages === en ? enConversation : zhCNConversation);

function draw(
  messages: Messages,
  children: ReactNode,
  more: Partial<ConversationFacts> = {},
  driving: RunControls | null = noopRunControls,
) {
  return renderToString(frame(messages, children, more, driving)).replaceAll("&#x27;", "'");
}

/** The same with what is loaded late. */
async function drawLoaded(messages: Messages, children: ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(frame(messages, children));
  return text(prelude);
}

function frame(
  messages: Messages,
  children: ReactNode,
  more: Partial<ConversationFacts> = {},
  driving: RunControls | null = noopRunControls,
) {
  return (
    <StaticMessages messages={messages}>
      <StaticConversationMessages messages={conversationOf(messages)}>
        <ConversationActionsContext value={{ ...readOnlyActions, runControls: driving }}>
          <ConversationFactsContext value={{ ...facts, ...more }}>{children}</ConversationFactsContext>
        </ConversationActionsContext>
      </StaticConversationMessages>
    </StaticMessages>
  );
}
const both: readonly (readonly [string, Messages])[] = [
  ["English", en],
  ["Chinese", zhCN],
];
const filled = (html: string): number => html.split('data-look="primary"').length - 1;

test.each(both)("a loop error shows its facts and at most one primary button, in %s", (_name, messages) => {
  const error = { code: "loop_detected", facts: { tool: "read", target: "<b>.ts", times: 3, period: 1 } } as const;
  const card = draw(messages, <ErrorCard error={error} turnPosition="end" canContinue />);
  expect(card).toContain("read &lt;b&gt;.ts");
  expect(card).toContain(messages.chat.steer);
  expect(card).toContain(messages.chat.resume);
  expect(filled(card)).toBe(1);
  expect(card).not.toContain('role="alert"');
});

test.each(both)("a lost connection is shown as an alert with a continue button, in %s", (_name, messages) => {
  const card = draw(messages, <ErrorCard error={{ code: "connection_lost" }} turnPosition="end" canContinue={false} />);
  expect(card).toContain('role="alert"');
  expect(card).toContain(messages.chat.goOn);
  const earlier = draw(
    messages,
    <ErrorCard error={{ code: "connection_lost" }} turnPosition="past" canContinue={false} />,
  );
  expect(earlier).toContain(messages.errors.sentences.connection_lost);
  expect(earlier).not.toContain(messages.chat.goOn);
});

test("a viewer of a share sees the error without buttons", () => {
  const card = draw(
    en,
    <ErrorCard error={{ code: "model_missing" }} turnPosition="end" canContinue={false} />,
    {},
    null,
  );
  expect(card).toContain(en.errors.sentences.model_missing);
  expect(filled(card)).toBe(0);
  expect(card).not.toContain(en.chat.pull("qwen3:8b"));
});

test("a model that is being pulled shows its download and a cancel button", () => {
  const card = draw(en, <ErrorCard error={{ code: "model_missing" }} turnPosition="end" canContinue={false} />, {
    pulls: [
      {
        name: "qwen3:8b",
        status: "downloading",
        completedBytes: 1_200_000_000,
        totalBytes: 4_800_000_000,
        bytesPerSecond: 31_000_000,
      },
    ],
  });
  expect(card).toContain("1.2\u00a0GB of 4.8\u00a0GB");
  expect(card).toContain(en.models.cancel);
  expect(card).not.toContain(en.chat.pull("qwen3:8b"));
});

const compaction: Extract<Entry, { kind: "compaction" }> = {
  kind: "compaction",
  seq: 4,
  at: 0,
  state: "done",
  tokensBefore: 9_500,
  tokensAfter: 3_000,
  why: "user",
  focus: "the tests",
  summary: "## Goal\nFix <it>.",
  mechanical: true,
  resultTokens: 512,
};

test.each(both)("a compaction shows its token counts, its cause and how it was made, in %s", (_name, messages) => {
  const card = draw(messages, <CompactionCard entry={compaction} isInForce open onToggle={noop} />);
  expect(card).toContain("9.5k → 3k");
  expect(card).toContain(conversationOf(messages).compaction.why.user);
  expect(card).toContain("the tests");
  expect(card).toContain("512");
  expect(card).toContain("&lt;it&gt;");
  expect(card).toContain(conversationOf(messages).compaction.edit);
});

test("only the newest summary can be edited, and only while no run is open", () => {
  const card = (isInForce: boolean, isIdle: boolean) =>
    draw(en, <CompactionCard entry={compaction} isInForce={isInForce} open onToggle={noop} />, { isIdle });
  expect(card(false, true)).not.toContain(enConversation.compaction.edit);
  expect(card(true, false)).toContain(enConversation.compaction.editLater);
});

test("a compaction that left out reasoning alone is marked, and has no summary to edit", () => {
  const entry = { ...compaction, reasoningOnly: true, summary: "", focus: undefined } as const;
  const card = draw(en, <CompactionCard entry={entry} isInForce open onToggle={noop} />);
  expect(card).toContain("Nothing was summarized.");
  expect(card).not.toContain(enConversation.compaction.edit);
});

test("a running compaction can be stopped; a failed one is reported", () => {
  const running = draw(
    en,
    <CompactionCard entry={{ ...compaction, state: "running" }} isInForce={false} open={false} onToggle={noop} />,
  );
  expect(running).toContain(en.composer.stop);
  const failed = draw(
    en,
    <CompactionCard entry={{ ...compaction, state: "failed" }} isInForce={false} open={false} onToggle={noop} />,
  );
  expect(failed).toContain(enConversation.compaction.failed);
});

const summary: RunSummary = {
  files: 0,
  added: 0,
  removed: 0,
  commands: 0,
  refused: 0,
  refusedCommands: 0,
  workedMs: 12_000,
  waitedMs: 0,
  tokensPerSecond: null,
  server: { answers: 2, loadMs: 2_000, readMs: 1_400, writeMs: 9_000, promptTokens: 7_300, outputTokens: 260 },
  firstTokenMs: 850,
  cachedPrefix: { share: 0.99, isEstimate: false },
  servedBy: [],
  readAgain: 0,
  movesOften: false,
};
const end: Extract<Entry, { kind: "run_end" }> = {
  kind: "run_end",
  seq: 9,
  at: 12_000,
  runId: asId<RunId>("r"),
  reason: "done",
  startedAt: 0,
  waitedMs: 0,
  steps: 3,
};

test.each(both)("the details of a run show times, tokens and the cached prefix, in %s", (_name, messages) => {
  const line = (cachedPrefix: CachedPrefix | null) =>
    draw(messages, <RunDetails steps={end.steps} summary={{ ...summary, cachedPrefix }} />);
  const { firstToken } = conversationOf(messages).runDetails;
  for (const text of [
    "99%",
    "7.3k",
    "260",
    messages.figures.duration(1_400),
    firstToken,
    messages.figures.duration(850),
  ])
    expect(line(summary.cachedPrefix)).toContain(text);
  expect(line({ share: 0.4, isEstimate: true })).toContain(conversationOf(messages).runDetails.prefixAbout("40%"));
  expect(line(null)).toContain(conversationOf(messages).runDetails.prefixUnknown);
});

test.each(both)(
  "the details of a run show the hosts, and text that was read again with its reason, in %s",
  (...row) => {
    const [, messages] = row;
    const { readAgain, servedBy, movesOften } = conversationOf(messages).runDetails;
    const details = (more: Partial<RunSummary>) =>
      draw(messages, <RunDetails steps={3} summary={{ ...summary, ...more }} />);
    for (const text of [readAgain, servedBy, movesOften]) expect(details({})).not.toContain(text);
    const shown = details({ servedBy: ["gpu-1", "gpu-2"], readAgain: 12_000 });
    for (const text of [readAgain, "12k", servedBy, "gpu-1, gpu-2"]) expect(shown).toContain(text);
    expect(shown).not.toContain(movesOften);
    expect(details({ readAgain: 12_000, movesOften: true })).toContain(movesOften);
  },
);

test.each(both)("a run whose commands were refused shows that none ran, in %s", (_name, messages) => {
  const line = (counts: Pick<RunSummary, "commands" | "refused" | "refusedCommands">) =>
    draw(
      messages,
      <RunEndLine
        hasPlan={false}
        isUndone={false}
        entry={end}
        summary={{ ...summary, ...counts }}
        canContinue={false}
        last
        hasUndo={false}
        open={false}
        onToggle={noop}
      />,
    );
  const { run } = messages.chat;
  const refused = line({ commands: 0, refused: 2, refusedCommands: 1 });
  expect(refused).toContain(run.commands(0));
  expect(refused).toContain(run.refused(2));
  expect(line({ commands: 0, refused: 1, refusedCommands: 0 })).not.toContain(run.commands(0));
  expect(line({ commands: 0, refused: 0, refusedCommands: 0 })).not.toContain(run.refused(0));
});

test.each(both)("a run that waited for the user shows work and wait time separately, in %s", (_name, messages) => {
  const line = (times: Pick<RunSummary, "workedMs" | "waitedMs">, run = end) =>
    draw(
      messages,
      <RunEndLine
        hasPlan={false}
        isUndone={false}
        entry={run}
        summary={{ ...summary, ...times }}
        canContinue
        last
        hasUndo
        open={false}
        onToggle={noop}
      />,
    );
  const [worked, waited] = [messages.figures.duration(2_300), messages.figures.duration(43_000)];
  expect(line({ workedMs: 2_300, waitedMs: 43_000 })).toContain(`${worked} + ${messages.chat.run.waited(waited)}`);
  expect(line({ workedMs: 2_300, waitedMs: 0 })).not.toContain(messages.chat.run.waited(""));
  const killed = line({ workedMs: null, waitedMs: 0 }, { ...end, reason: "interrupted" });
  expect(killed).toContain(messages.chat.run.interrupted);
  expect(killed).not.toContain(messages.figures.duration(0));
});

test.each(both)("only the newest run that the user stopped offers to continue, in %s", async (_name, messages) => {
  const actions: ConversationActions = {
    ...readOnlyActions,
    runControls: noopRunControls,
    branchControls: branch,
  };
  const offers = async (more: Partial<typeof end>, last = true, used = actions): Promise<boolean> => {
    const line = await drawLoaded(
      messages,
      <ConversationActionsContext value={used}>
        <RunEndLine
          hasPlan={false}
          isUndone={false}
          entry={{ ...end, reason: "aborted", ...more }}
          summary={summary}
          canContinue={false}
          last={last}
          hasUndo={false}
          open={false}
          onToggle={noop}
        />
      </ConversationActionsContext>,
    );
    return line.includes(`>${messages.chat.goOn}<`);
  };
  expect(await offers({})).toBe(true);
  expect(await offers({}, false)).toBe(false);
  expect(await offers({}, true, readOnlyActions)).toBe(false);
  // The user's own command.
  expect(await offers({ steps: 0 })).toBe(false);
  expect(await offers({ reason: "done" })).toBe(false);
});

test.each(both)("a run in Plan mode ends with buttons to carry out the plan, in %s", (_name, messages) => {
  const line = (
    more: Partial<ConversationFacts>,
    last = true,
    driving: RunControls | null = noopRunControls,
    hasPlan = true,
  ) =>
    draw(
      messages,
      <RunEndLine
        entry={end}
        summary={summary}
        hasPlan={hasPlan}
        isUndone={false}
        canContinue={false}
        last={last}
        hasUndo={last}
        open={false}
        onToggle={noop}
      />,
      more,
      driving,
    );
  expect(line({ mode: "plan" })).toContain(messages.chat.plan.carryOut);
  expect(line({ mode: "plan" })).toContain(messages.chat.plan.carryOutEdits);
  expect(line({ mode: "ask" })).not.toContain(messages.chat.plan.carryOut);
  expect(line({ mode: "plan", isIdle: false })).not.toContain(messages.chat.plan.carryOut);
  expect(line({ mode: "plan" }, false)).not.toContain(messages.chat.plan.carryOut);
  expect(line({ mode: "plan" }, true, null)).not.toContain(messages.chat.plan.carryOut);
  expect(line({ mode: "plan" }, true, noopRunControls, false)).not.toContain(messages.chat.plan.carryOut);
});

test("an earlier pause has a short text, the newest one a card", () => {
  const paused = { ...end, reason: "limit" as const };
  const line = (canContinue: boolean) =>
    draw(
      en,
      <RunEndLine
        entry={paused}
        summary={summary}
        hasPlan={false}
        isUndone={false}
        cause={{ code: "time_limit" }}
        canContinue={canContinue}
        last
        hasUndo
        open={false}
        onToggle={noop}
      />,
    );
  expect(line(false)).toContain(en.chat.pausedBy.time_limit);
  expect(line(true)).toContain(en.errors.sentences.time_limit);
  expect(line(true)).not.toContain(en.chat.pausedBy.time_limit);
});

const call: CallView = {
  callId: asId<CallId>("c"),
  name: "grep",
  kind: "search",
  target: "'a'",
  facts: { matches: 1 },
  state: "ok",
  approvals: [],
  output: [{ type: "text", text: "a.ts:1: a" }],
};

test.each(both)("only a running command can be terminated, and only by its owner, in %s", (_name, messages) => {
  const line = (more: Partial<CallView>, driving: RunControls | null = noopRunControls) =>
    draw(
      messages,
      <ToolLine call={{ ...call, kind: "shell", state: "running", ...more }} open={false} onToggle={noop} />,
      {},
      driving,
    );
  expect(line({})).toContain(conversationOf(messages).tools.endCommand);
  expect(line({}, null)).not.toContain(conversationOf(messages).tools.endCommand);
  for (const other of [{ state: "waiting" }, { state: "ok" }, { kind: "search" }] as const)
    expect(line(other)).not.toContain(conversationOf(messages).tools.endCommand);
});

test.each(both)(
  "a call parsed from text is marked and shows its source text in the details, in %s",
  (_name, messages) => {
    const raw = '<tool_call>{"name": "grep"}';
    expect(draw(messages, <ToolLine call={call} raw={raw} open={false} onToggle={noop} />)).toContain(
      conversationOf(messages).tools.repairedMark,
    );
    expect(draw(messages, <ToolLine call={call} raw={raw} open onToggle={noop} />)).toContain("&lt;tool_call&gt;");
    expect(draw(messages, <ToolLine call={call} open={false} onToggle={noop} />)).not.toContain(
      conversationOf(messages).tools.repairedMark,
    );
  },
);

test.each(both)("a queued request can be moved first, but not by a viewer, in %s", (_name, messages) => {
  const line = <PhaseLine phase={{ phase: "queued", sinceMs: 0, ahead: 3 }} lastEventAt={0} />;
  expect(draw(messages, line)).toContain(messages.chat.runFirst);
  expect(draw(messages, line, {}, null)).not.toContain(messages.chat.runFirst);
});

test.each(both)(
  "the start names an installed model and links to the settings for a missing one, in %s",
  (_name, messages) => {
    const renderModelChange = (model: string): string =>
      draw(
        messages,
        <ModelLine
          server={{
            status: "ready",
            host: "http://127.0.0.1:11434",
            models: [{ name: "qwen3:latest", capabilities: [], cloud: false }],
            loaded: [],
            canStart: false,
          }}
          model={model}
          window={8_192}
        />,
      );
    expect(renderModelChange("qwen3")).toContain(messages.models.idle("qwen3", "8k"));
    expect(renderModelChange("gone:8b")).toContain(messages.chat.missing("gone:8b"));
    expect(renderModelChange("gone:8b")).toContain("/settings/model");
  },
);

test.each(both)("a connection without a model asks for one under its localised name, in %s", (_name, messages) => {
  const connection = {
    id: "environment",
    name: "As the server calls it",
    preset: "custom",
    baseUrl: "http://127.0.0.1:1",
    numCtx: 0,
    key: { from: "none" },
    local: true,
  } as const;
  const line = draw(messages, <ConnectionLine model="" connection={{ ...connection, model: "" }} />);
  expect(line).toContain(messages.connections.environment);
  expect(line).not.toContain(connection.name);
});

test.each(both)(
  "a run that changed files offers a review, the newest of them also an undo, in %s",
  (_name, messages) => {
    const actions: ConversationActions = { ...readOnlyActions, reviewChanges: noop, restoreFiles: noop };
    const line = (last: boolean, files: number, { hasUndo = last, isUndone = false } = {}) =>
      draw(
        messages,
        <ConversationActionsContext value={actions}>
          <RunEndLine
            entry={end}
            summary={{ ...summary, files }}
            from={1}
            hasPlan={false}
            isUndone={isUndone}
            canContinue={false}
            last={last}
            hasUndo={hasUndo}
            open={false}
            onToggle={noop}
          />
        </ConversationActionsContext>,
      );
    expect(line(true, 2)).toContain(messages.chat.run.review);
    expect(line(true, 2)).toContain(messages.chat.run.undo(2));
    expect(line(false, 2)).toContain(messages.chat.run.review);
    expect(line(false, 2)).not.toContain(messages.chat.run.undo(2));
    expect(line(false, 2, { hasUndo: true })).toContain(messages.chat.run.undo(2));
    expect(line(true, 2)).not.toContain(messages.chat.run.undone);
    expect(line(true, 2, { isUndone: true })).toContain(messages.chat.run.undone);
    for (const last of [true, false]) expect(line(last, 0)).not.toContain(messages.chat.run.review);
  },
);

test("the actions of a run's end are one group with the menu last", async () => {
  const actions: ConversationActions = {
    ...readOnlyActions,
    reviewChanges: noop,
    restoreFiles: noop,
    branchControls: branch,
  };
  const line = await drawLoaded(
    en,
    <ConversationActionsContext value={actions}>
      <RunEndLine
        entry={end}
        summary={{ ...summary, files: 2 }}
        from={1}
        hasPlan={false}
        isUndone={false}
        canContinue={false}
        last
        hasUndo
        open={false}
        onToggle={noop}
      />
    </ConversationActionsContext>,
  );
  const [, group = ""] = line.split("data-run-actions");
  const places = [en.chat.run.review, en.chat.run.undo(2), en.branches.run].map((name) => group.indexOf(name));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(group.slice(0, group.indexOf(en.branches.run))).not.toContain("</div>");
});

const request: MessageEntry = {
  kind: "message",
  seq: 2,
  messageId: asId<MessageId>("m"),
  role: "user",
  at: 0,
  blocks: [{ type: "text", text: "one" }],
  stop: "done",
  calls: [],
  from: 0,
};

test.each(both)(
  "an error that ended a run offers a retry where no other remedy is needed first, in %s",
  (_name, messages) => {
    const card = (code: ErrorCode, more: Partial<ConversationFacts> = {}, standing: "end" | "turn" = "end") =>
      draw(
        messages,
        <ConversationActionsContext
          value={{ ...readOnlyActions, runControls: noopRunControls, branchControls: branch }}
        >
          <ErrorCard error={makeError(code)} turnPosition={standing} canContinue={false} request={request} />
        </ConversationActionsContext>,
        more,
      );
    const again = `>${messages.branches.again}<`;
    expect(card("internal")).toContain(again);
    expect(filled(card("internal"))).toBe(1);
    expect(card("server_error")).toContain(again);
    expect(filled(card("server_error"))).toBe(1);
    for (const other of [card("model_missing"), card("internal", { isIdle: false }), card("internal", {}, "turn")])
      expect(other).not.toContain(again);
  },
);

test("a call whose output is withheld from a viewer differs from one without output", () => {
  const line = (call: CallView) =>
    draw(
      en,
      <ConversationActionsContext value={{ ...readOnlyActions }}>
        <ToolLine call={call} open onToggle={noop} />
      </ConversationActionsContext>,
    );
  const heldBack = line({ ...call, output: [], cut: { shown: 0, total: 15_000 } });
  expect(heldBack).toContain(enConversation.tools.notShared);
  expect(heldBack).not.toContain("15\u00a0kB");
  expect(line({ ...call, output: [] })).toContain(enConversation.tools.noOutput);
  expect(line({ ...call, output: [], cut: { shown: 0, total: 0 } })).toContain(enConversation.tools.noOutput);
});
