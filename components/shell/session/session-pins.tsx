"use client";
/** The pinned files of the open session above its message field, up to date with the files on disk. */
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { PinReport } from "@/lib/protocol/answers";
import type { PushOf } from "@/lib/protocol/topics";
import type { SessionView } from "@/lib/view/view";
import { parentFolder } from "@/lib/workspace/project-path";
import { PinnedFiles } from "../../chat/context-usage/pinned-files";
import { useMessages } from "../../messages/messages";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import type { PinControl } from "../../state/workbench/component-handles";
import { useTopic } from "../../state/use-topic";
import { pinAddressFiles } from "./address-pins";
import { sessionPins } from "./composer-control";
import type { NewSessionPlace } from "./draft-pins";

export function SessionPins({ view }: { readonly view: SessionView }) {
  const client = useClient();
  const messages = useMessages();
  const { sessionId, projectId, pins, border, run, openCompaction, model } = view;
  const paths = useMemo(() => pins.map(({ path }) => path), [pins]);
  const stamp = JSON.stringify([paths, border, run?.runId, openCompaction, model?.numCtx]);
  const { data: report } = useCommandQuery(
    "session.pins",
    { sessionId },
    { retry: false, stamp, placeholderData: keepPreviousData },
  );
  const onUnpin = (path: string) => void sessionPins(client, messages, view).setPinned(path, false);
  return <PinChips projectId={projectId} paths={paths} report={report} onUnpin={onUnpin} />;
}

interface NewSessionPinsProps {
  readonly place: NewSessionPlace;
  readonly paths: readonly string[];
  readonly control: PinControl;
}

/** The same for a session that the first message creates; pins the files that the page's address names. */
export function NewSessionPins({ place, paths, control }: NewSessionPinsProps) {
  const input = { ...place, paths };
  const { data: report } = useCommandQuery("session.preview_pins", input, {
    retry: false,
    placeholderData: keepPreviousData,
    enabled: paths.length > 0,
  });
  const pinFromAddress = useEffectEvent(() => void pinAddressFiles(control));
  useEffect(() => pinFromAddress(), []);
  const onUnpin = (path: string) => void control.setPinned(path, false);
  if (paths.length === 0) return null;
  return <PinChips projectId={place.projectId} paths={paths} report={report} onUnpin={onUnpin} />;
}

interface PinChipsProps {
  readonly projectId: ProjectId;
  readonly paths: readonly string[];
  /** Undefined until the files were read. */
  readonly report: PinReport | undefined;
  readonly onUnpin: (path: string) => void;
}

function PinChips({ projectId, paths, report, onUnpin }: PinChipsProps) {
  const { cache, watchedFolders, workbench, handles } = useClient();
  useEffect(() => {
    watchedFolders.show(projectId, "pins", [...new Set(paths.map(parentFolder))]);
    return () => watchedFolders.show(projectId, "pins", []);
  }, [watchedFolders, projectId, paths]);
  const onFiles = useCallback(
    (push: PushOf<"files"> | null) => {
      const isPinned = (path: string): boolean =>
        push === null || push.paths.includes(path) || push.folders.includes(parentFolder(path));
      if (paths.some(isPinned)) void invalidateCommands(cache, ["session.pins", "session.preview_pins"]);
    },
    [cache, paths],
  );
  useTopic("files", projectId, onFiles);
  if (report === undefined) return null;
  return (
    <PinnedFiles
      report={{ ...report, files: report.files.filter(({ path }) => paths.includes(path)) }}
      onOpen={(path) => workbench.openFile(path, null)}
      onUnpin={(path) => {
        handles.conversation?.focusComposer();
        onUnpin(path);
      }}
    />
  );
}
