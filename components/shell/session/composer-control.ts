"use client";
/** Gives actions access to the composer and its session: menus, mode, model, and operations on the session. */
import { type RefObject, useEffect } from "react";
import { isSameModelName } from "@/lib/models/model-names";
import { limits } from "@/lib/settings/settings";
import { pathEntriesBackward, type SessionView } from "@/lib/view/view";
import type { ConversationActions } from "../../chat/actions";
import type { ComposerHandle } from "../../chat/composer/use-composer-handle";
import type { ModelMenuProps } from "../../chat/model/model-menu";
import { type Messages, useMessages } from "../../messages/messages";
import { type AppClient, useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import type { ComposerControl, PinControl, SessionControl } from "../../state/workbench/component-handles";
import { toastError } from "../notices/toast-error";

interface ComposerParts extends Pick<ComposerControl, "send" | "setMode" | "session" | "pins"> {
  readonly composer: RefObject<ComposerHandle | null>;
  readonly modelMenu: ModelMenuProps;
}

/** Registers the composer for the actions while it is mounted. */
export function useComposerControl({ composer, modelMenu, send, setMode, session, pins }: ComposerParts): void {
  const client = useClient();
  const messages = useMessages();
  useEffect(() => {
    const { handles } = client;
    const own: ComposerControl = {
      findMenu: (menu) => composer.current?.findMenu(menu) ?? null,
      setMode,
      send,
      modelNames: () => modelMenu.models.map(({ name }) => name),
      setModel: (name) => void selectModel(client, messages, modelMenu, name),
      session,
      pins,
    };
    handles.composer = own;
    return () => {
      if (handles.composer === own) delete handles.composer;
    };
  });
}

/** Selects the model with this name: of Ollama, else of the first connection that has it. */
async function selectModel(
  { toasts }: AppClient,
  { composer, models }: Messages,
  menu: ModelMenuProps,
  name: string,
): Promise<void> {
  if (menu.isLocked) return toasts.show({ text: models.lockedNote });
  const own = menu.models.find((model) => isSameModelName(model.name, name));
  if (own !== undefined) return menu.onModel(own.name, null);
  for (const { id } of menu.connections) {
    const served = (await menu.loadModels(id))?.find((model) => isSameModelName(model.name, name));
    if (served !== undefined) return menu.onModel(served.name, id);
  }
  toasts.show({ text: composer.slash.unknownModel(name), look: "danger" });
}

/** Returns the operations on an open session. */
export function sessionControl(
  client: AppClient,
  messages: Messages,
  view: SessionView,
  { runControls, branchControls, restoreFiles, reviewChanges }: ConversationActions,
): SessionControl | null {
  if (runControls === null || branchControls === null) return null;
  const { sessionId } = view;
  const rewindTo = (seq: number | null, nothing: string): void => {
    if (seq === null) client.toasts.show({ text: nothing });
    else branchControls.rewind(seq);
  };
  return {
    compact: runControls.compact,
    fork: () => branchControls.fork(view.border),
    rewind: () => rewindTo(borderBeforeLastMessage(view), messages.branches.nothingToRewind),
    undo: () =>
      void import("../../chat/run/undo-target").then(({ findUndoTarget }) => {
        const target = findUndoTarget([...pathEntriesBackward(view)].reverse());
        if (target === null) reviewChanges?.();
        else restoreFiles?.(target.toSeq, { before: target.before });
      }),
    redo: () => rewindTo(view.left, messages.branches.nothingToRedo),
    rename: (text) => {
      const title = text.replaceAll(/\s+/g, " ").slice(0, limits.titleMaxChars);
      void client.call("session.update", { sessionId, commandId: newCommandId(), title }).then((answer) => {
        if (!answer.ok) toastError(client, messages, answer.error);
      });
    },
    save: (format) =>
      void import("../../sessions/list/save-session").then(({ saveSession }) =>
        saveSession(client, messages, sessionId, format),
      ),
  };
}

/** Returns the pinned files of an open session. */
export const sessionPins = (client: AppClient, messages: Messages, { pins, sessionId }: SessionView): PinControl => ({
  isPinned: (path) => pins.some((pin) => pin.path === path),
  setPinned: async (path, isPinned) =>
    (await import("./pin-file")).pinFile({ client, messages, sessionId }, path, isPinned),
});

/** Returns the border before the user's last message; null = there is no user message. */
function borderBeforeLastMessage(view: SessionView): number | null {
  for (const entry of pathEntriesBackward(view))
    if (entry.kind === "message" && entry.role === "user") return entry.from ?? null;
  return null;
}
