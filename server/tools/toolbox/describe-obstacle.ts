/** Why a tool cannot be called now, for the model. Pure. */
import type { CatalogueTool, Obstacle, UnlistedSource } from "./catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";

/** A tool, or a source as a whole, which has its id as its name. `page` = of the settings; absent = that of the source. */
interface ObstructedTool extends Pick<CatalogueTool, "name" | "source"> {
  readonly obstacle: Obstacle | null;
  readonly page?: UnlistedSource["page"];
}

/** Returns a few words for a list; null = it can be called. */
export function formatObstacle({ obstacle }: ObstructedTool): string | null {
  switch (obstacle?.kind) {
    case "off":
      return "switched off";
    case "changed":
      return "changed, not approved";
    case "unapproved":
      return "not approved";
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
  readonly code: "tool_off" | "tool_changed" | "not_approved" | "tool_missing";
  /** The answer to a call, with what the user can do. */
  readonly text: string;
}

/** Null = it can be called. */
export function explainObstacle({ name, source, obstacle, page }: ObstructedTool): ExplainedObstacle | null {
  const place = `Settings > ${page ?? (source === ownSourceIds.skill ? "Skills" : "Tools")}`;
  switch (obstacle?.kind) {
    case "off":
      return {
        code: "tool_off",
        text: `${name} is switched off. Do not call it again; the user can switch it on in ${place}.`,
      };
    case "changed":
      return {
        code: "tool_changed",
        text: `${name} is different from what the user approved. Do not call it again; the user can approve it in ${page === undefined ? "the settings" : place}.`,
      };
    case "unapproved":
      return {
        code: "not_approved",
        text: `${name} waits for the approval of the user. Do not call it again; the user can approve it in ${place}.`,
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
