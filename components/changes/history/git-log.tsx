"use client";
/** The log of a repository, or of one file: commits with their graph, a search, and the commit that is chosen. */
import { ListTree, RefreshCw, Search, X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { layoutGraph } from "@/lib/workspace/commit-graph";
import type { LogCommit } from "@/lib/workspace/source-history";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { CallError } from "../../state/command-query";
import { randomText } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { Icon } from "../../ui/indicators/icon";
import { Skeleton } from "../../ui/indicators/skeleton";
import { CommitDialog, type CommitPair, shortId } from "./commit-dialog";
import { type LogSearch, useLog } from "./history-queries";
import { LogList } from "./log-list";

type SearchScope = "text" | "author" | "path" | "content";
const scopes: readonly SearchScope[] = ["text", "author", "path", "content"];

interface GitLogProps {
  readonly projectId: ProjectId;
  /** Only the commits that changed this file, under all its names; absent = all. */
  readonly file?: string;
}

export function GitLog({ projectId, file }: GitLogProps) {
  const { sourceHistory: text } = useFullMessages();
  const [search, setSearch] = useState<LogSearch>({});
  const [all, setAll] = useState(false);
  const [searchId] = useState(randomText);
  const log = useLog(projectId, { ...search, ...(file === undefined ? { all } : { file }) }, searchId);
  const [shown, setShown] = useState<CommitPair | null>(null);
  /** The commit with which the next one is compared; null = the next one is shown. */
  const [base, setBase] = useState<string | null>(null);
  const choose = ({ id }: LogCommit): void => {
    setShown({ commit: id, ...(base === null || base === id ? {} : { base }) });
    setBase(null);
  };
  return (
    <section aria-label={text.title} className="flex min-h-0 flex-1 flex-col">
      <SearchForm onSearch={setSearch}>
        {file === undefined && (
          <IconButton
            icon={ListTree}
            name={text.allBranches}
            size="small"
            side="below"
            on={all}
            onClick={() => setAll(!all)}
          />
        )}
        <IconButton
          icon={RefreshCw}
          name={text.refresh}
          size="small"
          side="below"
          aria-busy={log.isFetching}
          onClick={() => void log.refetch()}
        />
      </SearchForm>
      {base !== null && (
        <p
          role="status"
          className="mx-3 mb-1.5 flex items-center gap-2 rounded-control bg-accent-soft py-1 pl-2 text-small"
        >
          <span className="min-w-0 flex-1">{text.chooseOther(shortId(base))}</span>
          <CancelButton onClick={() => setBase(null)} />
        </p>
      )}
      <LogContent
        {...{ log, searchId }}
        isSearch={Object.keys(search).length > 0}
        hasGraph={file === undefined}
        onChoose={choose}
      />
      {shown !== null && (
        <CommitDialog
          projectId={projectId}
          shown={shown}
          onShow={setShown}
          onClose={() => setShown(null)}
          onCompare={(id) => {
            setShown(null);
            setBase(id);
          }}
        />
      )}
    </section>
  );
}

const CancelButton = ({ onClick }: { readonly onClick: () => void }) => {
  const { common } = useFullMessages();
  return <IconButton icon={X} name={common.cancel} size="small" onClick={onClick} />;
};

interface SearchFormProps {
  readonly onSearch: (search: LogSearch) => void;
  /** Buttons behind it. */
  readonly children: ReactNode;
}

/** Searches when the user presses Enter: a search may take long. In a narrow pane the field has a line of its own. */
function SearchForm({ onSearch, children }: SearchFormProps) {
  const { sourceHistory: text } = useFullMessages();
  const [scope, setScope] = useState<SearchScope>("text");
  const [typed, setTyped] = useState("");
  const start = (value: string, where: SearchScope): void =>
    onSearch(value.trim() === "" ? {} : { [where]: value.trim() });
  return (
    <form
      role="search"
      className="flex shrink-0 flex-wrap items-center gap-1 py-1.5 pr-2 pl-3"
      onSubmit={(event) => {
        event.preventDefault();
        start(typed, scope);
      }}
    >
      <span className="relative min-w-0 grow basis-44 max-tablet:basis-full">
        <Icon
          of={Search}
          size={14}
          className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-ink-faint"
        />
        <TextField
          type="search"
          enterKeyHint="search"
          aria-label={text.search}
          placeholder={text.placeholder[scope]}
          value={typed}
          maxLength={500}
          onChange={({ target: { value } }) => {
            setTyped(value);
            if (value === "") start("", scope);
          }}
          className="pl-7"
        />
      </span>
      <Select
        aria-label={text.scope}
        value={scope}
        options={scopes.map((value) => ({ value, label: text.scopes[value] }))}
        onChange={(value) => {
          setScope(value);
          if (typed.trim() !== "") start(typed, value);
        }}
        className="mr-auto max-w-36"
      />
      {children}
    </form>
  );
}

interface LogContentProps {
  readonly log: ReturnType<typeof useLog>;
  readonly searchId: string;
  readonly isSearch: boolean;
  readonly hasGraph: boolean;
  readonly onChoose: (commit: LogCommit) => void;
}

function LogContent({ log, searchId, isSearch, hasGraph, onChoose }: LogContentProps): ReactNode {
  const { sourceHistory: text } = useFullMessages();
  const { call } = useClient();
  const { data, isPending, isError, isFetching } = log;
  const commits = useMemo(() => data?.pages.flatMap((page) => page.commits) ?? [], [data]);
  const graph = useMemo(() => (hasGraph && !isSearch ? layoutGraph(commits) : null), [commits, hasGraph, isSearch]);
  const stop = isSearch && isFetching && (
    <p role="status" className="flex items-center gap-2 px-3 py-1.5 text-small text-ink-muted">
      <span className="flex-1">{text.searching}</span>
      <Button size="small" onClick={() => void call("source.stop_log", { searchId })}>
        {text.stop}
      </Button>
    </p>
  );
  if (isPending) return stop === false ? <Skeleton label={text.loading} className="mx-3 h-24" /> : stop;
  if (isError) return <LogError error={log.error} onRetry={() => void log.refetch()} />;
  const ended = data.pages.at(-1)?.ended;
  return (
    <>
      {stop}
      {ended !== undefined && <Note text={text.ended[ended]} />}
      {commits.length === 0 && ended === undefined && <Note text={isSearch ? text.nothingFound : text.none} />}
      {commits.length > 0 && <LogList commits={commits} graph={graph} onChoose={onChoose} />}
      {log.hasNextPage && (
        <div className="shrink-0 px-3 py-1.5">
          <Button size="small" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {text.more}
          </Button>
        </div>
      )}
    </>
  );
}

interface LogErrorProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

function LogError({ error, onRetry }: LogErrorProps) {
  const { sourceHistory: text, changes, common } = useFullMessages();
  const { workbench } = useClient();
  const code = error instanceof CallError ? error.error.code : null;
  if (code === "not_found") return <Note text={text.noRepository} />;
  if (code === "untrusted")
    return (
      <Note text={changes.untrusted}>
        <Button onClick={() => workbench.showTrust(onRetry)}>{changes.trust}</Button>
      </Note>
    );
  return (
    <Note text={text.failed}>
      <Button onClick={onRetry}>{common.retry}</Button>
    </Note>
  );
}

const Note = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <div className="grid justify-items-start gap-3 px-3 py-2 text-small text-ink-muted">
    <p className="text-pretty">{text}</p>
    {children}
  </div>
);
