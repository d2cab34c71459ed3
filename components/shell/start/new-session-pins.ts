"use client";
/** The files that the first message of a new session pins. */
import { useState } from "react";
import type { SessionId } from "@/lib/events/id";
import type { Messages } from "../../messages/messages";
import type { AppClient } from "../../state/client";
import type { PinControl } from "../../state/workbench/component-handles";
import { type NewSessionPlace, readDraftPins, writeDraftPins } from "../session/draft-pins";

interface NewSessionPinState {
  /** The file that was pinned last is the last one. */
  readonly paths: readonly string[];
  readonly control: PinControl;
  /** Pins the files to the session that was created; refusals are shown. Rejects when the code cannot be loaded. */
  readonly moveTo: (sessionId: SessionId) => Promise<void>;
}

export function useNewSessionPins(client: AppClient, messages: Messages, place: NewSessionPlace): NewSessionPinState {
  const { projectId } = place;
  const [paths, setPaths] = useState(() => readDraftPins(projectId));
  return {
    paths,
    control: {
      isPinned: (path) => paths.includes(path),
      async setPinned(path, isPinned) {
        const { pinDraftFile } = await import("../session/pin-file");
        const isDone = await pinDraftFile({ client, messages, place }, path, isPinned);
        setPaths(readDraftPins(projectId));
        return isDone;
      },
    },
    async moveTo(sessionId) {
      const { pinFile } = await import("../session/pin-file");
      writeDraftPins(projectId, []);
      for (const path of paths) await pinFile({ client, messages, sessionId }, path, true);
    },
  };
}
