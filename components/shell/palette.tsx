"use client";
/** mod+K: every command, open file and session by a few letters. A ">" in front means commands only. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { type ActionContext, actions } from "../actions/actions";
import { isMacPlatform, keysText } from "../actions/keys";
import { withTab } from "../state/layout";
import { queries } from "../state/queries";
import { classes } from "../ui/classes";
import { Icon } from "../ui/icon";
import { KeyHint } from "../ui/key-hint";
import { useWords, type Words } from "../words/words";
import { type Choice, matching } from "./palette-match";

const allSessions = {};

export function Palette({ context, onClose }: { readonly context: ActionContext; readonly onClose: () => void }) {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const rows = useInfiniteQuery(queries.sessions(context.client.call, allSessions)).data;
  const choices = useMemo(
    () => [...commandChoices(context, words), ...tabChoices(context, words), ...sessionChoices(context, words, rows)],
    [context, words, rows],
  );
  const shown = useMemo(() => matching(choices, text), [choices, text]);
  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    // The dialog gives the focus back first.
    requestAnimationFrame(choice.perform);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt((now) => (now + step + shown.length) % Math.max(1, shown.length));
    else if (event.key === "Enter") run(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      aria-label={words.actions.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className="mx-auto mt-[12vh] mb-auto w-[min(36rem,calc(100vw-32px))] animate-rise overflow-hidden rounded-dialog border border-line bg-raised p-0 text-ink shadow-float backdrop:bg-scrim max-tablet:mt-4"
    >
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Icon of={Search} className="text-ink-faint" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={shown.length === 0 ? undefined : `${listId}${at}`}
          aria-label={words.actions.placeholder}
          placeholder={words.actions.placeholder}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-11 flex-1 bg-transparent text-talk outline-none max-tablet:text-field"
        />
      </div>
      <div id={listId} role="listbox" aria-label={words.actions.palette} className="max-h-[50vh] overflow-y-auto p-1">
        {shown.length === 0 && <p className="px-3 py-4 text-center text-ink-muted">{words.actions.none}</p>}
        {shown.map((choice, index) => (
          <div
            key={choice.id}
            id={`${listId}${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setAt(index)}
            onClick={() => run(choice)}
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
    </dialog>
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

const sessionChoices = (
  { navigate }: ActionContext,
  words: Words,
  rows:
    | { readonly pages: readonly { readonly rows: readonly { readonly id: string; readonly title: string }[] }[] }
    | undefined,
): readonly Choice[] =>
  (rows?.pages ?? [])
    .flatMap((page) => page.rows)
    .map((row) => ({
      id: `session:${row.id}`,
      isCommand: false,
      label: row.title === "" ? words.sessions.untitled : row.title,
      group: words.actions.sessionsGroup,
      perform: () => navigate(`/s/${row.id}`),
    }));
