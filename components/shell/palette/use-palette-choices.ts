/** The palette's choices for its text. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ActionContext } from "../../actions/action";
import type { FullMessages } from "../../messages/full-messages";
import { mergeRows } from "../../state/session/session-lists";
import { queries } from "../../state/queries";
import { useServerState } from "../../state/use-server-state";
import { commandChoices, sectionChoices, sessionChoices, settingChoices } from "./command-choices";
import { openFromPalette, useFileChoices } from "./file-choices";
import { matchChoices, type PaletteChoice } from "./palette-match";
import { type PaletteQuery, type PaletteStart, parsePaletteText } from "./palette-query";
import { useSymbolChoices } from "./symbol-choices";

const allSessions = {};
/** Files among all kinds of choices, with a text and without one. */
const maxMixedFiles = 20;
const maxRecentFiles = 5;

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
    () => [...commandChoices(context, messages), ...sectionChoices(context, messages, projects ?? [])],
    [context, messages, projects],
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
        return { choices: matchChoices(commands, query.typed), isComplete: true };
      case "all": {
        const shownFiles = files.choices.slice(0, query.typed === "" ? maxRecentFiles : maxMixedFiles);
        return {
          choices: matchChoices(
            [...commands, ...shownFiles, ...rows, ...(query.typed === "" ? [] : settings)],
            query.typed,
          ),
          isComplete: !sessions.isPending && files.isComplete,
        };
      }
    }
  }, [query, files, symbols, commands, settings, rows, context, messages, sessions.isPending]);
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
      isCommand: false,
      label: palette.goToLine(line),
      group: path,
      perform: () => openFromPalette(workbench, path, { line, column }),
    },
  ];
}
