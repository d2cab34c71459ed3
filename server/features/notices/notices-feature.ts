/** Notices beyond the open tab: from the rows of sessions and from other features, to the places that want them. */
import { ok } from "@/lib/events/error";
import { sessionNoticeKinds } from "@/lib/notices/notice-kinds";
import { findNotices, type SessionStatuses, sessionStatusesOf } from "@/lib/notices/session-notices";
import type { SessionRow } from "@/lib/protocol/session-row";
import { untilAborted } from "@/server/base/abort";
import { makeDelayedWork } from "@/server/base/delayed-work";
import type { Feature, FeatureHost } from "../feature";
import { makeOpenNotices } from "./open-notices";
import { makePushService, publicPush } from "./push/push-service";

/** Time in which a tab can report that a notice was seen, ms. */
const lookMs = 15_000;
/** Changes within this time are one message to the tabs, ms. */
const pushMs = 100;

type NoticesHost = Pick<
  FeatureHost,
  "store" | "settings" | "now" | "push" | "log" | "reportBug" | "noticePlaces" | "unattendedTerms"
>;

export function noticesFeature(host: NoticesHost, delayMs = lookMs, pushOptions = publicPush) {
  const push = makePushService(host, pushOptions);
  const pushes = makeDelayedWork(() => host.push({ type: "notices", notices: open.list() }), pushMs);
  const open = makeOpenNotices({
    places: () => [...push.places(), ...host.noticePlaces()],
    settings: host.settings,
    now: host.now,
    changed: pushes.soon,
    reportBug: (error) => host.reportBug("notices", error),
    delayMs,
  });
  // A session that was not at work when this was loaded is known from its first row, before its run can end.
  const statuses = new Map(
    sessionStatusesOf(host.store.sessions.list({ active: true, limit: activeMax }).rows) satisfies SessionStatuses,
  );
  const take = (row: SessionRow): void => {
    const before = statuses.get(row.id);
    statuses.set(row.id, row.status);
    // A subagent asks through the row of its parent.
    if (before === row.status || row.parent !== undefined) return;
    open.endOf(row.id);
    if (row.muted === true) return;
    for (const { kind } of findNotices(new Map(before === undefined ? [] : [[row.id, before]]), [row]))
      open.add({
        kind: sessionNoticeKinds[kind],
        sessionId: row.id,
        title: row.title,
        seq: row.lastSeq,
        isUrgent: kind === "waiting" && host.unattendedTerms(row.id) !== null,
      });
  };
  return {
    commands: {
      ...push.commands,
      "notices.seen": ({ ids }) => {
        open.seen(ids);
        return ok(null);
      },
    },
    notify: open.add,
    openNotices: open.list,
    deviceRevoked: push.removeDevice,
    sessionListener: {
      row: take,
      removed(id) {
        statuses.delete(id);
        open.endOf(id);
      },
    },
    async start(signal) {
      push.prune();
      await untilAborted(signal);
      open.close();
      pushes.cancel();
      push.close();
    },
  } satisfies Feature;
}

/** Sessions at work that are looked at when the feature is loaded. */
const activeMax = 500;
