/** Names the host behind a router that answered, for display alone. */
import type { NodeResponse } from "./node-fetch";
import { toReadableLine } from "./wire-errors";

const headers = ["x-served-by", "x-litellm-model-id"] as const;
const maxChars = 80;

/** Returns one readable line; undefined = no router names a host. */
export function findServedBy({ header }: Pick<NodeResponse, "header">): string | undefined {
  const named = headers.map(header).find((value) => value !== undefined && value.trim() !== "");
  return named === undefined ? undefined : toReadableLine(named).slice(0, maxChars);
}
