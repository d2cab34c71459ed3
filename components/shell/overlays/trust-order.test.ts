import { expect, test } from "vitest";
import type { TrustFinding } from "@/lib/permissions/guard";
import { sortByDanger } from "./trust-order";

test("findings that run by themselves come before findings that are only read, whatever the input order", () => {
  const kinds = ["instructions", "editor", "extensions", "git_hook", "mcp", "git_program", "hook_manager"] as const;
  const findings: readonly TrustFinding[] = kinds.map((kind) => ({ kind, path: kind }));
  expect(sortByDanger(findings).map(({ kind }) => kind)).toEqual([
    "git_hook",
    "git_program",
    "hook_manager",
    "extensions",
    "mcp",
    "editor",
    "instructions",
  ]);
});
