/** Messages for the model after a refused or denied call: the rule and the next step in one or two sentences. */
import type { Decision } from "@/lib/permissions/policy";

export function refusalText(decision: Extract<Decision, { kind: "refuse" }>): string {
  const { detail } = decision;
  if (decision.code === "bad_path")
    return `Refused: ${detail} names no file of the project. Name a file or folder in it.`;
  switch (decision.reason) {
    case "plan_mode":
      return "Refused: the session is in plan mode, which only reads. Describe the change instead; the user can switch the mode.";
    case "blocked_word":
      return `Refused: "${detail}" is blocked in shell commands. To remove files use the delete tool; otherwise leave this step to the user.`;
    case "rule_denies":
      return `Refused: a rule of this project denies ${detail}. Do not look for a way around it; go on without this step or ask the user.`;
    case "protected":
      return `Refused: ${detail} is protected and can be neither read nor changed. Go on without it.`;
    case "outside":
      return `Refused: ${detail} is outside the project. Use a path inside the project.`;
    case "unreadable":
      return `Refused: ${detail} is not the name of a host.`;
    default:
      return `Refused: ${detail}.`;
  }
}

export const denialText = (reason: string | undefined): string =>
  reason === undefined || reason.trim() === ""
    ? "The user denied this call. It was not run. Do not repeat it; ask or try another way."
    : `The user denied this call. It was not run. Reason: ${reason.trim()}`;
