"use client";
/** Settings section about items of one kind: the list, or the page of the item that the address names. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Project } from "@/lib/workspace/project";
import { BackLink } from "./back-link";
import { LoadedQuery, ProjectHeader, type ShownProject } from "./project-section";

interface ItemSectionText {
  readonly title: string;
  /** Label of the link from a page to the list. */
  readonly back: string;
  /** Sentence for a list that cannot be loaded. */
  readonly failed: string;
  /** Sentence for an address whose item does not exist any more. */
  readonly missing: string;
  /** Sentence without a project, for items that belong to one. */
  readonly noProject?: string;
}

interface ItemSectionProps<State, Item> {
  readonly text: ItemSectionText;
  readonly about: ReactNode;
  /** Address of the open item; null = the list. */
  readonly opened: string | null;
  readonly query: UseQueryResult<State>;
  readonly items: (state: State) => readonly Item[];
  readonly addressOf: (item: Item) => string;
  /** Above the list. */
  readonly actions?: ReactNode;
  readonly list: (state: State) => ReactNode;
  readonly page: (item: Item) => ReactNode;
  /** Page of an address that names no item, such as the form for a new one. */
  readonly otherPage?: ReactNode;
  /** Absent = the items belong to no project. */
  readonly shown?: ShownProject;
}

export function ItemSection<State, Item>(props: ItemSectionProps<State, Item>) {
  const { text, about, opened, query, items, addressOf, actions, list, page, otherPage, shown } = props;
  if (opened !== null)
    return (
      <>
        <BackLink label={text.back} />
        {otherPage || (
          <LoadedQuery query={query} failed={text.failed}>
            {(state) => {
              const item = items(state).find((one) => addressOf(one) === opened);
              return item === undefined ? <p>{text.missing}</p> : <div key={opened}>{page(item)}</div>;
            }}
          </LoadedQuery>
        )}
      </>
    );
  return (
    <section aria-label={text.title} className="mb-8 grid gap-5 *:min-w-0">
      <ProjectHeader title={text.title} about={about} shown={shown} />
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      {shown !== undefined && shown.project === undefined ? (
        <p>{text.noProject}</p>
      ) : (
        <LoadedQuery key={shown?.project?.id} query={query} failed={text.failed}>
          {list}
        </LoadedQuery>
      )}
    </section>
  );
}

interface ProjectItemSectionProps<State, Item>
  extends Omit<ItemSectionProps<State, Item>, "opened" | "shown" | "list" | "page"> {
  readonly shown: ShownProject;
  readonly list: (state: State, project: Project) => ReactNode;
  readonly page: (item: Item, project: Project) => ReactNode;
}

/** The same for items of a project; the user chooses the project beside the title. */
export function ProjectItemSection<State, Item>({ shown, list, page, ...rest }: ProjectItemSectionProps<State, Item>) {
  const { project, opened } = shown;
  return (
    <ItemSection
      {...rest}
      shown={shown}
      opened={opened}
      list={(state) => project && list(state, project)}
      page={(item) => project && page(item, project)}
    />
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
    <h2 className="font-medium">{title}</h2>
    <div className="max-w-[60ch] text-ink-muted">{children}</div>
  </div>
);
