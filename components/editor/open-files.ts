/** Open files per client and project; they live as long as the tab, also while the editor is hidden. */
import type { ProjectId } from "@/lib/events/id";
import { type Settings, settingsDefaults } from "@/lib/settings/settings";
import { isWithin } from "@/lib/workspace/project-path";
import type { AppClient } from "../state/client";
import type { EditorStatus } from "../state/workbench/component-handles";
import { type Autosave, createAutosave } from "./documents/autosave";
import { randomText } from "../state/new-id";
import { createStore, type WritableStore } from "../state/store";
import { createFindState, type FindState } from "./find/find-host";
import { createDocuments, type Documents } from "./documents/documents";
import { createDrafts } from "./documents/drafts";
import type { CodeBuffer } from "./text/code-buffer";

export interface OpenFiles {
  readonly documents: Documents;
  readonly buffers: Map<string, CodeBuffer>;
  readonly autosave: Autosave;
  /** Returns what a group shows beside its texts. */
  readonly extrasOf: (group: number) => GroupExtras;
  /** Grows with every change of a text in an editor. */
  readonly edits: WritableStore<number>;
}

interface GroupExtras {
  readonly find: FindState;
  /** Paths of the files that are drawn as a preview. */
  readonly previewed: WritableStore<ReadonlySet<string>>;
}

const filesByClient = new WeakMap<AppClient, Map<ProjectId, OpenFiles>>();

export function getOpenFiles(client: AppClient, projectId: ProjectId): OpenFiles {
  const projects = filesByClient.get(client) ?? new Map<ProjectId, OpenFiles>();
  filesByClient.set(client, projects);
  const files = projects.get(projectId) ?? createOpenFiles(client, projectId);
  projects.set(projectId, files);
  if (client.handles.unsavedFiles === undefined) warnBeforeUnload(projects);
  client.handles.unsavedFiles ??= {
    list: (project) =>
      [...(projects.get(project)?.documents.get().values() ?? [])]
        .filter(({ isDirty }) => isDirty)
        .map(({ path }) => path),
    discard: (project, folder) => discardFiles(projects.get(project), folder),
    renamed: (project, from, to) => renameFiles(projects.get(project), from, to),
  };
  return files;
}

function createOpenFiles(client: AppClient, projectId: ProjectId): OpenFiles {
  const setting = <Name extends keyof Settings>(name: Name): Settings[Name] =>
    (client.serverState.get().settings ?? settingsDefaults)[name];
  const drafts = createDrafts(
    { tab: sessionStorage, browser: localStorage },
    projectId,
    Date.now,
    randomText(),
    // Absent on pages over plain HTTP.
    "locks" in navigator ? navigator.locks : undefined,
  );
  const documents = createDocuments(client.call, projectId, drafts, () => setting("editorFormatOnSave"));
  const readMode = () => setting("editorAutosave");
  const buffers = new Map<string, CodeBuffer>();
  const extras = new Map<number, GroupExtras>();
  const isComposing = () => [...buffers.values()].some((buffer) => buffer.isComposing());
  return {
    documents,
    buffers,
    autosave: createAutosave(documents, readMode, isComposing),
    extrasOf: (group) => {
      const found = extras.get(group) ?? {
        find: createFindState(),
        previewed: createStore<ReadonlySet<string>>(new Set()),
      };
      extras.set(group, found);
      return found;
    },
    edits: createStore(0),
  };
}

/** Returns what the status bar shows of an open file; null = no editor shows it. */
export function readEditorStatus({ documents, buffers }: OpenFiles, path: string): EditorStatus | null {
  const status = buffers.get(path)?.status() ?? null;
  return status && { ...status, encoding: documents.get().get(path)?.file?.encoding ?? null };
}

function discardFiles(files: OpenFiles | undefined, folder: string): void {
  for (const path of [...(files?.documents.get().keys() ?? [])]) {
    if (!isWithin(folder, path)) continue;
    files?.documents.close(path);
    files?.buffers.delete(path);
  }
}

function renameFiles(files: OpenFiles | undefined, from: string, to: string): void {
  files?.documents.renamed(from, to);
  for (const path of [...(files?.buffers.keys() ?? [])]) if (isWithin(from, path)) files?.buffers.delete(path);
}

/** Stores the drafts when the page is left, and prompts if a file has unsaved text. */
function warnBeforeUnload(projects: ReadonlyMap<ProjectId, OpenFiles>): void {
  const writeDrafts = (): void => {
    for (const { documents } of projects.values()) documents.writeDrafts();
  };
  addEventListener("pagehide", writeDrafts);
  addEventListener("beforeunload", (event) => {
    writeDrafts();
    if ([...projects.values()].some(({ documents }) => documents.hasUnsaved())) event.preventDefault();
  });
}
