"use client";
/** Rows of the palette: commands, settings sections, open files and sessions that match the text. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Project } from "@/lib/workspace/project";
import type { SessionRow } from "@/lib/protocol/session-row";
import { type ActionContext, actions } from "../../actions/actions";
import { isMacPlatform, formatShortcut } from "../../actions/keys";
import { duplicateTitleMarks } from "../../sessions/list/duplicate-title-marks";
import { openTab } from "../../state/workbench/layout";
import { queries } from "../../state/queries";
import { useServerState } from "../../state/use-server-state";
import { mergeRows } from "../../state/session/session-lists";
import { classes } from "../../ui/theme/classes";
import { KeyHint } from "../../ui/indicators/key-hint";
import type { Messages } from "../../messages/messages";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { type SettingsSection, settingsSections } from "../../settings/settings-sections";
import { type PaletteChoice, matchChoices } from "./palette-match";

const allSessions = {};

interface PaletteListProps {
  readonly context: ActionContext;
  readonly id: string;
  readonly text: string;
  /** Index of the highlighted row, from 0. */
  readonly activeIndex: number;
  /** Enter was pressed: the highlighted row runs as soon as it exists. */
  readonly isSubmitted: boolean;
  readonly onActiveIndex: (at: number) => void;
  readonly onCount: (count: number) => void;
  /** undefined = nothing matches and all choices have loaded. */
  readonly onRun: (choice: PaletteChoice | undefined) => void;
}

export function PaletteList({
  context,
  id,
  text,
  activeIndex,
  isSubmitted,
  onActiveIndex,
  onCount,
  onRun,
}: PaletteListProps) {
  const messages = useFullMessages();
  const list = useRef<HTMLDivElement>(null);
  const sessions = useInfiniteQuery(queries.sessions(context.client.call, allSessions));
  const projects = useServerState("projects");
  const choices = useMemo(
    () => [
      ...commandChoices(context, messages),
      ...sectionChoices(context, messages, projects ?? []),
      ...tabChoices(context, messages),
      ...sessionChoices(context, messages, mergeRows(sessions.data?.pages), projects ?? []),
    ],
    [context, messages, sessions.data, projects],
  );
  const shown = useMemo(() => matchChoices(choices, text), [choices, text]);
  const isComplete = !sessions.isPending;
  useEffect(() => onCount(shown.length), [onCount, shown.length]);
  useEffect(() => {
    const choice = shown[activeIndex];
    if (isSubmitted && (choice !== undefined || isComplete)) onRun(choice);
  }, [isSubmitted, shown, activeIndex, isComplete, onRun]);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={messages.actions.palette}
      className="max-h-[50vh] overflow-y-auto p-1"
    >
      {shown.length === 0 && isComplete && (
        <p className="px-3 py-4 text-center text-ink-muted">{messages.actions.none}</p>
      )}
      {shown.map((choice, index) => (
        <div
          key={choice.id}
          id={`${id}${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === activeIndex}
          onPointerMove={() => onActiveIndex(index)}
          onClick={() => onRun(choice)}
          className={classes(
            "flex h-8 items-center gap-2 rounded-control px-2 max-tablet:h-11",
            index === activeIndex && "bg-hover",
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

const commandChoices = (context: ActionContext, messages: Messages): readonly PaletteChoice[] =>
  actions
    .filter((action) => action.id !== "palette" && (action.when?.(context) ?? true))
    .map((action) => ({
      id: action.id,
      isCommand: true,
      label: messages.actions.names[action.id],
      group: messages.actions.groups[action.group],
      ...(action.keys === undefined ? {} : { keys: formatShortcut(action.keys, isMacPlatform()) }),
      perform: () => action.perform(context),
    }));

const sectionChoices = (
  { navigate }: ActionContext,
  { actions: { groups }, settings }: FullMessages,
  projects: readonly Project[],
): readonly PaletteChoice[] =>
  settingsSections
    .filter(({ when }: SettingsSection) => when?.({ projects }) ?? true)
    .map(({ id, titleKey }) => ({
      id: `settings:${id}`,
      isCommand: true,
      label: settings.tabs[titleKey],
      group: groups.settings,
      perform: () => navigate(`/settings/${id}`),
    }));

const tabChoices = ({ client: { workbench } }: ActionContext, messages: Messages): readonly PaletteChoice[] =>
  workbench.get().layout.tabs.map((path) => ({
    id: `tab:${path}`,
    isCommand: false,
    label: path,
    group: messages.actions.tabsGroup,
    perform: () => workbench.changeLayout((layout) => openTab(layout, path)),
  }));

function sessionChoices(
  { navigate }: ActionContext,
  messages: Messages,
  rows: readonly SessionRow[],
  projects: readonly Project[],
): readonly PaletteChoice[] {
  const nameOf = ({ projectId }: Pick<SessionRow, "projectId">): string =>
    projects.find(({ id }) => id === projectId)?.name ?? messages.sessions.otherProject;
  const marks = duplicateTitleMarks(rows, { figures: messages.figures, projectName: nameOf });
  return rows.map((row) => ({
    id: `session:${row.id}`,
    isCommand: false,
    label: row.title === "" ? messages.sessions.untitled : row.title,
    group: [marks.get(row.id) ?? [], messages.actions.sessionsGroup].flat().join(" \u00b7 "),
    perform: () => navigate(`/s/${row.id}`),
  }));
}
