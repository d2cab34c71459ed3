"use client";
/** A path in conflict: its regions with a choice for each, what each side changed, and the whole versions. */
import { keepPreviousData } from "@tanstack/react-query";
import { Check, MessageSquarePlus, SquareArrowOutUpRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { ConflictTake } from "@/lib/text/conflict-markers";
import type { SourceConflict } from "@/lib/workspace/source-conflict";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { useClient } from "../../../state/client";
import { useCommandQuery } from "../../../state/use-command-query";
import { addToMessage } from "../../../state/workbench/add-to-message";
import { LazyDiffView } from "../../../ui/code/lazy-diff-view";
import { Button } from "../../../ui/controls/button";
import { Segmented } from "../../../ui/controls/segmented";
import { Icon } from "../../../ui/indicators/icon";
import { Skeleton } from "../../../ui/indicators/skeleton";
import type { DiffLayout } from "../../diff-layout";
import { ConflictChoice } from "./conflict-choice";
import { formatConflict } from "./conflict-message";
import { ConflictRegionView } from "./conflict-region";
import { useConflictActions } from "./use-conflict-actions";

interface ConflictViewProps {
  readonly projectId: ProjectId;
  readonly path: string;
  readonly layout: DiffLayout;
}

type View = "regions" | "ours" | "theirs" | "sides";

/** Versions that a view compares. */
const compared = {
  ours: { from: "base", to: "ours" },
  theirs: { from: "base", to: "theirs" },
  sides: { from: "ours", to: "theirs" },
} as const;

export function ConflictView({ projectId, path, layout }: ConflictViewProps) {
  const messages = useFullMessages();
  const { changes, conflictView: text } = messages;
  const { workbench } = useClient();
  const conflict = useCommandQuery(
    "source.conflict",
    { projectId, path },
    { retry: false, placeholderData: keepPreviousData },
  );
  const status = useCommandQuery("source.status", { projectId }, { enabled: false }).data;
  const operation = status?.kind === "status" ? status.operation : null;
  const actions = useConflictActions(projectId, path);
  const [chosen, setChosen] = useState<View>("regions");
  const [hasMarkers, setMarkers] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const { data, isError } = conflict;
  const focusNext = useFocusAfter(place, data);
  const ask = useAsk(projectId, path, operation);
  if (isError) return <p className="px-9 py-2.5 text-ink-muted">{changes.failed}</p>;
  if (data === undefined) return <Skeleton label={changes.loading} className="mx-9 my-2 h-16" />;
  const note = joinSentences(messages, describeConflict(data, text));
  const views = viewsOf(data);
  const view = views.includes(chosen) ? chosen : (views[0] ?? "regions");
  const isSubmodule = data.sides.ours?.kind === "submodule" || data.sides.theirs?.kind === "submodule";
  const mark = async (anyway: boolean): Promise<void> => setMarkers(!(await actions.mark(anyway)));
  const takeRegion = (index: number, take: ConflictTake): void => {
    if (data.hash === null) return;
    focusNext(data.hash);
    void actions.takeRegion(data.hash, index, take, data.regions.length + data.more - 1);
  };
  return (
    <div ref={place} className="grid gap-2 py-2.5 pr-3 pl-9 max-tablet:pl-3">
      {note !== "" && <p className="text-pretty text-ink-muted">{note}</p>}
      {operation?.kind === "rebase" && <p className="text-pretty text-small text-ink-muted">{text.rebase}</p>}
      {views.length > 1 && (
        <div>
          <Segmented
            name={text.view}
            value={view}
            options={views.map((value) => ({ value, label: text.views[value] }))}
            onChange={setChosen}
          />
        </div>
      )}
      {view === "regions" ? (
        <Regions path={path} conflict={data} disabled={actions.isBusy} onTake={takeRegion} />
      ) : (
        <Comparison {...{ projectId, path, layout, view }} />
      )}
      <ConflictChoice conflict={data} actions={actions} />
      {hasMarkers && (
        <p role="alert" className="flex flex-wrap items-center gap-2 rounded-control bg-ask-soft px-2 py-1">
          <span className="min-w-0 flex-1 text-pretty">{text.left(path)}</span>
          <Button size="small" onClick={() => void mark(true)}>
            {text.anyway}
          </Button>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-1">
        <Button data-mark size="small" disabled={actions.isBusy} onClick={() => void mark(false)}>
          <Icon of={Check} size={14} />
          {isSubmodule ? text.checkedOut : text.mark}
        </Button>
        {data.hash !== null && (
          <Button size="small" look="quiet" onClick={() => workbench.openFile(path, data.regions[0]?.line)}>
            <Icon of={SquareArrowOutUpRight} size={14} />
            {text.openEditor}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => void ask(data)}>
          <Icon of={MessageSquarePlus} size={14} />
          {text.askAgent}
        </Button>
      </div>
    </div>
  );
}

/** Focuses the first choice that is left, once the file with a hash has changed by a choice. */
function useFocusAfter(
  place: React.RefObject<HTMLElement | null>,
  conflict: SourceConflict | undefined,
): (hash: string) => void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (before.current === null || conflict === undefined || conflict.hash === before.current) return;
    before.current = null;
    place.current?.querySelector<HTMLElement>("[data-region] button, [data-mark]")?.focus();
  }, [place, conflict]);
  return (hash) => {
    before.current = hash;
  };
}

/** Returns a function that puts the conflict into the message field; it is not sent. */
function useAsk(projectId: ProjectId, path: string, operation: Parameters<typeof formatConflict>[0]["operation"]) {
  const { conflictView: text } = useFullMessages();
  const client = useClient();
  return async (conflict: SourceConflict): Promise<void> => {
    const { base, ours, theirs } = conflict.sides;
    const read = async (side: "ours" | "theirs") => {
      const answer = await client.call("source.conflict_diff", { projectId, path, from: "base", to: side });
      return answer.ok ? answer.value : undefined;
    };
    const changes = {
      ours: base === null || ours === null ? undefined : await read("ours"),
      theirs: base === null || theirs === null ? undefined : await read("theirs"),
    };
    const content = formatConflict({ path, operation, conflict, changes });
    addToMessage(client, [{ kind: "text", label: text.label(path), text: content }], text.request(path));
  };
}

function describeConflict(conflict: SourceConflict, text: FullMessages["conflictView"]): readonly string[] {
  const { sides, why, regions, looseLine, now, hash } = conflict;
  const all = Object.values(sides);
  if (all.some((side) => side?.kind === "submodule")) return [text.submodule];
  const state = hash === null && now !== null ? text.deletedNow : now === null ? "" : text.now[now];
  if (sides.ours === null && sides.theirs === null) return [text.deletedByBoth, state];
  if (sides.ours === null) return [text.deletedByUs, state];
  if (sides.theirs === null) return [text.deletedByThem, state];
  if (all.some((side) => side?.kind === "link")) return [text.links];
  if (why === "binary") return [text.binary, state];
  if (why === "too_large") return [text.tooLarge];
  if (looseLine !== null) return [text.loose(looseLine)];
  if (regions.length === 0) return [text.noRegions, state];
  return sides.base === null ? [text.bothAdded] : [];
}

/** Returns the views for which there is something to show: the regions, and versions to compare. */
function viewsOf({ sides, why, regions }: SourceConflict): readonly View[] {
  if (why !== undefined) return [];
  const isFile = (side: keyof typeof sides): boolean => sides[side]?.kind === "file";
  const comparisons = (["ours", "theirs", "sides"] as const).filter((view) =>
    view === "sides"
      ? !isFile("base") && isFile("ours") && isFile("theirs")
      : isFile(compared[view].from) && isFile(compared[view].to),
  );
  return regions.length === 0 ? comparisons : ["regions", ...comparisons];
}

interface RegionsProps {
  readonly path: string;
  readonly conflict: SourceConflict;
  readonly disabled: boolean;
  readonly onTake: (index: number, take: ConflictTake) => void;
}

function Regions({ path, conflict: { regions, more }, disabled, onTake }: RegionsProps): ReactNode {
  const { conflictView: text } = useFullMessages();
  return (
    <>
      {regions.map((region, index) => (
        <ConflictRegionView
          key={`${region.line} ${index}`}
          {...{ path, region, disabled }}
          number={index + 1}
          count={regions.length + more}
          onTake={(take) => onTake(index, take)}
        />
      ))}
      {more > 0 && <p className="text-small text-ink-muted">{text.more(more)}</p>}
    </>
  );
}

function Comparison({
  projectId,
  path,
  layout,
  view,
}: ConflictViewProps & { readonly view: Exclude<View, "regions"> }) {
  const { changes, sourceHistory, common } = useFullMessages();
  const { data, isError } = useCommandQuery(
    "source.conflict_diff",
    { projectId, path, ...compared[view] },
    { retry: false },
  );
  if (isError) return <p className="text-ink-muted">{changes.failed}</p>;
  if (data === undefined) return <Skeleton label={changes.loading} className="h-16" />;
  if (data.hunks === undefined) return <p className="text-ink-muted">{changes.why[data.why ?? "too_large"]}</p>;
  if (data.hunks.length === 0) return <p className="text-ink-muted">{sourceHistory.noLines}</p>;
  return <LazyDiffView {...layout} hunks={data.hunks} path={path} names={common.hidden} label={path} />;
}
