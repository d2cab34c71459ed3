import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DurableEvent } from "../events/event";
import { asId, type MessageId } from "../events/id";
import { cpuRatio } from "../testing/test-cpu";
import { testSessionId } from "../testing/test-log";
import {
  type ChecklistItem,
  countDone,
  findPlan,
  formatChecklist,
  formatPlanMessage,
  mergeTicks,
  readChecklist,
} from "./checklist";
import { fold } from "./fold";
import { emptyView, type SessionView } from "./view";

let ids = 0;
const message = (
  role: "user" | "assistant",
  text: string,
  stop: "done" | "aborted" | null = "done",
): readonly DurableEvent[] => {
  const messageId = asId<MessageId>(`m${(ids += 1)}`);
  const start: DurableEvent = { type: "message_start", messageId, role };
  const end: DurableEvent[] =
    stop === null ? [] : [{ type: "message_end", messageId, blocks: [{ type: "text", text }], stop }];
  return [start, ...end];
};
const view = (...events: readonly (readonly DurableEvent[])[]): SessionView =>
  events
    .flat()
    .reduce<SessionView>(
      (now, event) => fold(now, { v: 1, sessionId: testSessionId, seq: now.seq + 1, at: 1, event }),
      emptyView(testSessionId),
    );
const planLines = (...events: readonly (readonly DurableEvent[])[]): string | null => {
  const plan = findPlan(view(...events));
  return plan === null ? null : formatChecklist(plan.items);
};

