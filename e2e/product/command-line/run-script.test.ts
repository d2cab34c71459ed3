// `gopi-web run --json --stdin`: a script drives a session by lines on standard input.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DurableEvent, Envelope } from "@/lib/events/event";
import { ProductCommand } from "../../fixtures/server";
import { subagentTurns, useSharedProduct } from "../../fixtures/shared-product";

const shared = useSharedProduct();

interface Refused {
  readonly line: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** A script that reads and writes lines. */
class Script {
  readonly run: ProductCommand;
  constructor(...args: readonly string[]) {
    this.run = new ProductCommand(shared.place, ["run", "--json", "--stdin", ...args], { input: null });
  }
  write(line: object): void {
    this.run.child.stdin?.write(`${JSON.stringify(line)}\n`);
  }
  end(text = ""): void {
    this.run.child.stdin?.end(text);
  }
  get printed(): readonly (Envelope | Refused)[] {
    const lines = this.run.stdout.split("\n").slice(0, -1);
    return lines.map((line): Envelope | Refused => JSON.parse(line));
  }
  get events(): readonly Envelope["event"][] {
    return this.printed.flatMap((line) => ("event" in line ? [line.event] : []));
  }
  get refused(): readonly Refused[] {
    return this.printed.flatMap((line) => ("error" in line ? [line] : []));
  }
  async event<T extends DurableEvent["type"]>(type: T, count = 1): Promise<Extract<DurableEvent, { type: T }>> {
    const find = () => this.events.filter((event): event is Extract<DurableEvent, { type: T }> => event.type === type);
    await this.run.until(() => find().length >= count);
    const found = find()[count - 1];
    if (found === undefined) throw new Error(`no ${type}`);
    return found;
  }
}

const lastRequest = (): string => shared.chats().at(-1)?.raw ?? "";
const edit = (path: string) => ({ name: "write", arguments: { path, content: "new\n" } });

test("a script prompts, steers, queues a message, answers cards and aborts, in one session", async () => {
  shared.subject.model.setScript({
    turns: [
      { text: "I write.", toolCalls: [edit("one.txt"), edit("two.txt")] },
      { text: "Written." },
      { text: "Followed." },
      { text: "one two three", holdAfter: 1 },
    ],
  });
  const script = new Script();
  script.write({ type: "prompt", text: "write 你好" });
  await script.event("approval_request");
  script.write({ type: "steer", text: "be quick" });
  script.write({ type: "follow_up", text: "and then" });
  // The cards of two calls may come in either order.
  for (const count of [1, 2]) {
    const { approvalId, callId } = await script.event("approval_request", count);
    const call = script.events.find((event) => event.type === "tool_call_start" && event.callId === callId);
    const isFirst = call?.type === "tool_call_start" && call.target === "one.txt";
    const answer = isFirst ? { option: "once" } : { option: "deny", reason: "one is enough" };
    script.write({ type: "answer", approvalId, ...answer });
  }
  await script.event("agent_end");
  expect(existsSync(join(shared.place.project, "two.txt"))).toBe(false);
  expect(readFileSync(join(shared.place.project, "one.txt"), "utf8")).toBe("new\n");
  await script.run.until(({ stdout }) => stdout.includes("Followed.") && script.events.at(-1)?.type === "agent_end");
  const ends = script.events.filter(({ type }) => type === "agent_end").length;
  script.write({ type: "prompt", text: "count" });
  await script.run.until(() =>
    script.events.some((event) => event.type === "message_delta" && event.text.includes("one")),
  );
  script.write({ type: "abort" });
  expect(await script.event("agent_end", ends + 1)).toMatchObject({ reason: "aborted" });
  script.end();
  expect(await script.run.done()).toMatchObject({ code: 130, stderr: "" });
  expect(script.refused).toEqual([]);
  const last = lastRequest();
  for (const text of ["write 你好", "be quick", "and then", "one is enough", "count"]) expect(last).toContain(text);
  shared.subject.model.release();
});

test("at the end of the input a card is denied, the run and its queued messages are finished: exit 4", async () => {
  shared.subject.model.setScript({
    turns: [{ text: "", toolCalls: [edit("one.txt")] }, { text: "Well." }, { text: "Last." }],
  });
  const script = new Script("write it");
  await script.event("approval_request");
  script.write({ type: "follow_up", text: "and then" });
  await script.event("queue_change");
  script.end();
  const { code, stdout } = await script.run.done();
  expect(code).toBe(4);
  expect(stdout).toContain("Last.");
  expect(lastRequest()).toContain("nobody could answer");
});

test("a card of a subagent, whose events are not printed, is denied while the input is open", async () => {
  shared.subject.model.setScript({ turns: subagentTurns });
  const script = new Script("run it", "--approve", "all");
  expect(await script.event("agent_end")).toMatchObject({ reason: "done" });
  script.end();
  expect((await script.run.done()).code).toBe(4);
});

test("a line that is not valid is reported with its number, and the session continues", async () => {
  const script = new Script();
  const lines = [
    "not json",
    '{"type":"sing"}',
    '{"type":"prompt","text":7}',
    `{"type":"prompt","text":"${"x".repeat(1_000_000)}"}`,
    "x".repeat(3_000_000),
    '{"type":"answer","approvalId":"gone","option":"once"}\r',
    "",
    '{"type":"prompt","text":"still here"}',
  ];
  script.end(lines.join("\n"));
  const { code, stderr } = await script.run.done();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(script.refused.map(({ line, error }) => [line, error.code])).toEqual([
    [1, "bad_input"],
    [2, "bad_input"],
    [3, "bad_input"],
    [4, "bad_input"],
    [5, "too_large"],
    [6, "gone"],
  ]);
  expect(script.events.at(-1)).toMatchObject({ type: "agent_end", reason: "done" });
  expect(lastRequest()).toContain("still here");
});

test("without a prompt it is a usage error, and Ctrl+C ends it at once or with its run", async () => {
  const empty = new Script();
  empty.end();
  expect(await empty.run.done()).toMatchObject({ code: 2, stderr: expect.stringContaining("No line had a prompt") });
  shared.subject.model.setScript({ turns: [{ text: "one two three", holdAfter: 1 }] });
  const running = new Script("count");
  await running.run.until(({ stdout }) => stdout.includes("message_delta"));
  running.run.child.kill("SIGINT");
  expect((await running.run.done()).code).toBe(130);
  expect(running.events.at(-1)).toMatchObject({ type: "agent_end", reason: "aborted" });
  shared.subject.model.release();
});
