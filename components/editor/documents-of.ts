/** Open files per client and project; they live as long as the tab, also while the editor is hidden. */
import type { ProjectId } from "@/lib/id";
import type { Client } from "../state/client";
import { createDocuments, type Documents } from "./documents";
import { createDrafts } from "./drafts";
import type { CodeBuffer } from "./buffers";

export interface OpenFiles {
  readonly documents: Documents;
  readonly buffers: Map<string, CodeBuffer>;
}

const all = new WeakMap<Client, Map<ProjectId, OpenFiles>>();

export function openFilesOf(client: Client, projectId: ProjectId): OpenFiles {
  const projects = all.get(client) ?? new Map<ProjectId, OpenFiles>();
  all.set(client, projects);
  const files = projects.get(projectId) ?? {
    documents: createDocuments(client.call, projectId, createDrafts(sessionStorage, projectId)),
    buffers: new Map(),
  };
  projects.set(projectId, files);
  return files;
}

/** Whether any project has unsaved changes. */
export const anyDirty = (client: Client): boolean =>
  [...(all.get(client)?.values() ?? [])].some(({ documents }) => documents.anyDirty());
