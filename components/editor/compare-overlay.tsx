"use client";
/** The dialog that compares a file in conflict, kept when the window changes between the desktop and the phone layout. */
import { useEffect, useMemo } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { opensKeyboard } from "../ui/browser/focus";
import { CompareDialog } from "./compare-dialog";
import { conflictBase } from "./documents/open-documents";
import { getOpenFiles } from "./open-files";

interface CompareOverlayProps {
  readonly projectId: ProjectId;
  readonly onClose: () => void;
}

export function CompareOverlay({ projectId, onClose }: CompareOverlayProps) {
  const client = useClient();
  const { documents } = useMemo(() => getOpenFiles(client, projectId), [client, projectId]);
  const path = useStore(client.workbench, (state) => state.comparedPath);
  const all = useStore(documents, (value) => value);
  const document = path === null ? undefined : all.get(path);
  const theirs = document?.theirs ?? null;
  // The file was saved, reread or closed meanwhile.
  useEffect(() => {
    if (theirs === null) onClose();
  }, [theirs, onClose]);
  if (path === null || document === undefined || theirs === null) return null;
  return (
    <CompareDialog
      path={path}
      base={conflictBase(document)}
      theirs={theirs.text}
      mine={documents.textOf(path)}
      onMerge={(text) => {
        documents.merge(path, text);
        onClose();
        // The button that had the focus is gone. The text would open the keyboard of a touch screen.
        if (!opensKeyboard()) client.workbench.openFile(path, null);
      }}
      onClose={onClose}
    />
  );
}
