/** Why a tool cannot be called now, for the model. Pure. */
import type { CatalogueTool, Obstacle, UnlistedSource } from "./catalogue";
import { ownSourceIds } from "@/lib/tools/own-sources";

/** A tool, or a source as a whole, which has its id as its name. `page` = of the settings; absent = that of the source. */
interface ObstructedTool extends Pick<CatalogueTool, "name" | "source"> {
  readonly obstacle: Obstacle | null;
  readonly page?: UnlistedSource["page"];
}

export interface ExplainedObstacle {
  readonly code: "tool_off" | "tool_changed" | "not_approved" | "tool_missing";
  /** The answer to a call, with what the user can do. */
  readonly text: string;
}

interface DescribedObstacle extends Pick<ExplainedObstacle, "code"> {
  /** In a list, if it differs from the reason. */
  readonly brief?: string;
  /** Follows the name of the tool. */
  readonly reason: string;
  readonly next: string;
}

function describeObstacle({ source, obstacle, page }: ObstructedTool): DescribedObstacle | null {
  const place = `Settings > ${page ?? (source === ownSourceIds.skill ? "Skills" : "Tools")}`;
  const other = { code: "tool_missing", next: "use another tool, or tell the user" } as const;
  switch (obstacle?.kind) {
    case "off":
      return { code: "tool_off", reason: "is switched off", next: `the user can switch it on in ${place}` };
    case "changed":
      return {
        code: "tool_changed",
        brief: "changed, not approved",
        reason: "is different from what the user approved",
        next: `the user can approve it in ${page === undefined ? "the settings" : place}`,
      };
    case "unapproved":
      return {
        code: "not_approved",
        brief: "not approved",
        reason: "waits for the approval of the user",
        next: `the user can approve it in ${place}`,
      };
    case "gone":
      return { ...other, brief: "not offered any more", reason: `is not offered by ${source} any more` };
    case "unusable":
      return { ...other, reason: `cannot be used: ${obstacle.detail}` };
    case "window":
      return {
        code: "tool_missing",
        brief: "needs a larger context window",
        reason: `needs a context window of at least ${obstacle.tokens} tokens`,
        next: "do this step yourself",
      };
    default:
      return null;
  }
}

/** Returns a few words for a list; null = it can be called. */
export function formatObstacle(tool: ObstructedTool): string | null {
  const described = describeObstacle(tool);
  return described && (described.brief ?? described.reason.replace(/^is /, ""));
}

/** Null = it can be called. */
export function explainObstacle(tool: ObstructedTool): ExplainedObstacle | null {
  const described = describeObstacle(tool);
  if (described === null) return null;
  const { code, reason, next } = described;
  return { code, text: `${tool.name} ${reason}. Do not call it again; ${next}.` };
}
