"use client";
/** Status bar and the registered status items. */
import { type ReactNode, Suspense } from "react";
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

/** Items of one side; the toasts between the sides limit their width. */
const sideClasses = "flex min-w-0 items-center gap-3.5 overflow-hidden";

/** `children` are drawn between the items of both sides. */
export function StatusBar({ place, items, children }: StatusBarProps & { readonly children?: ReactNode }) {
  const { shell } = useMessages();
  return (
    <footer
      aria-label={shell.status}
      className="flex min-h-6 items-center justify-between gap-3.5 overflow-hidden border-t border-line bg-surface px-3 text-small whitespace-nowrap text-ink-muted [&_button]:outline-offset-[-2px]"
    >
      <div className={sideClasses}>
        <StatusItems area="left" place={place} items={items} />
      </div>
      {children}
      <div className={sideClasses}>
        <StatusItems area="right" place={place} items={items} />
      </div>
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
