"use client";
/** Settings section about items of one kind: the list, or the page of the item that the address names. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { BackLink } from "../back-link";
import { useOpenItem } from "../open-item";
import { LoadedQuery } from "../project-section";
import { SectionTitle } from "../fields/section-title";

interface ItemSectionProps<State, Item> {
  readonly title: string;
  readonly about: ReactNode;
  /** Label of the link from a page to the list. */
  readonly back: string;
  readonly query: UseQueryResult<State>;
  /** Sentence for a list that cannot be loaded. */
  readonly failed: string;
  /** Sentence for an address whose item does not exist any more. */
  readonly missing: string;
  readonly items: (state: State) => readonly Item[];
  /** Its name in the address, see `OpenItemButton`. */
  readonly addressOf: (item: Item) => string;
  /** Above the list. */
  readonly actions?: ReactNode;
  readonly list: (state: State) => ReactNode;
  readonly page: (item: Item) => ReactNode;
  /** Pages of addresses that name no item, such as the form for a new one. */
  readonly otherPages?: Readonly<Record<string, ReactNode>>;
}

export function ItemSection<State, Item>(props: ItemSectionProps<State, Item>) {
  const { title, about, back, query, failed, missing, items, addressOf, actions, list, page, otherPages = {} } = props;
  const address = useOpenItem();
  if (address !== null)
    return (
      <>
        <BackLink label={back} />
        {Object.hasOwn(otherPages, address) ? (
          otherPages[address]
        ) : (
          <LoadedQuery query={query} failed={failed}>
            {(state) => {
              const item = items(state).find((one) => addressOf(one) === address);
              return item === undefined ? <p>{missing}</p> : <div key={address}>{page(item)}</div>;
            }}
          </LoadedQuery>
        )}
      </>
    );
  return (
    <section aria-label={title} className="mb-8 grid gap-5 *:min-w-0">
      <div>
        <SectionTitle title={title} />
        <div className="max-w-[68ch] text-ink-muted">{about}</div>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      <LoadedQuery query={query} failed={failed}>
        {list}
      </LoadedQuery>
    </section>
  );
}

interface ItemListProps {
  readonly label: string;
  /** `ItemRow` elements. */
  readonly children: ReactNode;
}

export const ItemList = ({ label, children }: ItemListProps) => (
  <ul aria-label={label} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
    {children}
  </ul>
);

interface EmptyItemsProps {
  readonly title: string;
  /** Purpose of such an item, and how to make one. */
  readonly children: ReactNode;
}

export const EmptyItems = ({ title, children }: EmptyItemsProps) => (
  <div className="grid gap-3 rounded-card border border-line bg-raised p-5 *:min-w-0">
    <h3 className="font-medium">{title}</h3>
    <div className="max-w-[60ch] text-ink-muted">{children}</div>
  </div>
);
