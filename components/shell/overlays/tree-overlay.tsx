"use client";
/** Dialog with the tree of the current session and its branching actions. Loaded when it opens. */
import { useMemo } from "react";
import { sessionActivity, type SessionView } from "@/lib/view/view";
import { TreeDialog } from "../../chat/tree/tree-dialog";
import { useClient } from "../../state/client";
import { useMessages } from "../../messages/messages";
import { branchActions } from "../session/branch-actions";
import { navigate } from "../navigation/router";
import type { OverlayContext } from "./overlay-registry";

export const TreeOverlay = ({ place: { session }, close }: Pick<OverlayContext, "place" | "close">) =>
  session.view !== null && <SessionTree view={session.view} onClose={close} />;

function SessionTree({ view, onClose }: { readonly view: SessionView; readonly onClose: () => void }) {
  const client = useClient();
  const messages = useMessages();
  const { sessionId } = view;
  const branch = useMemo(() => branchActions({ client, messages, sessionId }), [client, messages, sessionId]);
  return (
    <TreeDialog
      sessionId={sessionId}
      seq={view.seq}
      isIdle={sessionActivity(view) === "idle"}
      branchControls={branch}
      onOpen={(id) => {
        onClose();
        navigate(`/s/${id}`);
      }}
      onClose={onClose}
    />
  );
}
