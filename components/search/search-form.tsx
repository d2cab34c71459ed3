"use client";
/** The fields of the code search: the query with its toggles, and the globs of the files. */
import { ChevronRight, Ellipsis, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useId } from "react";
import { matchesKeys, isMacPlatform } from "../actions/keys";
import { findSearchOption, searchOptionShortcuts } from "../actions/search-toggles";
import { codeSearchMaxContext } from "@/lib/workspace/code-search";
import { useFullMessages } from "../messages/full-messages";
import { IconButton } from "../ui/controls/icon-button";
import { SearchToggles } from "../ui/controls/search-toggles";
import { Select } from "../ui/controls/select";
import { TextField } from "../ui/controls/text-field";
import { Icon } from "../ui/indicators/icon";
import { PathText } from "../ui/text/path-text";
import { classes } from "../ui/theme/classes";
import type { CodeSearch, CodeSearchState } from "./code-search";
import { ReplaceField, replaceKeys } from "./replace-field";
import { isForInputMethod } from "../ui/browser/is-for-input-method";

interface SearchFormProps {
  readonly search: CodeSearch;
  readonly state: CodeSearchState;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly replaceField: RefObject<HTMLInputElement | null>;
  /** Called when the focus leaves the fields downwards. */
  readonly onLeave: () => void;
}

const queryMaxChars = 2_000;

export function SearchForm({ search, state, field, replaceField, onLeave }: SearchFormProps) {
  const { codeSearch } = useFullMessages();
  const reasonId = useId();
  const { options, end, hasGlobFields } = state;
  const badRegex = options.regex && end?.error?.code === "bad_regex" ? (end.error.detail ?? "") : null;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    const option = findSearchOption(event.nativeEvent);
    if (option !== undefined) search.search({ [option]: !options[option] });
    else if (matchesKeys(replaceKeys, event.nativeEvent, isMacPlatform())) void search.replacer.replace();
    else if (event.key === "Enter") search.search();
    else if (event.key === "ArrowDown") onLeave();
    else if (event.key === "Escape" && state.status === "searching") search.stop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative grid shrink-0 gap-1.5 pr-3 pl-6 max-tablet:pl-11" onKeyDown={onKeyDown}>
      <ReplaceToggle search={search} isOpen={state.replacement.isShown} />
      <div className="relative">
        <TextField
          ref={field}
          type="search"
          value={options.query}
          maxLength={queryMaxChars}
          aria-label={codeSearch.query}
          aria-describedby={badRegex === null ? undefined : reasonId}
          placeholder={codeSearch.query}
          invalid={badRegex !== null}
          className="pr-21! max-tablet:pr-34!"
          onChange={(event) => search.type({ query: event.target.value })}
        />
        <div className="absolute top-1 right-1 flex max-tablet:top-0 max-tablet:right-0">
          <SearchToggles
            values={options}
            names={codeSearch}
            shortcuts={searchOptionShortcuts()}
            onToggle={(option) => {
              search.search({ [option]: !options[option] });
              field.current?.focus();
            }}
          />
        </div>
      </div>
      {state.replacement.isShown && <ReplaceField search={search} state={state} field={replaceField} />}
      {badRegex !== null && (
        <p id={reasonId} role="alert" className="text-small whitespace-pre-wrap text-danger [overflow-wrap:anywhere]">
          {codeSearch.badRegex}
          <span className="mt-0.5 block font-mono text-tiny text-ink-muted">{badRegex}</span>
        </p>
      )}
      <div className="-mb-1 flex items-center justify-between">
        <ContextChoice search={search} context={options.context} />
        {options.file === null && (
          <IconButton
            icon={Ellipsis}
            size="small"
            side="below"
            name={codeSearch.globs}
            on={hasGlobFields}
            onClick={() => search.showGlobFields(!hasGlobFields)}
          />
        )}
      </div>
      {options.file !== null && (
        <OnlyFile
          path={options.file}
          onRemove={() => {
            search.search({ file: null });
            field.current?.focus();
          }}
        />
      )}
      {options.file === null &&
        hasGlobFields &&
        (["include", "exclude"] as const).map((option) => (
          <label key={option} className="grid gap-0.5 text-small text-ink-muted">
            {codeSearch[option]}
            <TextField
              value={options[option]}
              maxLength={queryMaxChars}
              placeholder={codeSearch.globExample}
              onChange={(event) => search.type({ [option]: event.target.value })}
            />
          </label>
        ))}
    </div>
  );
}

interface OnlyFileProps {
  readonly path: string;
  readonly onRemove: () => void;
}

/** The file that is searched instead of the project. */
function OnlyFile({ path, onRemove }: OnlyFileProps) {
  const { codeSearch, common } = useFullMessages();
  return (
    <div
      role="group"
      aria-label={codeSearch.onlyFile}
      className="flex min-w-0 items-center gap-1.5 rounded-control border border-line bg-surface pl-2 text-small"
    >
      <span className="shrink-0 text-ink-muted">{codeSearch.onlyFile}</span>
      <PathText path={path} names={common.hidden} className="flex-1" />
      <IconButton icon={X} size="small" side="below" name={codeSearch.searchAll} onClick={onRemove} />
    </div>
  );
}

const contextOptions = Array.from({ length: codeSearchMaxContext + 1 }, (_, lines) => String(lines));

interface ContextChoiceProps {
  readonly search: CodeSearch;
  readonly context: number;
}

/** The number of lines shown around each result. */
function ContextChoice({ search, context }: ContextChoiceProps) {
  const { codeSearch } = useFullMessages();
  return (
    <label className="flex items-center gap-1.5 text-small text-ink-muted">
      {codeSearch.context}
      <Select
        value={String(context)}
        options={contextOptions.map((lines) => ({ value: lines, label: lines }))}
        title={codeSearch.contextNote}
        onChange={(lines) => search.search({ context: Number(lines) })}
      />
    </label>
  );
}

interface ReplaceToggleProps {
  readonly search: CodeSearch;
  readonly isOpen: boolean;
}

/** Shows and hides the field of the replacement, over the height of both fields. */
function ReplaceToggle({ search, isOpen }: ReplaceToggleProps) {
  const { codeSearch } = useFullMessages();
  return (
    <button
      type="button"
      aria-label={codeSearch.toggleReplace}
      title={codeSearch.toggleReplace}
      aria-expanded={isOpen}
      onClick={() => search.replacer.show(!isOpen)}
      className={classes(
        "absolute top-0 left-1 grid w-5 place-items-center rounded-control text-ink-muted hover:bg-hover hover:text-ink max-tablet:w-9",
        isOpen ? "h-17.5 max-tablet:h-23.5" : "h-8 max-tablet:h-11",
      )}
    >
      <Icon of={ChevronRight} size={14} className={classes("transition-transform", isOpen && "rotate-90")} />
    </button>
  );
}
