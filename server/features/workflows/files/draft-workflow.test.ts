import { expect, test } from "vitest";
import { renderTemplate } from "@/lib/workflows/expression/template";
import { makeTestHarness, promptAndWait, testCommandId, textAnswer } from "@/server/session/testing/test-harness";
import { draftWorkflow } from "./draft-workflow";
import { parseWorkflow } from "./parse-workflow";

test("the prompts of a session are the steps of a draft, as they were typed", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  expect(draftWorkflow(session.view)).toMatchObject({ error: { code: "not_found" } });
  const typed = ["Look: what is ${{ inputs.x }}?\n- one\n  # two", "key: 'value' \"quoted\""];
  harness.script(textAnswer("Nothing."), textAnswer("Done."));
  await promptAndWait(session, typed[0] ?? "");
  const command = session.runCommand("!true", testCommandId());
  expect(command.ok && (await command.value.done)).toBe("done");
  await promptAndWait(session, typed[1] ?? "");
  const draft = draftWorkflow(session.view);
  const { workflow, problems } = parseWorkflow("draft", draft.ok ? draft.value.text : "");
  expect(problems).toEqual([]);
  expect(workflow?.steps.map(({ kind }) => kind)).toEqual(["prompt", "prompt"]);
  expect(workflow?.steps.map(({ text }) => renderTemplate(text, {}))).toEqual(typed);
});
