/** Lets the browser save files, and folders as archives, with its own progress. */
import { limits } from "@/lib/settings/settings";
import { baseName } from "@/lib/workspace/project-path";
import { type OperationContext, showFileError } from "./file-operations";
import { withBasePath } from "../../state/base-path";

export async function downloadFile({ client, messages, projectId }: OperationContext, path: string): Promise<void> {
  const answer = await client.call("files.link", { projectId, path });
  if (answer.ok) saveAddress(`${withBasePath(answer.value.url)}&download`, baseName(path));
  else showFileError(client, messages, answer.error);
}

/** Saves the entries as one ZIP archive, with what the tree shows of them; "" = the project. */
export async function downloadArchive(
  { client, messages, projectId }: OperationContext,
  paths: readonly string[],
): Promise<void> {
  if (paths.length > limits.folderEntries) return showFileError(client, messages, { code: "too_many" });
  const { hidesDotFiles, hidesIgnored } = client.workbench.get().layout.tree;
  const choice = { projectId, paths: [...paths], hidesDotFiles, hidesIgnored };
  const answer = await client.call("files.archive_link", choice);
  if (answer.ok) saveAddress(withBasePath(answer.value.url), answer.value.name);
  else showFileError(client, messages, answer.error);
}

function saveAddress(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
