"use client";
/** Search in the files of the project: the query with its options, and the results. */
import { ChevronsDownUp, ChevronsUpDown, Eraser, RefreshCw } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import type { ProjectId } from "@/lib/events/id";
import { codeSearchMaxContextLines, codeSearchMaxLines } from "@/lib/workspace/code-search";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { useStore } from "../state/store";
import { Button } from "../ui/controls/button";
import { IconButton } from "../ui/controls/icon-button";
import { Spinner } from "../ui/indicators/spinner";
import { type CodeSearch, type CodeSearchState, getCodeSearch } from "./code-search";
import { ReplacementReport } from "./replacement-report";
import { SearchForm } from "./search-form";
import { CodeSearchTree } from "./code-search-tree";
import { countFoundMatches } from "./search-rows";

interface SearchPaneProps {
  readonly projectId: ProjectId;
  /** Called after the user opened a result. */
  readonly onOpened?: () => void;
}

export function SearchPane({ projectId, onOpened }: SearchPaneProps) {
  const client = useClient();
  const { codeSearch } = useFullMessages();
  const search = useMemo(() => getCodeSearch(client, projectId), [client, projectId]);
  const state = useStore(search, (now) => now);
  const field = useRef<HTMLInputElement>(null);
  const replaceField = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const request = useStore(client.workbench, (now) => now.searchRequest);
  useEffect(() => {
    if (request === null) return;
    client.workbench.clearSearchRequest();
    const typed = client.handles.typeAhead?.take().replaceAll("\n", "") ?? "";
    const query = typed === "" ? request.query : typed;
    const { path: file = null } = request;
    if (query !== "") search.search({ file, query, regex: false });
    else if (file !== search.get().options.file) search.search({ file });
    field.current?.focus();
    // A typed query is continued; any other is selected, so that typing replaces it.
    if (typed === "") field.current?.select();
    if (request.replaces !== true) return;
    search.replacer.show(true);
    if (typed !== "" || search.get().options.query === "") return;
    // The field is drawn in the next frame.
    requestAnimationFrame(() => {
      replaceField.current?.focus();
      replaceField.current?.select();
    });
  }, [client, request, search]);
  return (
    <section aria-label={codeSearch.title} className="flex min-h-0 flex-1 flex-col">
      <Header search={search} state={state} />
      <SearchForm
        search={search}
        state={state}
        field={field}
        replaceField={replaceField}
        onLeave={() => list.current?.focus()}
      />
      <ReplacementReport search={search} state={state} onUndo={() => field.current?.focus()} />
      <Summary search={search} state={state} />
      {state.files.length > 0 && (
        <CodeSearchTree
          search={search}
          state={state}
          list={list}
          onLeave={() => field.current?.focus()}
          onOpened={onOpened}
        />
      )}
    </section>
  );
}

interface PartProps {
  readonly search: CodeSearch;
  readonly state: CodeSearchState;
}

function Header({ search, state: { options, files, collapsed } }: PartProps) {
  const { codeSearch } = useFullMessages();
  const isAllCollapsed = files.length > 0 && files.every(({ path }) => collapsed.has(path));
  return (
    <div className="flex h-9 shrink-0 items-center justify-between pt-1 pr-2 pl-3 max-tablet:h-12">
      <h2 className="text-small font-medium text-ink-muted">{codeSearch.title}</h2>
      <div className="flex">
        <IconButton
          icon={RefreshCw}
          size="small"
          side="below"
          name={codeSearch.refresh}
          disabled={options.query === ""}
          onClick={() => search.search()}
        />
        <IconButton
          icon={Eraser}
          size="small"
          side="below"
          name={codeSearch.clear}
          disabled={options.query === "" && files.length === 0}
          onClick={search.clear}
        />
        <IconButton
          icon={isAllCollapsed ? ChevronsUpDown : ChevronsDownUp}
          size="small"
          side="below"
          name={isAllCollapsed ? codeSearch.expandAll : codeSearch.collapseAll}
          disabled={files.length === 0}
          onClick={() =>
            search.setCollapsed(
              files.map(({ path }) => path),
              !isAllCollapsed,
            )
          }
        />
      </div>
    </div>
  );
}

/** Number of results, and the state of the search. */
function Summary({ search, state }: PartProps) {
  const messages = useFullMessages();
  const { codeSearch, figures } = messages;
  const { status, files, end } = state;
  const matches = useMemo(() => countFoundMatches(files), [files]);
  const notes = endNotes(state, messages);
  const isOneFile = state.options.file !== null;
  if (status === "idle")
    return <p className="px-3 py-2 text-small text-ink-muted">{isOneFile ? codeSearch.idleFile : codeSearch.idle}</p>;
  return (
    <div className="shrink-0 px-3 py-1.5 text-small text-ink-muted">
      <div className="flex min-h-6 items-center gap-2">
        {status === "searching" && <Spinner />}
        <span role="status" className="min-w-0 flex-1">
          {matches > 0
            ? codeSearch.summary(figures.number(matches), figures.number(files.length))
            : status === "searching"
              ? codeSearch.searching
              : end?.error === undefined && state.error === null && codeSearch.none}
        </span>
        {status === "searching" && (
          <Button size="small" look="quiet" onClick={search.stop}>
            {codeSearch.stop}
          </Button>
        )}
      </div>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {status === "done" && matches === 0 && notes.length === 0 && !isOneFile && <p>{codeSearch.noneNote}</p>}
    </div>
  );
}

function endNotes(
  { status, end, error, options }: CodeSearchState,
  { codeSearch, errors, figures }: ReturnType<typeof useFullMessages>,
): readonly string[] {
  if (status === "stopped") return [codeSearch.stopped];
  const failure = error ?? end?.error ?? null;
  // The field shows the reason of an invalid expression.
  if (failure?.code === "bad_regex" && options.regex) return [];
  return [
    ...(failure === null ? [] : [errors.sentences[failure.code]]),
    ...(end?.reason === "limit" ? [codeSearch.limited(figures.number(codeSearchMaxLines))] : []),
    ...(end?.reason === "timeout" ? [codeSearch.timedOut] : []),
    ...(end === null || end === undefined || end.unreadable === 0 ? [] : [codeSearch.unreadableNames(end.unreadable)]),
    ...(end?.isContextCut === true ? [codeSearch.contextCut(figures.number(codeSearchMaxContextLines))] : []),
    ...(end?.hasLongLines === true ? [codeSearch.longLines] : []),
  ];
}
