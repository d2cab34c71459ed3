/** Subagents: the tool that starts them, and their mode while their parent's changes. */
import { isDurable } from "@/lib/events/event";
import type { Feature, FeatureHost } from "../feature";
import { makeSpawnSource } from "./spawn-tool";
import { makeSubagents } from "./subagents";

interface SubagentsHost extends Pick<FeatureHost, "sessions"> {
  readonly store: Pick<FeatureHost["store"], "sessions">;
  readonly access: { readonly servers: Pick<FeatureHost["access"]["servers"], "get"> };
}

export function subagentsFeature({ sessions, store, access }: SubagentsHost) {
  const subagents = makeSubagents({
    sessions,
    store,
    hostOf(provider) {
      const server = access.servers.get(provider);
      return { host: server?.host() ?? provider, slots: server?.slots() ?? 1 };
    },
  });
  return {
    commands: {},
    catalogueSources: [makeSpawnSource(subagents)],
    sessionListener: {
      row: ({ id }) => subagents.rowChanged(id),
      event(envelope) {
        if (!isDurable(envelope)) return;
        const { event, sessionId } = envelope;
        if (event.type === "agent_end") subagents.runEnded(sessionId);
        if (event.type === "session_update" && event.mode !== undefined)
          subagents.parentModeChanged(sessionId, event.mode);
      },
    },
  } satisfies Feature;
}
