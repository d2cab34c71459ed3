"use client";
/** Rows of the palette: commands, open files and sessions that match the text. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Project } from "@/lib/project";
import type { SessionRow } from "@/lib/session-row";
import { type ActionContext, actions } from "../actions/actions";
import { isMacPlatform, keysText } from "../actions/keys";
import { namesakeMarks } from "../sessions/namesakes";
import { withTab } from "../state/layout";
import { queries } from "../state/queries";
import { rowsOf } from "../state/session-lists";
import { classes } from "../ui/classes";
import { KeyHint } from "../ui/key-hint";
import { useWords, type Words } from "../words/words";
import { type Choice, matching } from "./palette-match";

const allSessions = {};

export interface PaletteListProps {
  readonly context: ActionContext;
  readonly id: string;
  readonly text: string;
  /** Index of the highlighted row, from 0. */
  readonly at: number;
  /** Enter was pressed: the highlighted row runs as soon as it exists. */
  readonly isEntered: boolean;
  readonly onAt: (at: number) => void;
  readonly onCount: (count: number) => void;
  /** undefined = nothing matches and all choices have loaded. */
  readonly onRun: (choice: Choice | undefined) => void;
}

export function PaletteList({ context, id, text, at, isEntered, onAt, onCount, onRun }: PaletteListProps) {
  const words = useWords();
  const list = useRef<HTMLDivElement>(null);
  const sessions = useInfiniteQuery(queries.sessions(context.client.call, allSessions));
  const projects = useQuery(queries.welcome()).data?.projects;
  const choices = useMemo(
    () => [
      ...commandChoices(context, words),
      ...tabChoices(context, words),
      ...sessionChoices(context, words, rowsOf(sessions.data?.pages), projects ?? []),
    ],
    [context, words, sessions.data, projects],
  );
  const shown = useMemo(() => matching(choices, text), [choices, text]);
  const isComplete = !sessions.isPending;
  useEffect(() => onCount(shown.length), [onCount, shown.length]);
  useEffect(() => {
    const choice = shown[at];
    if (isEntered && (choice !== undefined || isComplete)) onRun(choice);
  }, [isEntered, shown, at, isComplete, onRun]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={words.actions.palette}
      className="max-h-[50vh] overflow-y-auto p-1"
    >
      {shown.length === 0 && isComplete && <p className="px-3 py-4 text-center text-ink-muted">{words.actions.none}</p>}
      {shown.map((choice, index) => (
        <div
          key={choice.id}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          onPointerMove={() => onAt(index)}
          onClick={() => onRun(choice)}
          className={classes(
            "flex h-8 items-center gap-2 rounded-control px-2 max-tablet:h-11",
            index === at && "bg-hover",
          )}
        >
          <span className="min-w-0 flex-1 cut">{choice.label}</span>
          <span className="cut text-small text-ink-faint">{choice.group}</span>
          {choice.keys !== undefined && <KeyHint keys={choice.keys} />}
        </div>
      ))}
    </div>
  );
}

const commandChoices = (context: ActionContext, words: Words): readonly Choice[] =>
  actions
    .filter((action) => action.id !== "palette" && (action.when?.(context) ?? true))
    .map((action) => ({
      id: action.id,
      isCommand: true,
      label: words.actions.names[action.id],
      group: words.actions.groups[action.group],
      ...(action.keys === undefined ? {} : { keys: keysText(action.keys, isMacPlatform()) }),
      perform: () => action.perform(context),
    }));

const tabChoices = ({ client: { workbench } }: ActionContext, words: Words): readonly Choice[] =>
  workbench.get().layout.tabs.map((path) => ({
    id: `tab:${path}`,
    isCommand: false,
    label: path,
    group: words.actions.tabsGroup,
    perform: () => workbench.changeLayout((layout) => withTab(layout, path)),
  }));

function sessionChoices(
  { navigate }: ActionContext,
  words: Words,
  rows: readonly SessionRow[],
  projects: readonly Project[],
): readonly Choice[] {
  const nameOf = ({ projectId }: Pick<SessionRow, "projectId">): string =>
    projects.find(({ id }) => id === projectId)?.name ?? words.sessions.otherProject;
  const marks = namesakeMarks(rows, { figures: words.figures, projectName: nameOf });
  return rows.map((row) => ({
    id: `session:${row.id}`,
    isCommand: false,
    label: row.title === "" ? words.sessions.untitled : row.title,
    group: [marks.get(row.id) ?? [], words.actions.sessionsGroup].flat().join(" \u00b7 "),
    perform: () => navigate(`/s/${row.id}`),
  }));
}
