import { describe, expect, test } from "vitest";
import type { DoctorReport, DoctorStep } from "@/lib/models/models";
import { stepLine, verdictLine } from "./doctor-lines";

describe("lines of a model test", () => {
  test.each<[DoctorStep, string]>([
    [
      { step: "load", state: "ok", ms: 4_210, facts: { vramShare: 0.52, allocated: 16_384 } },
      "  load into memory      passed (4.2 s): 52 % on the GPU, window 16384 tokens",
    ],
    [
      { step: "load", state: "ok", ms: 900, facts: { vramShare: 0 } },
      "  load into memory      passed (0.9 s): on the CPU",
    ],
    [
      { step: "answer", state: "ok", ms: 3_000, facts: { tokens: 40, writePerSecond: 31.5, thinks: true } },
      "  read and write        passed (3.0 s): writes 31.5 tokens a second",
    ],
    [
      { step: "tools", state: "weak", ms: 8_000, facts: { mode: "react", tries: 2, repaired: true } },
      "  call a tool           passed with issues (8.0 s): calls: react, arguments repaired, 2 attempts",
    ],
    [{ step: "edit", state: "skipped" }, "  change a file         skipped"],
    [
      {
        step: "window",
        state: "failed",
        ms: 20_000,
        facts: { sent: 12_000, read: 4_000 },
        error: { code: "prompt_cut", detail: "\u001b[2Jgone" },
      },
      "  recall a long prompt  failed (20.0 s): 4000 tokens read, the model server cut the prompt (\\u{1b}[2Jgone)",
    ],
    [
      { step: "window", state: "failed", ms: 9_000, facts: { read: 9_000 } },
      "  recall a long prompt  failed (9.0 s): 9000 tokens read, forgot the start",
    ],
    [
      { step: "nested", state: "weak", ms: 4_000, facts: { tries: 2, repaired: true } },
      "  call in the toolbox   passed with issues (4.0 s): call repaired, 2 attempts",
    ],
    [
      { step: "conversations", state: "weak", ms: 3_000, facts: { keeps: "no", firstMs: 900, againMs: 870 } },
      "  two conversations     passed with issues (3.0 s): the server keeps one: after a subagent it reads the conversation again, read in 0.9 s at first, in 0.9 s then",
    ],
    [
      { step: "conversations", state: "skipped", ms: 3_000, facts: { keeps: "unknown" } },
      "  two conversations     skipped (3.0 s): the server's figures do not say",
    ],
    [
      {
        step: "template",
        state: "weak",
        ms: 3_000,
        facts: { moves: "yes", cached: 12, prompt: 1_500, proposed: "xml" },
      },
      "  place of the tools    passed with issues (3.0 s): the model's template moves them, so each request is read from the start, 12 tokens cached, calls as text work: choose xml",
    ],
  ])("%j is formatted as one line", (step, line) => {
    expect(stepLine(step)).toBe(line);
  });

  test("the verdict line names the window, and the tool mode if not native", () => {
    const report: DoctorReport = {
      model: "m:8b",
      at: 1,
      tookMs: 61_400,
      steps: [],
      verdict: "helper",
      toolMode: "xml",
      readPerSecond: 0,
      writePerSecond: 0,
      numCtx: 8_192,
    };
    const words = "good as a helper: give it small tasks and check each change";
    expect(verdictLine(report)).toBe(
      `m:8b is ${words}. Window 8192 tokens. Its tool calls are read from its text (xml). The test took 61.4 s.`,
    );
    expect(verdictLine({ ...report, toolMode: "native" })).not.toContain("read from its text");
  });
});
