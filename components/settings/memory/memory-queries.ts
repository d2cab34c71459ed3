/** Queries of the memory. Other programs may edit its files, so they are fetched again while they are shown. */
import { queryOptions } from "@tanstack/react-query";
import type { ProjectId } from "@/lib/events/id";
import { diaryName, type MemoryFileState, type MemoryState } from "@/lib/tools/memory";
import { callValue } from "../../state/queries";

type Call = Parameters<typeof callValue>[0];

const refetchMs = 5_000;

/** Start of the keys of all queries of the memory. */
export const memoryKey = ["memory"] as const;

/** `window` null = that of the project's newest session. */
export const memoryQuery = (call: Call, projectId: ProjectId, window: number | null) =>
  queryOptions<MemoryState>({
    queryKey: [...memoryKey, projectId, window],
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: refetchMs,
    placeholderData: (previous) => previous,
    queryFn: () => callValue(call, "memory.state", { projectId, ...(window === null ? {} : { window }) }),
  });

export const diaryQuery = (call: Call, day: string) =>
  queryOptions<MemoryFileState>({
    queryKey: [...memoryKey, "diary", day],
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: refetchMs,
    queryFn: () => callValue(call, "memory.read", { file: diaryName(day) }),
  });
