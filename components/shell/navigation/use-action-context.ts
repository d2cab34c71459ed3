"use client";
/** Context of the actions, and the page's only listener for their keys. */
import { useEffect, useMemo, useRef } from "react";
import type { Settings } from "@/lib/settings/settings";
import { pendingApprovals } from "@/lib/view/view";
import type { ActionContext } from "../../actions/action";
import { keymapOf } from "../../actions/keymap";
import { isMacPlatform } from "../../actions/keys";
import { findAction, isTextTarget } from "../../actions/shortcuts";
import { isPageKey } from "../../actions/terminal-keys";
import { useClient } from "../../state/client";
import { isConversationTarget, isLayerOpen, isTerminalTarget } from "../../ui/browser/focus";
import { findEarlyOverlay } from "../boot/early-overlay";
import { followLink, navigate, lastConversationPath } from "./router";
import type { WorkbenchLocation } from "./use-workbench-location";

export function useActionContext(place: WorkbenchLocation, removeSession: () => void, isPage: boolean): ActionContext {
  const client = useClient();
  const isRunning = (place.session.view?.run ?? null) !== null;
  const { view } = place.session;
  const isWaiting = view !== null && pendingApprovals(view).length > 0;
  const hasSession = view !== null;
  const { sessionId } = place;
  return useMemo(
    () => ({
      client,
      navigate: (path) => navigate(path),
      sessionId,
      isRunning,
      isWaiting,
      hasSession,
      removeSession,
      leavePage: isPage ? leavePage : null,
      setTheme: (theme: Settings["theme"]) => void client.call("settings.write", { patch: { theme } }),
    }),
    [client, sessionId, isRunning, isWaiting, hasSession, removeSession, isPage],
  );
}

/** Leaves the item that is open in a page first. */
const leavePage = (): void => {
  const back = document.querySelector<HTMLElement>("[data-back]");
  if (back === null) navigate(lastConversationPath());
  else back.click();
};

/**
 * Whether an Esc key press closes the page: not in a text field with content, nor in a form that may have unsaved
 * changes.
 */
const isLeavePageKey = ({ key, target, isComposing }: KeyboardEvent): boolean =>
  key === "Escape" &&
  !isComposing &&
  !(target instanceof Element && target.closest("form") !== null) &&
  (!isTextTarget(target) || (target instanceof HTMLInputElement && target.value === ""));

/** Handles the shortcuts and links of the whole page. Open dialogs handle their own keys. */
export function useGlobalShortcuts(context: ActionContext): void {
  const latest = useRef(context);
  useEffect(() => {
    latest.current = context;
  });
  useEffect(() => {
    // From now on the early fields leave the shortcuts to this listener.
    const root = document.documentElement;
    root.dataset.handlesKeys = "";
    const early = findEarlyOverlay();
    if (early !== null) latest.current.client.workbench.showOverlay(early);
    return () => {
      delete root.dataset.handlesKeys;
    };
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
      const keymap = keymapOf(latest.current.client.serverState.get().settings);
      if (isTerminalTarget(event.target) && !isPageKey(event, keymap)) return;
      // Esc closes the topmost layer before it stops a run.
      if (event.key === "Escape" && (event.keyCode === 229 || isLayerOpen())) return;
      if (latest.current.leavePage !== null && isLeavePageKey(event)) {
        event.preventDefault();
        latest.current.leavePage();
        return;
      }
      if (event.key === "Escape" && !isConversationTarget(event.target)) return;
      // AltGr types a character; Windows reports it as Ctrl+Alt.
      if (!isMacPlatform() && event.getModifierState("AltGraph")) return;
      const action = findAction(event, latest.current, isTextTarget(event.target), isMacPlatform());
      if (action === undefined) return;
      event.preventDefault();
      action.perform(latest.current);
    };
    addEventListener("keydown", onKeyDown);
    document.addEventListener("click", followLink);
    return () => {
      removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", followLink);
    };
  }, []);
}
