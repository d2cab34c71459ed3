// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { CallView } from "@/lib/view/view";
import { renderCommandLine } from "./test-command-line";

describe("a command that was refused by name", () => {
  const refusal: Partial<CallView> = { state: "error", target: "rm -rf build\nls" };
  const facts: CallFacts = { exit: undefined, code: "blocked", rule: "blocked_word", refusedBy: "rm" };
  test("runs as the user's own, in its folder, after a question that shows all of it", async () => {
    const { user, commands } = await renderCommandLine({ ...facts, startFolder: "/p/sub" }, { more: refusal });
    await user.click(await screen.findByRole("button", { name: "Run it myself" }));
    const dialog = screen.getByRole("dialog", { name: "Run this command yourself?" });
    expect(dialog.querySelector("pre")?.textContent).toBe("cd '/p/sub' || exit\nrm -rf build\nls");
    expect(commands).toEqual([]);
    await user.click(within(dialog).getByRole("button", { name: "Run it myself" }));
    expect(commands).toEqual(["cd '/p/sub' || exit\nrm -rf build\nls"]);
  });
  test.each([
    ["ran", "You ran it"],
    ["queued", "Runs after this run"],
  ] as const)("and that the user %s says so and cannot be run again", async (ownRun, text) => {
    await renderCommandLine(facts, { ownRun, more: refusal });
    await screen.findByText(text);
    expect(screen.queryByRole("button", { name: "Run it myself" })).toBeNull();
  });
  test("is not offered to a viewer", async () => {
    // The button of the owner: it is loaded then.
    await renderCommandLine(facts, { more: refusal });
    await screen.findByRole("button", { name: "Run it myself" });
    cleanup();
    await renderCommandLine(facts, { isOwner: false, more: refusal });
    expect(screen.queryByRole("button", { name: "Run it myself" })).toBeNull();
  });
});
