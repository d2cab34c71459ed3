"use client";
/** The field for the text that replaces what was found. */
import { ReplaceAll } from "lucide-react";
import type { RefObject } from "react";
import { formatShortcut, isMacPlatform } from "../actions/keys";
import { useFullMessages } from "../messages/full-messages";
import { IconButton } from "../ui/controls/icon-button";
import { TextField } from "../ui/controls/text-field";
import type { CodeSearch, CodeSearchState } from "./code-search";
import { canReplace } from "./replacer";

/** In the fields it replaces all, in the list the row with the focus. */
export const replaceKeys = "mod+shift+enter";

const replacementMaxChars = 2_000;

interface ReplaceFieldProps {
  readonly search: CodeSearch;
  readonly state: CodeSearchState;
  readonly field: RefObject<HTMLInputElement | null>;
}

export function ReplaceField({ search: { replacer }, state, field }: ReplaceFieldProps) {
  const { codeSearch } = useFullMessages();
  return (
    <div className="relative">
      <TextField
        ref={field}
        value={state.replacement.text}
        maxLength={replacementMaxChars}
        aria-label={codeSearch.replacement}
        placeholder={state.options.regex ? codeSearch.replacementWithGroups : codeSearch.replacement}
        className="pr-8! max-tablet:pr-12!"
        onChange={(event) => replacer.type(event.target.value)}
      />
      <IconButton
        icon={ReplaceAll}
        size="small"
        side="below"
        name={codeSearch.replaceAll}
        shortcut={formatShortcut(replaceKeys, isMacPlatform())}
        disabled={!canReplace(state)}
        className="absolute! top-1 right-1 max-tablet:top-0 max-tablet:right-0"
        onClick={() => void replacer.replace()}
      />
    </div>
  );
}
