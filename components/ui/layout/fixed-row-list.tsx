"use client";
/** List of rows of one height: the rows in the DOM follow from the scroll position alone, so no row is measured. */
import {
  type ComponentProps,
  type ReactNode,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useState,
} from "react";
import { flushSync } from "react-dom";

export interface FixedRowListHandle {
  /** Scrolls by the least distance after which the row is visible. */
  readonly scrollToIndex: (index: number) => void;
}

interface FixedRowListProps extends Omit<ComponentProps<"div">, "children" | "onScroll" | "ref"> {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  /** Height of the header and of each row, px. */
  readonly rowPx: number;
  /** Stays visible above the rows; absent = there is none. */
  readonly header?: ReactNode;
  /** Identity of a row; absent = its index. */
  readonly keyOf?: (index: number) => string;
  readonly handle?: RefObject<FixedRowListHandle | null>;
  readonly row: (index: number) => ReactNode;
}

/** Rows kept in the DOM above and below the visible ones. */
const extraRows = 12;

export function FixedRowList(props: FixedRowListProps) {
  const { scroller, count, rowPx, header, keyOf, handle, row, ...rest } = props;
  const [first, setFirst] = useState(0);
  const [visible, setVisible] = useState(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const measure = (): void => setVisible(Math.ceil(box.clientHeight / rowPx));
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [scroller, rowPx]);
  const headerPx = header === undefined ? 0 : rowPx;
  useImperativeHandle(
    handle,
    () => ({
      scrollToIndex(index) {
        const box = scroller.current;
        if (box === null) return;
        const end = (index + 1) * rowPx + headerPx - box.clientHeight;
        box.scrollTop = Math.min(index * rowPx, Math.max(end, box.scrollTop));
      },
    }),
    [scroller, rowPx, headerPx],
  );
  const start = Math.max(0, Math.min(first, count - visible) - extraRows);
  const end = Math.min(count, first + visible + extraRows);
  const shown = Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
  return (
    <div
      ref={scroller}
      {...rest}
      // Before the frame is painted: it would be empty after a jump.
      onScroll={({ currentTarget }) => flushSync(() => setFirst(Math.floor(currentTarget.scrollTop / rowPx)))}
    >
      {header !== undefined && <div className="sticky top-0 z-1">{header}</div>}
      <div className="relative" style={{ height: count * rowPx }}>
        {shown.map((index) => (
          <div
            key={keyOf?.(index) ?? index}
            className="absolute left-0 w-full"
            style={{ top: index * rowPx, height: rowPx }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
