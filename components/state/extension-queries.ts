/** Queries of extensions. */
import { queryOptions } from "@tanstack/react-query";
import type { Hash, ProjectId } from "@/lib/events/id";
import type { ExtensionFileText, ExtensionsState, OfferedCommand } from "@/lib/tools/extensions";
import { callValue } from "./queries";

type Call = Parameters<typeof callValue>[0];

/** Reads the folders again whenever it is mounted or the window gets the focus: extensions are edited in other programs. */
export const extensionsQuery = (call: Call, projectId: ProjectId) =>
  queryOptions<ExtensionsState>({
    queryKey: ["extensions", projectId],
    staleTime: 0,
    refetchOnWindowFocus: true,
    queryFn: () => callValue(call, "extensions.list", { projectId }),
  });

export const extensionLogQuery = (call: Call, projectId: ProjectId, extension: string) =>
  queryOptions<string>({
    queryKey: ["extensions", projectId, "log", extension],
    staleTime: 0,
    gcTime: 0,
    queryFn: async () => (await callValue(call, "extensions.log", { projectId, extension })).text,
  });

/** `hash` = hash of the extension's files as they are listed: other files are read again. */
export const extensionFileQuery = (
  call: Call,
  projectId: ProjectId,
  extension: string,
  hash: Hash | null,
  path: string,
) =>
  queryOptions<ExtensionFileText>({
    queryKey: ["extensions", projectId, "file", extension, hash, path],
    staleTime: 0,
    gcTime: 0,
    queryFn: () => callValue(call, "extensions.file", { projectId, extension, path }),
  });

export const offeredCommandsQuery = (call: Call, projectId: ProjectId) =>
  queryOptions<readonly OfferedCommand[]>({
    queryKey: ["extensions", projectId, "commands"],
    staleTime: 10_000,
    queryFn: async () => (await callValue(call, "extensions.commands", { projectId })).commands,
  });
