"use client";
/** Menu of the layout of diffs: columns, and wrapping of long lines. */
import { SlidersHorizontal } from "lucide-react";
import { useFullMessages } from "../messages/full-messages";
import { Icon } from "../ui/indicators/icon";
import { Menu } from "../ui/controls/menu";
import type { DiffLayout } from "./diff-layout";

interface DiffLayoutMenuProps {
  readonly layout: DiffLayout;
  readonly onLayout: (layout: DiffLayout) => void;
}

export function DiffLayoutMenu({ layout, onLayout }: DiffLayoutMenuProps) {
  const { layout: name, layouts } = useFullMessages().review;
  return (
    <Menu
      name={name}
      aria-label={name}
      align="end"
      chosen={layout.wraps === true ? "wraps" : (layout.shape ?? "auto")}
      items={[
        { id: "auto", label: layouts.auto, onSelect: () => onLayout({}) },
        { id: "unified", label: layouts.unified, onSelect: () => onLayout({ shape: "unified" }) },
        { id: "split", label: layouts.split, onSelect: () => onLayout({ shape: "split" }) },
        // Lines wrap in one column only.
        { id: "wraps", label: layouts.wraps, onSelect: () => onLayout({ wraps: true }) },
      ]}
      className="grid size-8 shrink-0 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink data-[state=open]:bg-pressed max-tablet:size-11"
    >
      <Icon of={SlidersHorizontal} />
    </Menu>
  );
}
