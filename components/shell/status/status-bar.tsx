"use client";
/** Status bar and the registered status items. */
import { Suspense } from "react";
import { createLazyComponents } from "../../ui/lazy-components";
import { useMessages } from "../../messages/messages";
import type { WorkbenchLocation } from "../navigation/use-workbench-location";
import { ErrorBoundary } from "../notices/error-boundary";
import { type StatusArea, type StatusContext, type StatusItem, statusRegistry } from "./status-registry";

const itemComponent = createLazyComponents<StatusContext>();

interface StatusBarProps {
  readonly place: WorkbenchLocation;
  readonly items?: readonly StatusItem[];
}

export function StatusBar({ place, items = statusRegistry }: StatusBarProps) {
  const { shell } = useMessages();
  return (
    <footer
      aria-label={shell.status}
      className="flex items-center gap-3.5 overflow-hidden border-t border-line bg-surface px-3 text-small whitespace-nowrap text-ink-muted [&_button]:outline-offset-[-2px]"
    >
      <StatusItems area="left" place={place} items={items} />
      <span className="flex-1" />
      <StatusItems area="right" place={place} items={items} />
    </footer>
  );
}

interface StatusItemsProps extends StatusBarProps {
  readonly area: StatusArea;
}

/** Draws the items of an area. One that cannot be loaded or drawn is left out. */
export function StatusItems({ area, place, items = statusRegistry }: StatusItemsProps) {
  const context: StatusContext = { place, isCompact: area === "phone" };
  return items
    .filter(({ areas, when }) => areas.includes(area) && (when?.(context) ?? true))
    .map((item) => {
      const Item = itemComponent(item);
      return (
        <ErrorBoundary key={item.id} fallback={() => null}>
          <Suspense>
            <Item {...context} />
          </Suspense>
        </ErrorBoundary>
      );
    });
}
