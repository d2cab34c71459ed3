import { describe, expect, test } from "vitest";
import { toChunks } from "@/lib/view/chunks";
import {
  type ApprovalId,
  asId,
  type CallId,
  type Hash,
  type MessageId,
  type RunId,
  type SessionId,
} from "@/lib/events/id";
import {
  type CallView,
  emptyView,
  type Entry,
  type MessageEntry,
  type SessionView,
  type ViewBlock,
} from "@/lib/view/view";
import { makeRunPrinter } from "./run-printer";
import { makeTestCall } from "./test-call";

const viewOf = (...entries: readonly Entry[]): SessionView => ({
  ...emptyView(asId<SessionId>("s")),
  entries: toChunks(entries),
});
const message = (seq: number, blocks: readonly ViewBlock[], calls: readonly CallView[] = []): MessageEntry => ({
  kind: "message",
  seq,
  messageId: asId<MessageId>(`m${seq}`),
  role: "assistant",
  at: 0,
  blocks,
  calls,
});
const text = (words: string): ViewBlock => ({ type: "text", text: words });

/** Collects all output in order. */
function printing(options: { readonly terminal?: boolean; readonly colours?: boolean } = {}) {
  let screen = "";
  const add = (piece: string): void => {
    screen += piece;
  };
  const printer = makeRunPrinter({ text: add, lines: add, terminal: false, colours: false, ...options });
  return { ...printer, screen: () => screen };
}

describe("the run printer", () => {
  test("prints each text once, however it is split", () => {
    const { show, end, screen } = printing();
    show(viewOf(message(5, [text("Hel")])), 4);
    show(viewOf(message(5, [text("Hel")])), 4);
    show(viewOf(message(5, [text("Hello.")])), 4);
    end();
    end();
    expect(screen()).toBe("Hello.\n");
  });
  test("prints a call that was taken for an example, once", () => {
    const { show, screen } = printing();
    const unrun = [{ name: "bash", input: { command: "npm test" }, reason: "example" as const }];
    const view = viewOf({ ...message(5, [text("Like this:")]), unrun });
    show(view, 4);
    show(view, 4);
    expect(screen()).toBe('Like this:\n· not run: bash {"command":"npm test"}: run or dismiss it in the browser\n');
  });
  test.each([
    [[["One."], ["One.", "Two."], ["One.\n\nTwo."]], "One.\n\nTwo."],
    [[["Use `"], ["Use `", "by hand."], ["Use `⏎⏎` if you want … by hand."]], "Use `\n\nby hand."],
    [[["I think", "so"], ["so it is."]], "I think\n\nso\n\nit is."],
    [[["thought"], ["Answer."]], "thought\n\nAnswer."],
  ])("prints no piece twice and none out of order when blocks are joined at the end: %j", (shown, printed) => {
    const { show, screen } = printing();
    for (const texts of shown) show(viewOf(message(5, texts.map(text))), 4);
    show(viewOf(message(5, (shown.at(-1) ?? []).map(text))), 4);
    expect(screen()).toBe(printed);
  });
  test("omits entries before the prompt, thinking, and the user's messages", () => {
    const { show, screen } = printing();
    const user: Entry = {
      kind: "message",
      seq: 7,
      messageId: asId<MessageId>("u"),
      role: "user",
      at: 0,
      blocks: [text("hi")],
      calls: [],
    };
    show(viewOf(message(3, [text("old")]), user, message(9, [{ type: "thinking", text: "hm" }, text("new")])), 5);
    expect(screen()).toBe("new");
  });
  test("separates two texts as paragraphs, with or without calls between", () => {
    const { show, end, screen } = printing();
    show(viewOf(message(1, [text("One."), text("Two.")])), 0);
    show(viewOf(message(1, [text("One."), text("Two.")], [makeTestCall({})]), message(2, [text("Three.")])), 0);
    end();
    expect(screen()).toBe("One.\n\nTwo.\n· ran npm test\n\nThree.\n");
  });
  test("prints one line per call, when it has ended", () => {
    const { show, screen } = printing();
    show(viewOf(message(1, [], [makeTestCall({ state: "running" })])), 0);
    expect(screen()).toBe("");
    for (const _twice of [1, 2]) show(viewOf(message(1, [], [makeTestCall({ facts: { exit: 1 } })])), 0);
    expect(screen()).toBe("· ran npm test · exit 1\n");
  });
  test("says of a denied call when no user could answer, and how to allow it", () => {
    const { show, markUnanswered, screen } = printing();
    const approvalId = asId<ApprovalId>("a1");
    const approval = { approvalId, at: 0, boundTo: asId<Hash>("h"), options: ["once", "deny"] } as const;
    const denied = (id: string): CallView =>
      makeTestCall({ callId: asId<CallId>(id), state: "denied", approvals: [approval] });
    show(viewOf(message(1, [], [denied("c1")])), 0);
    markUnanswered(approvalId);
    show(viewOf(message(1, [], [denied("c1")]), message(2, [], [denied("c2")])), 0);
    expect(screen()).toBe(
      "· denied npm test\n· denied npm test: it needs your approval; allow it once in a terminal or in the browser\n",
    );
  });
  test("prints retries and errors", () => {
    const { show, screen } = printing();
    const error = { code: "server_busy" } as const;
    show(
      viewOf(
        message(1, [text("Half")]),
        { kind: "retry", seq: 2, at: 0, messageId: asId<MessageId>("m1"), attempt: 1, of: 3, delayMs: 10, error },
        { kind: "error", seq: 3, at: 0, error },
        {
          kind: "run_end",
          seq: 4,
          at: 0,
          runId: asId<RunId>("r"),
          reason: "error",
          startedAt: 0,
          waitedMs: 0,
          steps: 1,
        },
      ),
      0,
    );
    expect(screen()).toBe("Half\n· retrying, 1 of 3: the model server is busy\ngopi-web: the model server is busy\n");
  });
  test("prints a wait that the server requested without counting it as an attempt", () => {
    const { show, screen } = printing();
    const error = { code: "server_busy", facts: { waitMs: 89_500 } } as const;
    const messageId = asId<MessageId>("m1");
    show(viewOf({ kind: "retry", seq: 2, at: 0, messageId, attempt: 1, of: 3, delayMs: 89_500, error }), 0);
    expect(screen()).toBe("· waiting 90 s, as the server requested: the model server is busy\n");
  });
  test("removes control sequences for a terminal, but not for a pipe", () => {
    const wild = viewOf(message(1, [text("a\u001b[2Jb")]));
    const [terminal, pipe] = [printing({ terminal: true }), printing()];
    terminal.show(wild, 0);
    pipe.show(wild, 0);
    expect([terminal.screen(), pipe.screen()]).toEqual(["a[2Jb", "a\u001b[2Jb"]);
  });
  test("prints colours only if enabled", () => {
    const { note, screen } = printing({ colours: true });
    note("· x");
    expect(screen()).toBe("\u001b[2m· x\u001b[22m\n");
  });
});
