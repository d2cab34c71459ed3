/** Lists sessions, beyond the page that one command returns. */
import type { CommandInput } from "@/lib/protocol/command";
import type { SessionRow } from "@/lib/protocol/session-row";
import { callOrThrow } from "../server-job";
import type { CommandLink } from "../session-link";

/** Returns all sessions of a query, newest first. Throws RunFailure. */
export async function listSessions(
  link: CommandLink,
  query: CommandInput<"session.list">,
): Promise<readonly SessionRow[]> {
  const found: SessionRow[] = [];
  for (;;) {
    const last = found.at(-1);
    const before = last === undefined ? {} : { before: { updatedAt: last.updatedAt, id: last.id } };
    const { rows, more } = await callOrThrow(link, "session.list", { ...query, ...before });
    found.push(...rows);
    if (!more) return found;
  }
}
