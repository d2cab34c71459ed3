"use client";
/** Button that returns from an item, such as a model or a connection, to the list. Esc does the same. */
import { ChevronLeft } from "lucide-react";
import { Icon } from "../../ui/indicators/icon";
import { openItem } from "./open-item";

export function BackLink({ label }: { readonly label: string }) {
  return (
    <button
      type="button"
      data-back
      onClick={() => openItem(null)}
      className="mb-3 -ml-1.5 flex h-7 items-center gap-0.5 rounded-control pr-2 pl-1 text-ink-muted hover:bg-hover hover:text-ink max-tablet:mb-1 max-tablet:h-11"
    >
      <Icon of={ChevronLeft} />
      {label}
    </button>
  );
}
