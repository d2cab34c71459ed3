"use client";
/** The field for a folder's path, with the folders that complete it below: arrows choose, Tab completes, a click goes in. For open-folder-dialog. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CornerLeftUp, Folder } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { offeredFolders } from "@/lib/folder-path";
import { useClient } from "../state/client";
import { queries } from "../state/queries";
import { Icon } from "../ui/icon";
import { TextField } from "../ui/text-field";
import { VisibleText } from "../ui/visible-text";
import { useWords } from "../words/words";

export interface FolderFieldProps {
  readonly id: string;
  readonly path: string;
  readonly placeholder: string;
  readonly invalid: boolean;
  readonly onPath: (path: string) => void;
  /** Enter: the chosen folder, else what is typed. */
  readonly onEnter: (path: string) => void;
}

interface Row {
  readonly label: string;
  /** What the field has once the row is taken. */
  readonly path: string;
  readonly isUp: boolean;
}

const homePath = "~/";

export function FolderField({ id, path, placeholder, invalid, onPath, onEnter }: FolderFieldProps) {
  const words = useWords();
  const { call } = useClient();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const typed = path.trim() === "" ? homePath : path;
  const { data, isError } = useQuery({ ...queries.folders(call, typed), placeholderData: keepPreviousData });
  /** What was chosen for which text: another text has nothing chosen. */
  const [choice, setChoice] = useState({ path, index: -1 });
  const names = isError ? [] : offeredFolders(typed, data);
  const isListed = data !== undefined && !isError && typed.startsWith(data.folder);
  const up = isListed && data.parent !== null && data.folder === typed ? data.parent : null;
  const rows: readonly Row[] = [
    ...(up === null ? [] : [{ label: words.shell.folders.up, path: up, isUp: true }]),
    ...names.map((name) => ({ label: name, path: `${data?.folder ?? ""}${name}/`, isUp: false })),
  ];
  const chosen = choice.path === path ? choice.index : -1;
  const row = rows[chosen];
  const listId = `${id}-folders`;
  useEffect(() => {
    if (chosen >= 0) list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const take = (taken: Row): void => {
    onPath(taken.path);
    field.current?.focus();
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // Without a choice and a typed part Tab goes on to the next control.
    const completed = row ?? (typed.endsWith("/") ? undefined : rows[0]);
    if (by !== 0 && rows.length > 0) setChoice({ path, index: nextIndex(chosen, by, rows.length) });
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
        {...(row === undefined ? {} : { "aria-activedescendant": `${listId}-${chosen}` })}
        value={path}
        maxLength={4096}
        placeholder={placeholder}
        invalid={invalid}
        onChange={(event) => onPath(event.target.value)}
        onKeyDown={keyDown}
      />
      {/* One height, so that the dialog stays where it is while one types. */}
      <div className="mt-2 h-52 overflow-y-auto rounded-control border border-line p-1 max-tablet:h-60">
        <div ref={list} id={listId} role="listbox" aria-label={words.shell.folders.label}>
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
          <p className="px-2 py-1 text-small text-ink-muted">{words.shell.folders.none}</p>
        )}
        {isListed && data.more && <p className="px-2 py-1 text-small text-ink-muted">{words.shell.folders.more}</p>}
      </div>
    </>
  );
}

/** Past either end nothing is chosen, and the next step comes in at the other one. */
function nextIndex(chosen: number, by: 1 | -1, count: number): number {
  const next = chosen + by;
  if (next >= count) return -1;
  return next < -1 ? count - 1 : next;
}

interface FolderRowProps {
  readonly id: string;
  readonly row: Row;
  readonly isChosen: boolean;
  readonly onTake: () => void;
}

function FolderRow({ id, row, isChosen, onTake }: FolderRowProps) {
  const words = useWords();
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className="flex h-7 items-center gap-2 rounded-control px-2 select-none hover:bg-hover aria-selected:bg-hover max-tablet:h-11"
    >
      <Icon of={row.isUp ? CornerLeftUp : Folder} size={14} className="shrink-0 text-ink-faint" />
      <span className="min-w-0 flex-1 cut">
        {row.isUp ? row.label : <VisibleText text={row.label} names={words.common.hidden} />}
      </span>
    </div>
  );
}
