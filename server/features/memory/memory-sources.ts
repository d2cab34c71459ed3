/**
 * The memory as context of a session: given with its first message and never again, since the model itself writes what
 * changes later. A compaction repeats the text that was given.
 */
import type { ProjectId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { contextEntries, contextHeadText } from "@/server/agent/context/compile";
import type { ContextInput, ContextSource, ContextText } from "@/server/agent/context/context-source";
import type { SessionView } from "@/lib/view/view";
import { renderStart, type StartFiles, type StartTexts } from "./read-start";

/** The context has no message yet: a new session, or one that was rewound to its start. */
const isEmptyContext = (view: SessionView): boolean =>
  contextHeadText(view) === null && contextEntries(view).entries.length === 0;

/** The share is of the window that is stored with the model, which stays the same while the session uses the model. */
export const memoryWindow = (view: Pick<SessionView, "model">): number =>
  view.model?.numCtx ?? serverLimits.windowMinTokens;

/** `read` returns null while the memory is switched off. */
export function memorySources(read: (projectId: ProjectId) => Promise<StartFiles | null>): readonly ContextSource[] {
  /** Both sources are prepared at once, from the same files. */
  const reading = new Map<ProjectId, Promise<StartFiles | null>>();
  const readOnce = (projectId: ProjectId): Promise<StartFiles | null> => {
    const current = reading.get(projectId) ?? read(projectId).finally(() => reading.delete(projectId));
    reading.set(projectId, current);
    return current;
  };
  const prepare =
    (part: keyof StartTexts) =>
    async (projectId: ProjectId): Promise<ContextText> => {
      const files = await readOnce(projectId);
      return ({ view }: ContextInput) =>
        files === null || !isEmptyContext(view) ? null : renderStart(files, memoryWindow(view))[part];
    };
  return [
    {
      topic: "owner",
      kind: "snapshot",
      order: { message: 3, compaction: 3 },
      resend: "when_absent",
      text: () => null,
      prepare: prepare("owner"),
    },
    {
      topic: "memory",
      kind: "snapshot",
      order: { message: 25, compaction: 15 },
      resend: "when_absent",
      text: () => null,
      prepare: prepare("notes"),
    },
  ];
}
