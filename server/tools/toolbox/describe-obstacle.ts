/** Why a tool cannot be called now, for the model. Pure. */
import type { CatalogueTool } from "./catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";

type ObstructedTool = Pick<CatalogueTool, "name" | "source" | "obstacle">;

/** Returns a few words for a list; null = it can be called. */
export function formatObstacle({ obstacle }: ObstructedTool): string | null {
  switch (obstacle?.kind) {
    case "off":
      return "switched off";
    case "changed":
      return "changed, not approved";
    case "gone":
      return "not offered any more";
    case "unusable":
      return `cannot be used: ${obstacle.detail}`;
    case "window":
      return "needs a larger context window";
    default:
      return null;
  }
}

export interface ExplainedObstacle {
  readonly code: "tool_off" | "tool_changed" | "tool_missing";
  /** The answer to a call, with what the user can do. */
  readonly text: string;
}

/** Null = it can be called. */
export function explainObstacle({ name, source, obstacle }: ObstructedTool): ExplainedObstacle | null {
  switch (obstacle?.kind) {
    case "off":
      return {
        code: "tool_off",
        text: `${name} is switched off. Do not call it again; the user can switch it on in ${source === ownSourceIds.skill ? "Skills" : "Tools"}.`,
      };
    case "changed":
      return {
        code: "tool_changed",
        text: `${name} is different from the tool the user approved. Do not call it again; the user can approve it in the settings.`,
      };
    case "gone":
      return {
        code: "tool_missing",
        text: `${name} is not offered by ${source} any more. Do not call it again; use another tool, or tell the user.`,
      };
    case "unusable":
      return {
        code: "tool_missing",
        text: `${name} cannot be used: ${obstacle.detail}. Do not call it again; use another tool, or tell the user.`,
      };
    case "window":
      return {
        code: "tool_missing",
        text: `${name} needs a context window of at least ${obstacle.tokens} tokens. Do not call it again; do this step yourself.`,
      };
    default:
      return null;
  }
}
