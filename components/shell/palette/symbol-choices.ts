/** Choices of the palette for the symbols of the open file. */
import { skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AppClient } from "../../state/client";
import { useStore } from "../../state/store";
import type { FullMessages } from "../../messages/full-messages";
import { openFromPalette } from "./file-choices";
import { matchChoices, type PaletteChoice } from "./palette-match";

interface SymbolChoices {
  readonly choices: readonly PaletteChoice[];
  readonly isComplete: boolean;
  /** Why there are none. */
  readonly note?: string;
}

/** Finds the symbols by the typed text; null = none are wanted. */
export function useSymbolChoices(
  { handles, workbench }: AppClient,
  { palette }: FullMessages,
  typed: string | null,
): SymbolChoices {
  const path = useStore(workbench, (state) => state.layout.activeTab);
  const { data: symbols } = useQuery({
    queryKey: ["symbols", path],
    queryFn: typed === null ? skipToken : async () => (await handles.editor?.symbols()) ?? null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return useMemo(() => {
    if (typed === null) return { choices: [], isComplete: true };
    if (symbols === undefined) return { choices: [], isComplete: false };
    if (symbols === null || path === null) return { choices: [], isComplete: true, note: palette.noFile };
    const all = symbols.map(
      ({ name, kind, line }): PaletteChoice => ({
        id: `symbol:${String(line)}:${name}`,
        isCommand: false,
        label: name,
        group: `${palette.kinds[kind]} · ${String(line)}`,
        perform: () => openFromPalette(workbench, path, { line }),
      }),
    );
    const note = all.length === 0 ? palette.noSymbols : undefined;
    return { choices: matchChoices(all, typed), isComplete: true, note };
  }, [typed, symbols, path, palette, workbench]);
}
