"use client";
/** Divider that resizes a pane of the layout; a foldable pane is collapsed when it is dragged far below its minimum. */
import { useClient } from "../../state/client";
import { type PaneName, paneBounds } from "../../state/workbench/layout";
import { useStore } from "../../state/store";
import { classes } from "../../ui/theme/classes";
import { Divider } from "../../ui/layout/divider";

/** A foldable pane folds below this fraction of its minimum size. */
const foldShare = 0.6;

interface PaneDividerProps {
  readonly name: string;
  readonly pane: PaneName;
  readonly className?: string;
  /** Collapses the pane; absent = it cannot be collapsed by dragging. */
  readonly onFold?: () => void;
}

export function PaneDivider({ name, pane, className, onFold }: PaneDividerProps) {
  const { workbench } = useClient();
  const size = useStore(workbench, (state) => state.layout.sizes[pane]);
  const { min, max } = paneBounds[pane];
  const least = onFold === undefined ? min : Math.round(min * foldShare);
  return (
    <div className={classes("flex", pane === "bottom" && "flex-col", className)}>
      <Divider
        direction={pane === "bottom" ? "horizontal" : "vertical"}
        name={name}
        size={size}
        min={least}
        max={max}
        pane={pane === "side" ? "before" : "after"}
        onResize={(wanted) => {
          if (onFold !== undefined && wanted <= least) onFold();
          else workbench.resize(pane, wanted);
        }}
        onReset={() => workbench.resetSize(pane)}
      />
    </div>
  );
}
