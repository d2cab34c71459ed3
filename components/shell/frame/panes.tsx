"use client";
/**
 * Panes between header and status bar. Conversation, editor and bottom panel keep their position in the React tree in
 * every layout; only their place in the grid changes, so that switching from Chat to Code remounts nothing.
 */
import { PanelRightClose, PanelRightOpen } from "lucide-react";
import { lazy, Suspense, useEffect, useLayoutEffect } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { useClient } from "../../state/client";
import { type Layout, narrowQuery } from "../../state/workbench/layout";
import { useStore } from "../../state/store";
import { classes } from "../../ui/theme/classes";
import { isTextTarget } from "../../actions/shortcuts";
import { isLayerOpen } from "../../ui/browser/focus";
import { IconButton } from "../../ui/controls/icon-button";
import { useMedia } from "../../ui/layout/use-media";
import { useMessages } from "../../messages/messages";
import { BottomPanel } from "../panes/bottom-panel";
import { PaneDivider } from "../panes/pane-divider";
import { findPane, paneRegistry, panesAt } from "../panes/pane-registry";
import { PaneView } from "../panes/pane-view";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface PanesProps {
  readonly place: WorkbenchLocation;
  readonly onRemoved: (row: SessionRow) => void;
}

const EmptyEditor = lazy(async () => ({ default: (await import("./empty-editor")).EmptyEditor }));
/** Width of a pane that takes what the others leave. */
const rest = "minmax(0,1fr)";

export function Panes({ place, onRemoved }: PanesProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const layout = useStore(workbench, (state) => state.layout);
  const isTablet = useMedia(narrowQuery);
  // In Code and Review the conversation is on the right.
  const isAside = layout.preset !== "chat";
  const hasEditor = isAside || (layout.tabs.length > 0 && !layout.editorHidden);
  const hasConversation = !isAside || !layout.conversationHidden;
  const floats = isTablet && hasEditor && hasConversation;
  // If the panes leave no space for it, the side panel opens only on request.
  useLayoutEffect(() => workbench.setFloating(floats), [floats, workbench]);
  const isRight = layout.isPanelRight && !isTablet;
  const { conversation, editor } = layout.sizes;
  const conversationWidth = isAside && !isTablet ? `minmax(0,${conversation}px)` : rest;
  const editorWidth = isAside || isTablet ? rest : `min(${editor}px,60%)`;
  const columns = isAside
    ? `${editorWidth} auto auto ${hasConversation ? conversationWidth : "auto"}`
    : `${conversationWidth} auto ${hasEditor ? editorWidth : "auto"} auto`;
  return (
    <div
      className="relative grid min-h-0 min-w-0 flex-1 grid-rows-[minmax(0,1fr)_auto]"
      style={{ gridTemplateColumns: `auto auto ${columns}` }}
    >
      {layout.side !== null && (
        <SidePane panel={layout.side} layout={layout} floats={floats} place={place} onRemoved={onRemoved} />
      )}
      {hasConversation && (
        <div
          className={classes(
            "flex min-h-0 min-w-0",
            isAside ? "col-start-6" : "col-start-3",
            // Without an editor the panel is below the conversation.
            hasEditor ? "row-span-full" : "row-start-1",
          )}
        >
          <PaneView pane={findPane(paneRegistry, "conversation")} place={place} onRemoved={onRemoved} />
        </div>
      )}
      {hasEditor && hasConversation && (
        <PaneDivider
          name={isAside ? messages.shell.resizeConversation : messages.shell.resizeEditor}
          pane={isAside ? "conversation" : "editor"}
          className={classes("row-span-full", isAside ? "col-start-5" : "col-start-4")}
        />
      )}
      {hasEditor && place.projectId !== null && (
        <div className={classes("row-start-1 flex min-h-0 min-w-0", isAside ? "col-start-3" : "col-start-5")}>
          {layout.preset === "review" ? (
            <PaneView pane={findPane(paneRegistry, "review")} place={place} onRemoved={onRemoved} />
          ) : (
            <EditorArea place={place} layout={layout} onRemoved={onRemoved} />
          )}
        </div>
      )}
      <div
        className={classes("flex min-h-0 min-w-0", isRight ? "row-span-full" : "row-start-2 flex-col")}
        style={{ gridColumnStart: isRight ? (isAside ? 4 : 6) : hasEditor && !isAside ? 5 : 3 }}
      >
        <BottomPanel isRight={isRight} place={place} onRemoved={onRemoved} />
      </div>
    </div>
  );
}

function EditorArea({ place, layout, onRemoved }: PanesProps & { readonly layout: Layout }) {
  const messages = useMessages();
  const { workbench } = useClient();
  const isCode = layout.preset === "code";
  const button = isCode ? (
    <IconButton
      icon={layout.conversationHidden ? PanelRightOpen : PanelRightClose}
      name={layout.conversationHidden ? messages.shell.showConversation : messages.shell.hideConversation}
      side="below"
      className="m-0.5"
      onClick={() => workbench.changeLayout((now) => ({ ...now, conversationHidden: !now.conversationHidden }))}
    />
  ) : (
    <IconButton
      icon={PanelRightClose}
      name={messages.shell.hideEditor}
      side="below"
      className="m-0.5"
      onClick={() => workbench.changeLayout((now) => ({ ...now, editorHidden: true }))}
    />
  );
  if (place.projectId === null) return null;
  if (layout.tabs.length === 0)
    return (
      <section aria-label={messages.shell.editor} className="flex min-w-0 flex-1 flex-col bg-canvas">
        <div className="flex h-9 shrink-0 justify-end border-b border-line bg-surface">{button}</div>
        <Suspense fallback={<div className="flex-1" />}>
          <EmptyEditor />
        </Suspense>
      </section>
    );
  return <PaneView pane={findPane(paneRegistry, "editor")} place={place} onRemoved={onRemoved} controls={button} />;
}

interface SideProps extends PanesProps {
  readonly panel: NonNullable<Layout["side"]>;
  readonly layout: Layout;
  /** The panel overlays the panes because they leave no space for it. */
  readonly floats: boolean;
}

function SidePane({ panel, layout, floats, place, onRemoved }: SideProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const fold = (): void => workbench.changeLayout((now) => ({ ...now, side: null }));
  useEffect(() => {
    if (!floats) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || isForInputMethod(event) || isLayerOpen() || isTextTarget(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      fold();
    };
    // Capture phase: runs before the page's own Esc handler, so that the topmost layer closes first.
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  });
  return (
    <>
      {floats && <div className="absolute inset-0 z-20 bg-scrim" onClick={fold} />}
      <div
        className={classes(
          "flex min-h-0 flex-col bg-surface",
          floats ? "absolute inset-y-0 left-0 z-30 border-r border-line shadow-float" : "col-start-1 row-span-full",
        )}
        style={{ width: layout.sizes.side }}
      >
        <PaneView
          pane={findPane(panesAt(paneRegistry, "side"), panel)}
          place={place}
          onRemoved={onRemoved}
          onChosen={floats ? fold : undefined}
        />
      </div>
      {!floats && (
        <PaneDivider name={messages.shell.resizeSide} pane="side" onFold={fold} className="col-start-2 row-span-full" />
      )}
    </>
  );
}
