"use client";
/** Icon button whose menu is loaded when it is opened first. */
import type { LucideIcon } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { Icon } from "../indicators/icon";
import { Tooltip } from "../overlays/tooltip";
import { useFloatingButton } from "../overlays/use-floating-button";
import type { MenuListProps } from "./menu";

interface LazyMenuButtonProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly className?: string;
  /** Draws the list of the open menu. */
  readonly children: (menu: Pick<MenuListProps, "id" | "anchor" | "onClose">) => ReactNode;
}

export function LazyMenuButton({ icon, name, className, children }: LazyMenuButtonProps) {
  const { id, anchor, isOpen, close, attributes } = useFloatingButton("menu");
  return (
    <>
      <button {...attributes} ref={anchor} aria-label={name} className={className}>
        <Icon of={icon} size={14} />
      </button>
      {!isOpen && <Tooltip anchor={anchor}>{name}</Tooltip>}
      <Suspense>{isOpen && children({ id, anchor, onClose: close })}</Suspense>
    </>
  );
}
