"use client";
/** Disclosure for long, raw or rarely needed content, closed at first. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { classes } from "../../ui/theme/classes";
import { Icon } from "../../ui/indicators/icon";

interface DisclosureProps {
  readonly title: string;
  /** Opens it when it becomes true, and never closes it; default false. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Disclosure({ title, isOpen = false, children, className }: DisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isOpen && details.current !== null) details.current.open = true;
  }, [isOpen]);
  return (
    <details ref={details} className={classes("group", className)}>
      <summary className="-mx-1 inline-flex list-none items-center gap-1 rounded-control px-1 py-0.5 text-ink-muted hover:text-ink max-tablet:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon of={ChevronRight} size={14} className="transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div className="mt-1.5">{children}</div>
    </details>
  );
}

/** Text of a server or a model file, verbatim. */
export function RawText({ text }: { readonly text: string }) {
  return (
    <pre className="max-h-80 overflow-auto rounded-card border border-line bg-surface p-3 font-mono text-code whitespace-pre-wrap [overflow-wrap:anywhere]">
      {text}
    </pre>
  );
}
