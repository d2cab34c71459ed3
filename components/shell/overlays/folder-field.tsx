"use client";
/** Input for a folder path with a list of completions: arrow keys select, Tab completes, a click enters the folder. */
import { keepPreviousData } from "@tanstack/react-query";
import { CornerLeftUp, Folder } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { filterFolderNames } from "@/lib/workspace/folder-path";
import { Icon } from "../../ui/indicators/icon";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import { useFullMessages } from "../../messages/full-messages";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { useCommandQuery } from "../../state/use-command-query";

interface FolderFieldProps {
  readonly id: string;
  readonly path: string;
  readonly placeholder: string;
  readonly invalid: boolean;
  readonly onPath: (path: string) => void;
  /** Called on Enter with the selected folder, else with the typed path. */
  readonly onEnter: (path: string) => void;
}

interface FolderOption {
  readonly label: string;
  /** Value of the field after this row is selected. */
  readonly path: string;
  readonly isUp: boolean;
}

const homePath = "~/";

export function FolderField({ id, path, placeholder, invalid, onPath, onEnter }: FolderFieldProps) {
  const messages = useFullMessages();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const typed = path.trim() === "" ? homePath : path;
  const { data, isError } = useCommandQuery(
    "project.folders",
    { path: typed },
    { retry: false, gcTime: 0, placeholderData: keepPreviousData },
  );
  /** Selected row and the text it was selected for; another text has no selection. */
  const [choice, setChoice] = useState({ path, index: -1 });
  const names = isError ? [] : filterFolderNames(typed, data);
  const isListed = data !== undefined && !isError && typed.startsWith(data.folder);
  const up = isListed && data.parent !== null && data.folder === typed ? data.parent : null;
  const rows: readonly FolderOption[] = [
    ...(up === null ? [] : [{ label: messages.projectList.folders.up, path: up, isUp: true }]),
    ...names.map((name) => ({ label: name, path: `${data?.folder ?? ""}${name}/`, isUp: false })),
  ];
  const chosen = choice.path === path ? choice.index : -1;
  const row = rows[chosen];
  const listId = `${id}-folders`;
  useEffect(() => {
    if (chosen >= 0) list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const take = (option: FolderOption): void => {
    onPath(option.path);
    field.current?.focus();
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent) || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const delta = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // Tab completes the selected row, or the first one if a name is partly typed; otherwise it moves the focus as
    // usual.
    const completed = row ?? (typed.endsWith("/") ? undefined : rows[0]);
    if (delta !== 0 && rows.length > 0) setChoice({ path, index: nextIndex(chosen, delta, rows.length) });
    else if (event.key === "Tab" && completed !== undefined) take(completed);
    else if (event.key === "Enter" && row !== undefined) onEnter(row.path);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextField
        ref={field}
        id={id}
        mono
        autoFocus
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={rows.length > 0}
        aria-controls={listId}
        aria-activedescendant={row === undefined ? undefined : `${listId}-${chosen}`}
        value={path}
        maxLength={4096}
        placeholder={placeholder}
        invalid={invalid}
        onChange={(event) => onPath(event.target.value)}
        onKeyDown={keyDown}
      />
      {/* Fixed height, so that the dialog does not move while the user types. */}
      <div className="mt-2 h-52 overflow-y-auto rounded-control border border-line p-1 max-tablet:h-60">
        {isListed && (
          <p className="cut px-2 py-1 text-small text-ink-muted">{messages.projectList.folders.listed(data.folder)}</p>
        )}
        <div ref={list} id={listId} role="listbox" aria-label={messages.projectList.folders.label}>
          {rows.map((each, index) => (
            <FolderRow
              key={each.path}
              id={`${listId}-${index}`}
              row={each}
              isChosen={index === chosen}
              onTake={() => take(each)}
            />
          ))}
        </div>
        {(isError || (isListed && names.length === 0)) && (
          <p className="px-2 py-1 text-small text-ink-muted">
            {isListed && typed === data.folder ? messages.projectList.folders.empty : messages.projectList.folders.none}
          </p>
        )}
        {isListed && data.more && (
          <p className="px-2 py-1 text-small text-ink-muted">{messages.projectList.folders.more}</p>
        )}
      </div>
    </>
  );
}

/** Returns the next index; -1 (no selection) past either end, from where the next step enters at the other end. */
function nextIndex(chosen: number, delta: 1 | -1, count: number): number {
  const next = chosen + delta;
  if (next >= count) return -1;
  return next < -1 ? count - 1 : next;
}

interface FolderRowProps {
  readonly id: string;
  readonly row: FolderOption;
  readonly isChosen: boolean;
  readonly onTake: () => void;
}

function FolderRow({ id, row, isChosen, onTake }: FolderRowProps) {
  const messages = useFullMessages();
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className="flex h-7 items-center gap-2 rounded-control px-2 select-none hover:bg-hover aria-selected:bg-hover max-tablet:h-11"
    >
      <Icon of={row.isUp ? CornerLeftUp : Folder} size={14} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 cut">
        {row.isUp ? row.label : <VisibleText text={row.label} names={messages.common.hidden} />}
      </span>
    </div>
  );
}
