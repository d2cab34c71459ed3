import { expect, test } from "vitest";
import type { SandboxState } from "@/lib/permissions/guard";
import { sandboxLine } from "./sandbox-line";

test.each<[SandboxState, string | null]>([
  [{ program: "bubblewrap", works: true }, null],
  [
    { program: null, works: false, why: "not_installed", fix: "sudo apt install bubblewrap" },
    "no sandbox here: in Full access commands run with your permissions; to get it, run: sudo apt install bubblewrap, then restart gopi-web",
  ],
  [
    { program: "bubblewrap", works: false, why: "bwrap: no \u001b[31mnamespaces" },
    "no sandbox here (bwrap: no \\u{1b}[31mnamespaces): in Full access commands run with your permissions",
  ],
])("%j is printed as %j", (state, line) => expect(sandboxLine(state)).toBe(line));
