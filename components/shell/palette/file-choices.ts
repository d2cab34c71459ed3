/** Choices of the palette for files of the project: those opened last, then those the server finds. */
import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { parentFolder } from "@/lib/workspace/project-path";
import type { AppClient } from "../../state/client";
import { callValue } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";
import { useStore } from "../../state/store";
import type { FullMessages } from "../../messages/full-messages";
import { matchChoices, type PaletteChoice } from "./palette-match";
import type { PaletteQuery } from "./palette-query";

/** Points of a file that was opened lately: above a slightly better match of another file. */
const recentBonus = 24;
const maxFound = 60;
/** Delay until an answer from an unfinished list is asked for again, ms. */
const unfinishedMs = 200;

interface FileChoices {
  readonly choices: readonly PaletteChoice[];
  /** Whether they are those of the text, and none is awaited. */
  readonly isComplete: boolean;
}

/** Finds files by the text; null = none are wanted. */
export function useFileChoices(
  { call, workbench }: AppClient,
  { palette }: FullMessages,
  query: PaletteQuery | null,
): FileChoices {
  const projectId = useStore(workbench, (state) => state.projectId);
  const opened = useStore(workbench, (state) => state.layout.recentFiles);
  const { recent, isChecked } = useExistingFiles(call, query === null ? null : projectId, opened);
  const active = useStore(workbench, (state) => state.layout.activeTab);
  const { data, isPlaceholderData, isPending, isError } = useFoundFiles(call, projectId, query?.typed ?? null);
  const choices = useMemo(() => {
    if (query === null || projectId === null) return [];
    const open = (path: string) => (): void => openFromPalette(workbench, path, query);
    const choice = (path: string, group: string, bonus = 0): PaletteChoice => ({
      id: `file:${path}`,
      kind: "file",
      label: path,
      folder: parentFolder(path),
      group,
      heading: group === "" ? palette.groups.files : group,
      bonus,
      perform: open(path),
    });
    const found = (data?.paths ?? []).filter((path) => !recent.includes(path));
    return matchChoices(
      [
        // The file that is shown is the last one wanted.
        ...recent.filter((path) => path !== active).map((path) => choice(path, palette.recent, recentBonus)),
        ...recent.filter((path) => path === active).map((path) => choice(path, palette.recent)),
        ...found.map((path) => choice(path, "")),
      ],
      query.typed,
    );
  }, [query, projectId, recent, active, data, palette, workbench]);
  // An unfinished list without a match may get one.
  const isUnfinished = data?.isComplete === false && choices.length === 0;
  const isFound = isError || !(isPending || isPlaceholderData || isUnfinished);
  const isComplete = query === null || projectId === null || (isFound && isChecked);
  return useMemo(() => ({ choices, isComplete }), [choices, isComplete]);
}

/** Opens a file with the focus, which the closing palette has returned to the field behind it. */
export function openFromPalette(
  workbench: AppClient["workbench"],
  path: string,
  { line, column }: Pick<PaletteQuery, "line" | "column">,
): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  workbench.openFile(path, line ?? null, { column });
}

/** Leaves out files that are gone. */
function useExistingFiles(
  call: AppClient["call"],
  projectId: ProjectId | null,
  paths: readonly string[],
): { readonly recent: readonly string[]; readonly isChecked: boolean } {
  const { data, isPending } = useCommandQuery(
    "files.existing",
    projectId === null || paths.length === 0 ? skipToken : { projectId, paths: [...paths] },
    { retry: false, gcTime: 0 },
  );
  const recent = useMemo(
    () =>
      data === undefined ? paths : paths.filter((path) => data.existing.some((existing) => existing.path === path)),
    [data, paths],
  );
  return { recent, isChecked: !isPending || paths.length === 0 };
}

function useFoundFiles(call: AppClient["call"], projectId: ProjectId | null, typed: string | null) {
  /** The list is made again once for each opening of the palette. */
  const [openedWith] = useState(typed);
  const input = projectId === null || typed === null ? null : { projectId, query: typed, max: maxFound };
  return useQuery({
    queryKey: ["files.find", input],
    queryFn:
      input === null
        ? skipToken
        : (context) => callValue(context, "files.find", { ...input, refresh: typed === openedWith }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? unfinishedMs : false),
    gcTime: 0,
    retry: false,
  });
}
