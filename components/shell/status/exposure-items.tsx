"use client";
/** The badges of share links and of network access, loaded when there is something to show. */
import { lazy, Suspense } from "react";
import { useServerState } from "../../state/use-server-state";
import type { StatusContext } from "./status-registry";

const loadBadges = () => import("./exposure-badges");
const ShareBadge = lazy(async () => ({ default: (await loadBadges()).ShareBadge }));
const NetworkBadge = lazy(async () => ({ default: (await loadBadges()).NetworkBadge }));

export function ShareItem(context: StatusContext) {
  return (
    (useServerState("shares") ?? []).length > 0 && (
      <Suspense>
        <ShareBadge {...context} />
      </Suspense>
    )
  );
}

export function NetworkItem(context: StatusContext) {
  return (
    (useServerState("network")?.owner ?? []).length > 0 && (
      <Suspense>
        <NetworkBadge {...context} />
      </Suspense>
    )
  );
}
