/** A workflow with the prompts of a session, as a text to begin with. Pure. */
import { stringify } from "yaml";
import { joinTextBlocks } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import { isOutsideContext } from "@/lib/events/user-command";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { workflowLimits } from "@/lib/workflows/workflow";

/** Fails with not_idle during a run, and with not_found if the user has sent no message. */
export function draftWorkflow(view: SessionView): Result<{ readonly text: string }> {
  if (view.run !== null) return fail("not_idle");
  const prompts = pathEntries(view).flatMap((entry) => {
    if (entry.kind !== "message" || entry.role !== "user" || isOutsideContext(entry)) return [];
    const typed = joinTextBlocks(entry.blocks.flatMap((block) => (block.type === "text" ? [block] : []))).trim();
    return typed === "" ? [] : [typed.slice(0, workflowLimits.textChars)];
  });
  if (prompts.length === 0) return fail("not_found");
  const steps = prompts
    .slice(0, workflowLimits.steps)
    .map((prompt, index) => ({ id: `step_${index + 1}`, prompt: withoutExpressions(prompt) }));
  return ok({ text: stringify({ description: view.title.slice(0, 200), steps }, { lineWidth: 0 }) });
}

/** Escapes text that the user typed, which is no expression. */
const withoutExpressions = (text: string): string => text.replaceAll("${{", "${{ '${{' }}");
