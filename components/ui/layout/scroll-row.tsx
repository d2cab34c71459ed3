"use client";
/**
 * Horizontally scrolling row: an edge with hidden content fades, and the current item (or selected tab) is scrolled into
 * view, also after a change of size.
 */
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { classes } from "../theme/classes";

interface ScrollRowProps extends Omit<ComponentProps<"div">, "ref"> {
  /** Changes with the current item. */
  readonly current?: string;
}

interface HiddenEdges {
  readonly start: boolean;
  readonly end: boolean;
}

/** Scrolls the row only: `scrollIntoView` also moves the page around it, away from the place its address names. */
function scrollToCenter(row: Element, item: Element): void {
  const area = row.getBoundingClientRect();
  const place = item.getBoundingClientRect();
  row.scrollLeft += place.left + place.width / 2 - (area.left + area.width / 2);
}

export function ScrollRow({ current, className, children, ...rest }: ScrollRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState<HiddenEdges>({ start: false, end: false });
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    // Tolerance of 1 px: browser zoom rounds by half a pixel.
    const measure = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const next: HiddenEdges = { start: scrollLeft > 1, end: scrollLeft + clientWidth < scrollWidth - 1 };
      setMore((now) => (now.start === next.start && now.end === next.end ? now : next));
    };
    const watch = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) watch.observe(one);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [children]);
  useEffect(() => {
    const element = row.current;
    const item = element?.querySelector("[aria-current], [aria-selected=true]");
    if (element === null || !item) return;
    const observer = new ResizeObserver(() => scrollToCenter(element, item));
    for (const one of [element, item]) observer.observe(one);
    return () => observer.disconnect();
  }, [current]);
  return (
    <div
      ref={row}
      data-more={more.start && more.end ? "both" : more.start ? "start" : more.end ? "end" : "none"}
      className={classes(
        "[scrollbar-width:none] data-[more=both]:[mask-image:linear-gradient(to_right,transparent,black_2.5rem,black_calc(100%-2.5rem),transparent)] data-[more=end]:[mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)] data-[more=start]:[mask-image:linear-gradient(to_right,transparent,black_2.5rem)]",
        className,
      )}
      {...rest}
    >
      {children}
    </div>
  );
}
