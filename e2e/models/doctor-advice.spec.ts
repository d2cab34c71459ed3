// The doctor's page for a model that misses nested calls, on a server with one conversation, with a template that moves
// the tools: what was found, and the tool mode that the page proposes.
import { doctorScript, doneTurn } from "../fixtures/doctor-script";
import { onlyInFull } from "../fixtures/full-run";
import type { ScriptedTurn } from "../fixtures/scripted-model.mjs";
import { expect, test } from "../fixtures/test";
import { findViolations } from "../pages/axe";

test.use({ hasOwnServer: true, opensPage: false });

/** Times of reading: A, B, A again; with tools, once more; without tools, once more. */
const readings = [900, 900, 870, 1_200, 1_250, 900, 60].map(
  (ms): ScriptedTurn => ({ text: "One.", last: { prompt_eval_duration: ms * 1e6 } }),
);
const script = doctorScript([
  // No nested call in both attempts, no code word.
  doneTurn,
  doneTurn,
  doneTurn,
  ...readings,
  { text: 'Thought: I need it.\nAction: read\nAction Input: {"path": "note.txt"}' },
  { text: "Final Answer: Done." },
]);

test(
  "the page proposes calls as text where the template moves the tools",
  onlyInFull,
  async ({ page, server, model }) => {
    model.setScript(script);
    await page.goto(`${server.origin}/settings/model`);
    await page.getByRole("button", { name: "m:8b", exact: true }).first().click();
    await page.getByRole("button", { name: "Test model" }).click();
    await expect(page.getByText(/^Last test/)).toBeVisible();
    const steps = page.getByRole("list", { name: "What it can do here" });
    const stepOf = (name: string) => steps.getByRole("listitem").filter({ hasText: name });
    await expect(stepOf("Call through the toolbox")).toHaveAttribute("data-state", "failed");
    await expect(stepOf("Keep two conversations")).toContainText(
      "after each subagent it reads your conversation again",
    );
    await expect(stepOf("Keep tools in place")).toContainText("moves the tools");
    expect(await findViolations(page)).toEqual([]);

    const advice = page.getByRole("region", { name: "How to improve it" });
    await expect(advice).toContainText("Connect only a few tools");
    await expect(advice).toContainText("OLLAMA_NUM_PARALLEL=2");
    await advice.getByRole("button", { name: "Use ReAct" }).click();
    await expect(advice.getByRole("button", { name: "Use ReAct" })).toHaveCount(0);
    await expect(page.getByRole("radio", { name: /ReAct/ })).toBeChecked();
  },
);
