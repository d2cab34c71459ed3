/** Opens a new session in the personal workspace, which the first call creates. */
import type { Messages } from "../../messages/messages";
import type { AppClient } from "../../state/client";
import { toastError } from "../notices/toast-error";
import { openNewSession } from "./open-new-session";

/** Resolves with false after a failure, which was shown. */
export async function openWorkspace(client: AppClient, messages: Messages): Promise<boolean> {
  const answer = await client.call("project.workspace", {});
  if (!answer.ok) {
    toastError(client, messages, answer.error);
    return false;
  }
  client.workbench.showProject(answer.value.project.id);
  openNewSession(client.workbench);
  return true;
}
