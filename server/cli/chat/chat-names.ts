/** Requests the names that a line of `gopi-web chat` can have from the server: files, models, skills. */
import type { ProjectId } from "@/lib/events/id";
import type { Reference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";
import type { JobConnection } from "../run/run-job";
import { callOrThrow } from "../server-job";
import type { SessionLink } from "../session-link";
import { mentionedPaths } from "./chat-line";
import type { ChatNames } from "./complete-chat";

const maxFoundFiles = 50;

const findProject = async (link: SessionLink, cwd: string): Promise<ProjectId> =>
  (await callOrThrow(link, "project.open", { path: cwd })).project.id;

export const makeChatNames = ({ link }: JobConnection, cwd: string): ChatNames => ({
  async models() {
    const { hosts } = await callOrThrow(link, "models.hosts", {});
    return hosts.flatMap(({ id, models }) => models.map(({ name }) => (id === "ollama" ? name : `${id}/${name}`)));
  },
  async skills() {
    const { places } = await callOrThrow(link, "skills.list", { projectId: await findProject(link, cwd) });
    return places.flatMap(({ skills }) => skills.map(({ name }) => name));
  },
  async files(query) {
    const projectId = await findProject(link, cwd);
    return (await callOrThrow(link, "files.find", { projectId, query, max: maxFoundFiles, refresh: false })).paths;
  },
});

/** The files and folders of the project that the text names after `@`. Rejects as the connection's commands. */
export async function findReferences(
  text: string,
  { link, must }: JobConnection,
  cwd: string,
): Promise<readonly Reference[]> {
  const paths = mentionedPaths(text);
  if (paths.length === 0) return [];
  const { existing } = await must("files.existing", { projectId: await findProject(link, cwd), paths: [...paths] });
  return existing
    .slice(0, limits.messageReferences)
    .map(({ path, isFolder }) => ({ kind: isFolder ? "folder" : "file", path }));
}
