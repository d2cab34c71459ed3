"use client";
/** Lists sessions that run, wait or have failed in all projects, from the lists that the server's messages keep up to date. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { dayMs } from "@/lib/time/duration";
import { useClient } from "../../state/client";
import { type CallContext, callValue } from "../../state/command-query";
import { mergeRows, type SessionListPage } from "../../state/session/session-lists";
import { useSessionRows } from "../status/attention";

/** Age up to which a failure is listed, ms. */
const failedMs = 3 * dayMs;

interface Overview {
  /** Sessions that wait for the user, the longest wait first. */
  readonly waiting: readonly SessionRow[];
  readonly running: readonly SessionRow[];
  readonly failed: readonly SessionRow[];
}

/** The sessions of a list by what they need. Pure; `now` is ms epoch. */
function sortOverview(active: readonly SessionRow[], recent: readonly SessionRow[], now: number): Overview {
  const hasFailed = ({ status, updatedAt }: SessionRow): boolean =>
    (status === "error" || status === "limit" || status === "interrupted") && now - updatedAt < failedMs;
  return {
    waiting: active.filter(({ status }) => status === "waiting").toSorted((a, b) => a.updatedAt - b.updatedAt),
    running: active.filter(({ status }) => status === "running"),
    failed: recent.filter(hasFailed),
  };
}

/** All pages: a session that has waited for long is on the last one. */
async function listActive(context: CallContext, parentId?: SessionRow["id"]): Promise<readonly SessionRow[]> {
  const pages: SessionListPage[] = [];
  for (;;) {
    const last = pages.at(-1)?.rows.at(-1);
    const before = last === undefined ? {} : { before: { updatedAt: last.updatedAt, id: last.id } };
    const page = await callValue(context, "session.list", { active: true, parentId, ...before });
    pages.push(page);
    if (!page.more) return mergeRows(pages);
  }
}

/** The sessions at work; those below `parentId`, or those that are below none. Requests the list again whenever the state of a session changes. */
export function useActiveSessions(parentId?: SessionRow["id"]): readonly SessionRow[] | undefined {
  const { cache } = useClient();
  const rows = useSessionRows();
  const states = (rows ?? []).map(({ id, status, plan, title }) => [id, status, plan?.done, title].join()).join();
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: ["activeSessions"] });
  }, [cache, states]);
  return useQuery({
    queryKey: ["activeSessions", parentId ?? null],
    queryFn: (context) => listActive(context, parentId),
  }).data;
}

/** undefined = it is still loading. */
export function useOverview(): Overview | undefined {
  const active = useActiveSessions();
  const recent = useSessionRows();
  return active === undefined || recent === undefined ? undefined : sortOverview(active, recent, Date.now());
}
