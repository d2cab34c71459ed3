/** Reads the files that a session gets at its start. */
import type { ProjectId } from "@/lib/events/id";
import { diaryDay, generalMemoryName, ownerFileNames, projectMemoryName } from "@/lib/tools/memory";
import type { MemoryFiles } from "./memory-files";
import { type MemoryNotes, type MemoryPart, renderNotes, renderOwner } from "./start-text";

/** Days of the diary that are sent. */
const shownDays = 3;

/** The files as far as they could be read. */
export interface StartFiles {
  readonly owner: readonly MemoryPart[];
  readonly notes: MemoryNotes;
}

export interface StartTexts {
  readonly owner: string | null;
  readonly notes: string | null;
}

/** A file that cannot be read has no text here; the settings page shows why. */
async function readPart(files: MemoryFiles, name: string, keep: "start" | "end"): Promise<MemoryPart> {
  const read = await files.read(name, keep);
  return read.ok ? { name, text: read.value.text, isCut: !read.value.isWhole } : { name, text: "", isCut: false };
}

export async function readStartFiles(files: MemoryFiles, projectId: ProjectId): Promise<StartFiles> {
  const days = (await files.list()).filter((name) => diaryDay(name) !== null).slice(-shownDays);
  const [owner, project, general, diary] = await Promise.all([
    Promise.all(ownerFileNames.map((name) => readPart(files, name, "start"))),
    readPart(files, projectMemoryName(projectId), "end"),
    readPart(files, generalMemoryName, "end"),
    Promise.all(days.map((name) => readPart(files, name, "end"))),
  ]);
  return { owner, notes: { project, general, days: diary } };
}

/** Returns what a session with this window gets. */
export function renderStart({ owner, notes }: StartFiles, window: number): StartTexts {
  const ownerText = renderOwner(owner, window);
  return { owner: ownerText, notes: renderNotes(notes, window, ownerText) };
}
