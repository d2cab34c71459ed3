/** The palette's choices for its text. */
import { useInfiniteQuery, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ActionContext } from "../../actions/action";
import type { FullMessages } from "../../messages/full-messages";
import { mergeRows } from "../../state/session/session-lists";
import { queries } from "../../state/queries";
import { useServerState } from "../../state/use-server-state";
import { commandChoices, sectionChoices, sessionChoices, settingChoices } from "./command-choices";
import { openFromPalette, useFileChoices } from "./file-choices";
import { matchChoices, type PaletteChoice } from "./palette-match";
import { readRecentCommands } from "./recent-commands";
import { type PaletteQuery, type PaletteStart, parsePaletteText } from "./palette-query";
import type { AppClient } from "../../state/client";
import { useStore } from "../../state/store";

interface SymbolChoices {
  readonly choices: readonly PaletteChoice[];
  readonly isComplete: boolean;
  /** Why there are none. */
  readonly note?: string;
}

/**
 * Choices of the palette for the symbols of the open file. Finds the symbols by the typed text; null = none are wanted.
 */
function useSymbolChoices(
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
        kind: "symbol",
        label: name,
        group: `${palette.kinds[kind]} · ${String(line)}`,
        perform: () => openFromPalette(workbench, path, { line }),
      }),
    );
    const note = all.length === 0 ? palette.noSymbols : undefined;
    return { choices: matchChoices(all, typed), isComplete: true, note };
  }, [typed, symbols, path, palette, workbench]);
}

const allSessions = {};
/** Files among all kinds of choices, with a text and without one. */
const maxMixedFiles = 20;
const maxRecentFiles = 5;
/** Newest sessions without a text. */
const maxNewSessions = 5;

interface PaletteChoices {
  readonly choices: readonly PaletteChoice[];
  /** Whether no further choices are expected for the text. */
  readonly isComplete: boolean;
  /** Why there are none; absent = nothing matches. */
  readonly note?: string;
}

export function usePaletteChoices(
  context: ActionContext,
  messages: FullMessages,
  start: PaletteStart,
  text: string,
): PaletteChoices {
  const query = useMemo(() => parsePaletteText(text, start), [text, start]);
  const sessions = useInfiniteQuery(queries.sessions(allSessions));
  const projects = useServerState("projects");
  const isMixed = query.scope === "all";
  const files = useFileChoices(context.client, messages, isMixed || query.scope === "files" ? query : null);
  const symbols = useSymbolChoices(context.client, messages, query.scope === "symbols" ? query.typed : null);
  const commands = useMemo(
    () => [...commandChoices(context, messages), ...sectionChoices(context, messages)],
    [context, messages],
  );
  const settings = useMemo(() => settingChoices(context, messages), [context, messages]);
  const rows = useMemo(
    () => sessionChoices(context, messages, mergeRows(sessions.data?.pages), projects ?? []),
    [context, messages, sessions.data, projects],
  );
  return useMemo(() => {
    switch (query.scope) {
      case "files":
        return files;
      case "sessions":
        return { choices: matchChoices(rows, query.typed), isComplete: !sessions.isPending };
      case "symbols":
        return symbols;
      case "line":
        return { choices: lineChoices(context, messages, query), isComplete: true, note: messages.palette.lineNote };
      case "commands":
        return { choices: matchChoices(splitRecent(commands, messages).flat(), query.typed), isComplete: true };
      case "all": {
        const isComplete = !sessions.isPending && files.isComplete;
        if (query.typed !== "")
          return {
            choices: matchChoices(
              [...commands, ...files.choices.slice(0, maxMixedFiles), ...rows, ...settings],
              query.typed,
            ),
            isComplete,
          };
        const [recent, others] = splitRecent(commands, messages);
        return {
          choices: [...recent, ...files.choices.slice(0, maxRecentFiles), ...rows.slice(0, maxNewSessions), ...others],
          isComplete,
        };
      }
    }
  }, [query, files, symbols, commands, settings, rows, context, messages, sessions.isPending]);
}

/** Returns the commands performed last, the newest first, and the others in their order. */
function splitRecent(
  commands: readonly PaletteChoice[],
  { palette }: FullMessages,
): readonly [recent: readonly PaletteChoice[], others: readonly PaletteChoice[]] {
  const recent = readRecentCommands().flatMap((id) => commands.filter((command) => command.id === id));
  return [
    recent.map((command) => ({ ...command, heading: palette.recentCommands })),
    commands.filter((command) => !recent.includes(command)),
  ];
}

function lineChoices(
  { client: { workbench } }: ActionContext,
  { palette }: FullMessages,
  { line, column }: PaletteQuery,
): readonly PaletteChoice[] {
  const path = workbench.get().layout.activeTab;
  if (path === null || line === undefined) return [];
  return [
    {
      id: "line",
      kind: "symbol",
      label: palette.goToLine(line),
      group: path,
      perform: () => openFromPalette(workbench, path, { line, column }),
    },
  ];
}
