"use client";
/** Menu at a point of the screen: of a right click, a long press or the menu key. */
import { useId, useRef } from "react";
import { type MenuItem, MenuList } from "./menu";

interface ContextMenuProps {
  /** Upper left corner, px of the viewport. */
  readonly at: { readonly x: number; readonly y: number };
  readonly items: readonly MenuItem[];
  /** Accessible name. */
  readonly name: string;
  /** `refocus`: the focus returns to the element that opened the menu. */
  readonly onClose: (refocus: boolean) => void;
}

export function ContextMenu({ at, items, name, onClose }: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const id = useId();
  return (
    // The menu key also requests the browser's own menu, when it is released.
    <div onContextMenu={(event) => event.preventDefault()}>
      <span ref={anchor} className="fixed size-0" style={{ left: at.x, top: at.y }} />
      <MenuList key={`${at.x} ${at.y}`} {...{ id, anchor, items, name, onClose }} side="below" align="start" />
    </div>
  );
}
