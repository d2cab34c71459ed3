/** Opens a file that an answer or an output names after checking that it exists; shows a toast if it does not. */
import type { AppClient } from "../../state/client";
import type { ProjectId } from "@/lib/events/id";
import type { LineSpan } from "../../state/workbench/workbench-store";
import type { Messages } from "../../messages/messages";

interface ReferenceContext {
  readonly client: AppClient;
  readonly messages: Messages;
  /** Project of the reference and the folder it is relative to, if known; absent = those of the shown project. */
  readonly place?: { readonly projectId: ProjectId; readonly cwd: string };
}

export async function openReference(
  { client, messages, place }: ReferenceContext,
  written: string,
  line?: number,
  span?: LineSpan,
): Promise<void> {
  const { workbench, toasts } = client;
  const projectId = place?.projectId ?? workbench.get().projectId;
  if (projectId === null) return;
  const path = toProjectPath(written, place?.cwd ?? "", workbench.get().layout.tabs);
  const answer = await client.call("files.existing", { projectId, paths: [path] });
  const entry = answer.ok ? answer.value.existing[0] : undefined;
  if (entry === undefined || entry.isFolder)
    return void toasts.show({
      text: entry === undefined ? messages.chat.noFile(path) : messages.chat.isFolder(path),
    });
  workbench.openFile(path, line, span);
}

/**
 * Converts a written path to a project path: strips the project folder and "./"; a bare name matches an open tab of
 * that file name if there is one.
 */
export function toProjectPath(written: string, cwd: string, tabs: readonly string[]): string {
  const inside = cwd !== "" && written.startsWith(`${cwd}/`) ? written.slice(cwd.length + 1) : written;
  const path = inside.replace(/^(?:\.\/)+/, "");
  if (path.includes("/") || tabs.includes(path)) return path;
  return tabs.find((tab) => tab.endsWith(`/${path}`)) ?? path;
}
