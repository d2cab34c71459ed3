"use client";
/** Dialog with the tree of the current session and its branching actions. Loaded when it opens. */
import { useMemo } from "react";
import { activityOf, type SessionView } from "@/lib/view";
import { TreeDialog } from "../chat/tree/tree-dialog";
import { useClient } from "../state/client";
import { useWords } from "../words/words";
import { branchActions } from "./branch-actions";
import { navigate } from "./router";

export function TreeOverlay({ view, onClose }: { readonly view: SessionView; readonly onClose: () => void }) {
  const client = useClient();
  const words = useWords();
  const { sessionId } = view;
  const branch = useMemo(() => branchActions({ client, words, sessionId }), [client, words, sessionId]);
  return (
    <TreeDialog
      sessionId={sessionId}
      seq={view.seq}
      isIdle={activityOf(view) === "idle"}
      branch={branch}
      onOpen={(id) => {
        onClose();
        navigate(`/s/${id}`);
      }}
      onClose={onClose}
    />
  );
}
