"use client";
/** Search results: hits grouped by session; a click opens the message. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Heading, type LucideIcon, MessageSquareText, UserRound, Wrench } from "lucide-react";
import { useMemo } from "react";
import type { SearchHit, SearchPlace } from "@/lib/protocol/history";
import type { Project } from "@/lib/workspace/project";
import type { SessionFilter } from "../../state/session/session-lists";
import { CallError, callValue } from "../../state/command-query";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Time } from "../../ui/text/time";
import { useFullMessages } from "../../messages/full-messages";
import { useMessages } from "../../messages/messages";
import { EmptyState } from "../list/empty-state";
import { groupHits, type HitGroup, keyedHits, splitSnippet } from "./search-hits";
import { sessionTitle } from "../list/session-commands";
import { withBasePath } from "../../state/base-path";

interface SearchResultsProps {
  readonly query: string;
  readonly filter: SessionFilter;
  readonly projects: readonly Project[];
  /** Clears the filters; null = no filter is set. */
  readonly onClearFilters: (() => void) | null;
}

const firstPage: string | null = null;
/** Refetch interval while the index of an old history is being built, because the results grow. */
const indexingMs = 2_000;

export function SearchResults({ query, filter, projects, onClearFilters }: SearchResultsProps) {
  const messages = useFullMessages();
  const { search } = messages.sessionHistory;
  const { filters } = messages.sessionHistory;
  const input = { ...filter, query };
  const found = useInfiniteQuery({
    queryKey: ["history.search", input],
    retry: false,
    initialPageParam: firstPage,
    queryFn: ({ meta, pageParam }) => callValue({ meta }, "history.search", { ...input, next: pageParam ?? undefined }),
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.indexed ?? 1) < 1 ? indexingMs : false),
  });
  const groups = useMemo(() => groupHits(found.data?.pages.flatMap((page) => page.hits) ?? []), [found.data]);
  const indexed = found.data?.pages.at(-1)?.indexed ?? 1;
  const hits = groups.reduce((sum, group) => sum + group.hits.length + (group.inTitle === null ? 0 : 1), 0);
  const summary = found.hasNextPage ? search.foundMore(hits, groups.length) : search.found(hits, groups.length);
  return (
    <section aria-label={messages.sessions.search.label} aria-busy={found.isPlaceholderData || undefined}>
      <div role="status" className="mb-2 flex flex-wrap gap-x-3 px-3 text-small text-ink-muted tabular-nums">
        {found.isSuccess && hits > 0 && <span>{summary}</span>}
        {indexed < 1 && <span>{search.indexed(messages.figures.percent(indexed))}</span>}
      </div>
      {found.isPending && <ResultsSkeleton label={messages.common.loading} />}
      {found.isError && (
        <EmptyState
          text={search.failed}
          note={found.error instanceof CallError ? messages.errors.sentences[found.error.error.code] : undefined}
        >
          <Button onClick={() => void found.refetch()}>{messages.common.retry}</Button>
        </EmptyState>
      )}
      {found.isSuccess && hits === 0 && (
        <EmptyState text={search.none(query)} note={search.noneNote}>
          {onClearFilters !== null && <Button onClick={onClearFilters}>{filters.clear}</Button>}
        </EmptyState>
      )}
      {groups.map((group) => (
        <HitGroupCard
          key={group.sessionId}
          group={group}
          project={projects.find((project) => project.id === group.projectId)?.name ?? messages.sessions.otherProject}
        />
      ))}
      {found.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {messages.sessions.more}
          </Button>
        </div>
      )}
    </section>
  );
}

const placeIcons: Record<SearchPlace, LucideIcon> = {
  title: Heading,
  user: UserRound,
  assistant: MessageSquareText,
  tool: Wrench,
};

function HitGroupCard({ group, project }: { readonly group: HitGroup; readonly project: string }) {
  const messages = useMessages();
  const { inTitle } = group;
  return (
    <article className="mb-3 overflow-hidden rounded-card border border-line bg-raised">
      <a
        href={withBasePath(`/s/${group.sessionId}`)}
        data-session={group.sessionId}
        className="flex min-h-11 items-center gap-3 px-3 py-2 outline-offset-[-2px] hover:bg-hover"
      >
        <h2 className="min-w-0 flex-1 cut font-medium">
          {inTitle === null ? sessionTitle(messages, group) : <HighlightedSnippet hit={inTitle} />}
        </h2>
        <span className="max-w-[40%] shrink-0 cut text-small text-ink-muted">{project}</span>
        <Time at={group.at} figures={messages.figures} className="w-14 shrink-0 text-right text-small text-ink-muted" />
      </a>
      {group.hits.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {keyedHits(group.hits).map(({ key, hit }) => (
            <HitRow key={key} hit={hit} />
          ))}
        </ul>
      )}
    </article>
  );
}

function HitRow({ hit }: { readonly hit: SearchHit }) {
  const messages = useFullMessages();
  const { search } = messages.sessionHistory;
  return (
    <li>
      <a
        href={withBasePath(`/s/${hit.sessionId}#${hit.seq}`)}
        data-session={hit.sessionId}
        data-hit={hit.seq}
        className="flex items-start gap-2.5 px-3 py-2 outline-offset-[-2px] hover:bg-hover max-tablet:min-h-11"
      >
        <span
          role="img"
          aria-label={search.place[hit.place]}
          title={search.place[hit.place]}
          className="mt-0.5 text-ink-faint"
        >
          <Icon of={placeIcons[hit.place]} size={14} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 [overflow-wrap:anywhere] text-ink-muted">
            <HighlightedSnippet hit={hit} />
          </span>
          {hit.hidden === true && <span className="block text-small text-ink-faint">{search.hidden}</span>}
        </span>
        <Time at={hit.at} figures={messages.figures} className="w-14 shrink-0 text-right text-small text-ink-muted" />
      </a>
    </li>
  );
}

function HighlightedSnippet({ hit }: { readonly hit: SearchHit }) {
  return splitSnippet(hit.snippet, hit.marks).map((piece) =>
    piece.isMarked ? (
      <mark key={piece.from} className="rounded-[2px] bg-ask-edge/30 text-ink">
        {piece.text}
      </mark>
    ) : (
      <span key={piece.from}>{piece.text}</span>
    ),
  );
}

function ResultsSkeleton({ label }: { readonly label: string }) {
  return (
    <div className="grid gap-3">
      <Skeleton label={label} className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
