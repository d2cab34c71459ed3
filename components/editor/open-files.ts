/** Open files per client and project; they live as long as the tab, also while the editor is hidden. */
import type { ProjectId } from "@/lib/events/id";
import type { AppClient } from "../state/client";
import { createDocuments, type Documents } from "./documents";
import { createDrafts } from "./drafts";
import type { CodeBuffer } from "./code-buffer";

export interface OpenFiles {
  readonly documents: Documents;
  readonly buffers: Map<string, CodeBuffer>;
}

const filesByClient = new WeakMap<AppClient, Map<ProjectId, OpenFiles>>();

export function getOpenFiles(client: AppClient, projectId: ProjectId): OpenFiles {
  const projects = filesByClient.get(client) ?? new Map<ProjectId, OpenFiles>();
  filesByClient.set(client, projects);
  const files = projects.get(projectId) ?? {
    documents: createDocuments(client.call, projectId, createDrafts(sessionStorage, projectId)),
    buffers: new Map(),
  };
  projects.set(projectId, files);
  return files;
}

/** Whether any project has unsaved changes. */
export const hasUnsavedFiles = (client: AppClient): boolean =>
  [...(filesByClient.get(client)?.values() ?? [])].some(({ documents }) => documents.hasUnsaved());
