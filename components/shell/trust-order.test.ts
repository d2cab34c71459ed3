import { expect, test } from "vitest";
import type { TrustFinding } from "@/lib/guard";
import { byDanger } from "./trust-order";

test("what runs by itself comes before what is only read, whatever order it was found in", () => {
  const kinds = ["instructions", "editor", "git_hook", "mcp", "git_program", "hook_manager"] as const;
  const findings: readonly TrustFinding[] = kinds.map((kind) => ({ kind, path: kind }));
  expect(byDanger(findings).map(({ kind }) => kind)).toEqual([
    "git_hook",
    "git_program",
    "hook_manager",
    "mcp",
    "editor",
    "instructions",
  ]);
});
