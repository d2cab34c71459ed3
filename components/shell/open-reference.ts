/** Opens a file that an answer or an output names after checking that it exists; shows a toast if it does not. */
import type { Client } from "../state/client";
import type { SessionStore } from "../state/session-store";
import type { LineSpan } from "../state/workbench-store";
import type { Words } from "../words/words";

interface ReferenceContext {
  readonly client: Client;
  readonly words: Words;
  readonly store: SessionStore;
}

export async function openReference(
  { client, words, store }: ReferenceContext,
  written: string,
  line?: number,
  span?: LineSpan,
): Promise<void> {
  const { view } = store.get();
  const { workbench, toasts } = client;
  const projectId = view?.projectId ?? workbench.get().projectId;
  if (projectId === null) return;
  const path = projectPath(written, view?.cwd ?? "", workbench.get().layout.tabs);
  const slash = path.lastIndexOf("/");
  const answer = await client.call("files.list", { projectId, path: slash < 0 ? "" : path.slice(0, slash) });
  const node = answer.ok ? answer.value.nodes.find((one) => one.name === path.slice(slash + 1)) : undefined;
  const isCut = answer.ok && answer.value.total > answer.value.nodes.length;
  if (node === undefined ? !isCut : node.kind === "folder")
    return void toasts.show({ text: node === undefined ? words.tools.noFile(path) : words.tools.isFolder(path) });
  workbench.openFile(path, line, span);
}

/**
 * Converts a written path to a project path: strips the project folder and "./"; a bare name matches an open tab of
 * that file name if there is one.
 */
export function projectPath(written: string, cwd: string, tabs: readonly string[]): string {
  const inside = cwd !== "" && written.startsWith(`${cwd}/`) ? written.slice(cwd.length + 1) : written;
  const path = inside.replace(/^(?:\.\/)+/, "");
  if (path.includes("/") || tabs.includes(path)) return path;
  return tabs.find((tab) => tab.endsWith(`/${path}`)) ?? path;
}
