"use client";
/** Panel below the editor or on its right; drawn only while the layout names a registered bottom pane. */
import { X } from "lucide-react";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { classes } from "../../ui/theme/classes";
import { IconButton } from "../../ui/controls/icon-button";
import { useMessages } from "../../messages/messages";
import { PaneDivider } from "./pane-divider";
import { findPane, type Pane, type PaneContext, paneRegistry, panesAt } from "./pane-registry";
import { PaneView } from "./pane-view";

interface BottomPanelProps extends PaneContext {
  readonly isRight?: boolean;
  readonly panes?: readonly Pane[];
}

export function BottomPanel({ panes = paneRegistry, isRight = false, ...context }: BottomPanelProps) {
  const messages = useMessages();
  const { workbench } = useClient();
  const { bottom, sizes } = useStore(workbench, (state) => state.layout);
  const pane = findPane(panesAt(panes, "bottom"), bottom);
  if (pane === undefined || pane.when?.(context) === false) return null;
  const fold = (): void => workbench.changeLayout((layout) => ({ ...layout, bottom: null }));
  const closeButton = (
    <IconButton icon={X} name={messages.common.close} side="above" className="m-0.5" onClick={fold} />
  );
  return (
    <>
      <PaneDivider name={messages.shell.resizeBottom} pane={isRight ? "right" : "bottom"} onFold={fold} />
      <section
        aria-label={pane.title(messages)}
        className={classes("flex min-w-0 flex-col bg-surface", isRight ? "max-w-[45vw]" : "max-h-[60dvh]")}
        style={isRight ? { width: sizes.right } : { height: sizes.bottom }}
      >
        {pane.hasOwnBar !== true && (
          <div className="flex h-9 shrink-0 items-center justify-between border-b border-line pl-3">
            <h2 className="cut font-medium">{pane.title(messages)}</h2>
            {closeButton}
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <PaneView pane={pane} {...context} controls={closeButton} onClosed={fold} />
        </div>
      </section>
    </>
  );
}
