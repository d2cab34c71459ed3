"use client";
/** Find panel of the editor: query with toggles, match count, and replacing. Enter goes to the next match, Esc closes. */
import { closeSearchPanel, getSearchQuery, setSearchQuery } from "@codemirror/search";
import { runScopeHandlers } from "@codemirror/view";
import { ArrowDown, ArrowUp, ChevronRight, TextSelect, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { ignoreCapsLock } from "../../actions/keys";
import { findSearchOption, type SearchOption, searchOptionShortcuts } from "../../actions/search-toggles";
import { useFullMessages } from "../../messages/full-messages";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { IconButton } from "../../ui/controls/icon-button";
import { SearchToggles } from "../../ui/controls/search-toggles";
import { TextField } from "../../ui/controls/text-field";
import { classes } from "../../ui/theme/classes";
import type { FindHost, FindState } from "./find-host";
import type { FindQuery } from "./find-text";
import {
  goToFirstMatch,
  goToMatch,
  isSearchable,
  loadMatches,
  readFoundMatches,
  replaceAllMatches,
  replaceMatch,
  selectAllMatches,
  selectedMatch,
  storedQuery,
} from "./found-matches";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

/** Delay from a change of the text until it is searched again, ms. */
const searchDelayMs = 80;

interface FindPanelProps {
  readonly host: FindHost;
  readonly state: FindState;
}

export function FindPanel({ host, state }: FindPanelProps) {
  const { editor, figures, common } = useFullMessages();
  const text = editor.find;
  const { view } = host;
  const field = useRef<HTMLInputElement>(null);
  const version = useStore(host.version, (value) => value);
  const isReplaceShown = useStore(state.isReplaceShown, (value) => value) && !view.state.readOnly;
  const query = getSearchQuery(view.state);
  const { finder } = state;
  useEffect(() => {
    const timer = setTimeout(() => void loadMatches(view, finder), searchDelayMs);
    return () => clearTimeout(timer);
  }, [view, version, finder]);
  useEffect(() => {
    // A panel that appears with another tab leaves the focus where it is.
    if (view.hasFocus) field.current?.select();
  }, [view]);
  const change = (part: Partial<FindQuery>): void => {
    view.dispatch({ effects: setSearchQuery.of(storedQuery({ ...query, ...part })) });
    if (part.replace === undefined) void goToFirstMatch(view, finder);
  };
  const options = { caseSensitive: query.caseSensitive, wholeWord: query.wholeWord, regex: query.regexp };
  const toggle = (option: SearchOption): void =>
    change(option === "regex" ? { regexp: !query.regexp } : { [option]: !query[option] });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isForInputMethod(event.nativeEvent)) return;
    ignoreCapsLock(event.nativeEvent);
    const option = findSearchOption(event.nativeEvent);
    if (option !== undefined) toggle(option);
    else if (!runScopeHandlers(view, event.nativeEvent, "search-panel")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onEnter = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
    if (event.key !== "Enter" || isForInputMethod(event.nativeEvent)) return;
    event.preventDefault();
    run(event);
  };
  const found = readFoundMatches(view.state);
  const isBad = query.search !== "" && !isSearchable(query);
  const total = figures.number(found.spans.length / 2);
  const count =
    found.spans.length === 0
      ? text.none
      : text.count(selectedMatch(view.state), found.isComplete ? total : text.more(total));
  const problem = isBad ? text.badRegexp : found.problem === null ? null : text.problems[found.problem];
  return (
    <search onKeyDown={onKeyDown} className="flex items-start gap-1 p-1.5 font-sans">
      <IconButton
        icon={ChevronRight}
        size="small"
        side="below"
        name={text.showReplace}
        on={isReplaceShown}
        disabled={view.state.readOnly}
        className={classes("mt-1 [&_svg]:transition-transform", isReplaceShown && "[&_svg]:rotate-90")}
        onClick={() => state.isReplaceShown.set(!isReplaceShown)}
      />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <div className="flex flex-wrap items-center gap-1">
          <div className="relative min-w-44 max-w-96 flex-1">
            <TextField
              ref={field}
              main-field="true"
              mono
              invalid={isBad}
              aria-label={text.query}
              placeholder={text.query}
              value={query.search}
              onChange={(event) => change({ search: event.target.value })}
              onKeyDown={onEnter((event) => void goToMatch(view, finder, event.shiftKey ? "previous" : "next"))}
              className="pr-22 max-tablet:pr-36"
            />
            <div className="absolute inset-y-0 right-1 flex items-center gap-0.5">
              <SearchToggles values={options} names={text} shortcuts={searchOptionShortcuts()} onToggle={toggle} />
            </div>
          </div>
          <div className="flex items-center gap-1">
            <span
              role="status"
              className={classes(
                "min-w-20 px-1 text-small tabular-nums",
                problem === null ? "text-ink-muted" : "text-danger",
              )}
            >
              {problem ?? (query.search === "" || found.source === null ? "" : count)}
            </span>
            <IconButton
              icon={ArrowUp}
              name={text.previous}
              size="small"
              side="below"
              onClick={() => void goToMatch(view, finder, "previous")}
            />
            <IconButton
              icon={ArrowDown}
              name={text.next}
              size="small"
              side="below"
              onClick={() => void goToMatch(view, finder, "next")}
            />
            <IconButton
              icon={TextSelect}
              name={text.selectAll}
              size="small"
              side="below"
              onClick={() => {
                void selectAllMatches(view, finder).then(() => view.focus());
              }}
            />
          </div>
        </div>
        {isReplaceShown && (
          <div className="flex flex-wrap items-center gap-1">
            <TextField
              mono
              aria-label={text.replacement}
              placeholder={text.replacement}
              value={query.replace}
              onChange={(event) => change({ replace: event.target.value })}
              onKeyDown={onEnter(() => void replaceMatch(view, finder))}
              className="min-w-44 max-w-96 flex-1"
            />
            <div className="flex gap-1">
              <Button size="small" onClick={() => void replaceMatch(view, finder)}>
                {text.replace}
              </Button>
              <Button size="small" onClick={() => void replaceAllMatches(view, finder)}>
                {text.replaceAll}
              </Button>
            </div>
          </div>
        )}
      </div>
      <IconButton
        icon={X}
        name={common.close}
        size="small"
        side="below"
        className="mt-1"
        onClick={() => closeSearchPanel(view)}
      />
    </search>
  );
}