describe("a checklist is read from text", () => {
  test.each([
    ["with other marks and numbers", "* [ ] a\n+ [x] b\n1. [X] c\n2) [ ] d", "- [ ] a\n- [x] b\n- [x] c\n- [ ] d"],
    ["with ticks as characters", "- [✓] a\n• [ ] b", "- [x] a\n- [ ] b"],
    ["with levels", "- [ ] a\n  - [x] b\n    - [ ] c\n- [ ] d", "- [ ] a\n  - [x] b\n    - [ ] c\n- [ ] d"],
    ["indented by tabs, with carriage returns", "- [ ] a\r\n\t- [x] b\r", "- [ ] a\n  - [x] b"],
    ["with blank and continuation lines", "- [ ] a\n\n  more of a\n- [x] b", "- [ ] a\n- [x] b"],
    ["the last of several", "Old:\n- [ ] gone\n\nNew:\n- [ ] here", "- [ ] here"],
    ["in a block of Markdown", "```markdown\n- [ ] a\n```", "- [ ] a"],
    ["not in a block of code", "- [ ] a\n\n```yaml\n- [ ] no\n```\n", "- [ ] a"],
    ["in Chinese", "- [x] 读取配置\n- [ ] 写测试", "- [x] 读取配置\n- [ ] 写测试"],
    ["without a list", "No list, - [ ] not one either\n- [y] nor this\n-[ ] nor this", ""],
  ])("%s", (_, text, lines) => {
    expect(formatChecklist(readChecklist(text))).toBe(lines);
  });

  test("at most 100 items", () => {
    expect(readChecklist("- [ ] a\n".repeat(300))).toHaveLength(100);
  });

  test("of hostile text in linear time", () => {
    const line = `- [ ] ${" ".repeat(50_000)}`;
    expect(readChecklist([line, "`".repeat(100_000), `${"\t".repeat(50_000)}x`].join("\n"))).toEqual([]);
  });

  test("what is formatted is read again", () => {
    const words = fc.stringMatching(/^[a-z中`*_-]([a-z中`*_ -]{0,20}[a-z中`*_-])?$/u);
    const items = fc.array(fc.record({ text: words, isDone: fc.boolean(), depth: fc.constant(0) }), { minLength: 1 });
    fc.assert(
      fc.property(items, (list: readonly ChecklistItem[]) => {
        expect(readChecklist(formatChecklist(list))).toEqual(list.slice(0, 100));
      }),
    );
  });
});

describe("the plan of a session", () => {
  const two = message("assistant", "- [ ] Read **config**\n- [ ] Write tests");

  test("is the list that the model wrote last, wherever it was", () => {
    expect(planLines(message("user", "go"), two, message("assistant", "Working."))).toBe(
      "- [ ] Read **config**\n- [ ] Write tests",
    );
    expect(planLines(two, message("assistant", "- [ ] other\n- [ ] steps"))).toBe("- [ ] other\n- [ ] steps");
    expect(planLines(message("user", "go"))).toBeNull();
  });

  test("takes the ticks of an answer that repeats a part of it", () => {
    expect(planLines(two, message("assistant", "Done:\n- [x] read config."))).toBe(
      "- [x] Read **config**\n- [ ] Write tests",
    );
    expect(planLines(two, message("assistant", "- [x] Deploy"))).toBe("- [x] Deploy");
  });

  test("is compared with hostile items in linear time", () => {
    const compare = (count: number) => () =>
      expect(planLines(two, message("assistant", `- [x] ${". ".repeat(count)}x`))).toContain(". . x");
    expect(cpuRatio(compare(20_000), compare(2_500), 32)).toBeLessThan(32);
  });

  test("is ticked by whole lines of an answer that is not finished, and not replaced by its list", () => {
    const unfinished = (text: string): string | null => {
      const start = view(two, message("assistant", "", null));
      const messageId = asId<MessageId>(`m${ids}`);
      const live = { type: "message_delta" as const, messageId, block: 0, kind: "text" as const, offset: 0, text };
      const plan = findPlan(fold(start, { v: 1, sessionId: testSessionId, after: start.seq, at: 1, event: live }));
      return plan === null ? null : formatChecklist(plan.items);
    };
    expect(unfinished("- [x] Read config\n- [x] Write te")).toBe("- [x] Read **config**\n- [ ] Write tests");
    expect(unfinished("- [x] Other\n")).toBe("- [ ] Read **config**\n- [ ] Write tests");
  });

  test("is what the user made of it, and not a list that the user wrote about", () => {
    const changed = formatPlanMessage("I changed the plan:", [
      { text: "Deploy", isDone: true, depth: 0 },
      { text: "to both", isDone: false, depth: 1 },
    ]);
    expect(planLines(two, message("user", changed))).toBe("- [x] Deploy\n  - [ ] to both");
    expect(planLines(two, message("user", changed), message("assistant", "- [x] to both"))).toBe(
      "- [x] Deploy\n  - [x] to both",
    );
    for (const text of ["- [ ] buy milk", "Fix this file:\n- [ ] buy milk", `${changed}\n\nand more`])
      expect(planLines(two, message("user", text)), text).toBe("- [ ] Read **config**\n- [ ] Write tests");
  });

  test("is what the user made of it, whichever steps were removed", () => {
    const item = fc.record({
      text: fc.stringMatching(/^[a-z]{1,8}$/),
      isDone: fc.boolean(),
      depth: fc.nat({ max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (items) => {
        const plan = findPlan(view(two, message("user", formatPlanMessage("I changed the plan:", items))));
        expect(plan?.items.map(({ text, isDone }) => ({ text, isDone }))).toEqual(
          items.map(({ text, isDone }) => ({ text, isDone })),
        );
      }),
    );
  });

  test("keeps the ticks of the model where the user changed only other things", () => {
    const row = (text: string, isDone: boolean, isTickChanged = false) => ({ text, isDone, depth: 0, isTickChanged });
    const now = readChecklist("- [x] Read **config**\n- [x] Write tests\n- [ ] Deploy");
    const edited = [row("Read config", false), row("Write tests", false, true), row("Deploy twice", false)];
    expect(formatChecklist(mergeTicks(edited, now))).toBe("- [x] Read config\n- [ ] Write tests\n- [ ] Deploy twice");
  });

  test("names the message that changed it, and counts what is done", () => {
    const plan = findPlan(view(two, message("assistant", "- [x] Write tests")));
    expect(plan?.seq).toBe(3);
    expect(plan && countDone(plan)).toEqual({ done: 1, total: 2 });
  });
});
