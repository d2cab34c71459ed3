"use client";
/** Page of one item: its name with chips, facts, buttons, and sections below. */
import type { ReactNode } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { VisibleText } from "../../ui/text/visible-text";

interface ItemPageProps {
  readonly name: string;
  /** Beside the name. */
  readonly chips?: ReactNode;
  /** Below the name. */
  readonly about?: ReactNode;
  /** Buttons that act on the whole item. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ItemPage({ name, chips, about, actions, children }: ItemPageProps) {
  const { common } = useFullMessages();
  return (
    <div className="grid gap-5 *:min-w-0">
      <div className="grid gap-1">
        <h2 className="flex flex-wrap items-center gap-x-2 text-title font-semibold [overflow-wrap:anywhere]">
          <VisibleText text={name} names={common.hidden} />
          {chips}
        </h2>
        {about}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      {children}
    </div>
  );
}

/** A name and a value; the entries of a page are in one `FactTable`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="col-span-2 grid grid-cols-subgrid items-baseline max-tablet:col-span-1 max-tablet:block max-tablet:py-1">
    <dt className="text-ink-muted">{name}</dt>
    <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

export const FactTable = ({ children }: { readonly children: ReactNode }) => (
  <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 border-y border-line py-3.5 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
    {children}
  </dl>
);

interface ItemPartProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}

/** A titled section of the page. */
export const ItemPart = ({ title, note, children }: ItemPartProps) => (
  <section aria-label={title} className="grid gap-1.5 *:min-w-0">
    <h3 className="font-semibold">{title}</h3>
    {note !== undefined && <p className="max-w-[68ch] text-small text-ink-muted">{note}</p>}
    {children}
  </section>
);
