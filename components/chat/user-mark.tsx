"use client";
/** States in place of a button that the user did what it offers. */
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "../ui/indicators/icon";

export const UserMark = ({ children }: { readonly children: ReactNode }) => (
  <span className="inline-flex min-h-7 items-center gap-1.5 text-small text-ink-muted">
    <Icon of={Check} size={14} className="shrink-0 text-ink-faint" />
    {children}
  </span>
);
