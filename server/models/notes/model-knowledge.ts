/**
 * Model facts beyond the server's list: notes, shapes, allocated windows. Completes the list, plans windows, learns
 * from answers.
 */
import type { Usage } from "@/lib/events/content";
import type { Result } from "@/lib/events/error";
import type { HistoryUse, ToolMode } from "@/lib/events/event";
import { type ModelPatch, mergeSettingsIntoNote } from "@/lib/settings/model-settings";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { UserModelSettings } from "./user-model-settings";
import type { DoctorReport, LateSplit, LoadedModel, ModelInfo, ModelNote, WindowPlan } from "@/lib/models/models";
import { updateFromAnswer, updateFromCount, updateLoadTime, updateReadSpeed } from "./update-note";
import { type ModelKey, makeModelNoteCache, type NoteStorage, type ModelNoteCache } from "./model-note-cache";
import type { ModelShapes } from "../ollama/model-shapes";
import { listedWindow, planWindow, updateGpuSpill } from "./window-plan";

export interface ModelKnowledge {
  complete(model: ModelInfo): ModelInfo;
  note(model: ModelKey): ModelNote;
  plan(model: ModelInfo, loaded: LoadedModel | undefined): WindowPlan;
  /** Sets the user's choices for a model: applies at once, resolves when written. Fails with models_invalid. */
  saveUserSettings(model: ModelKey, wanted: ModelPatch): Promise<Result<null>>;
  /** Stores the tool mode found by a test or a refusal; the user's choice takes precedence. */
  saveToolMode(model: ModelKey, mode: ToolMode): void;
  /** Stores what a refusal taught, beside what earlier ones did. */
  saveHistoryUse(model: ModelKey, use: HistoryUse): void;
  /** Stores what of the model's thinking arrives as text; null = nothing. */
  saveLateSplit(model: ModelKey, split: LateSplit | null): void;
  saveReport(model: ModelKey, report: DoctorReport): void;
  /** `counted` null = the server's counts exclude cached tokens. */
  learnAnswer(model: ModelKey, usage: Usage, counted: CountedText | null): void;
  learnCount(model: ModelKey, counted: CountedText): void;
  learnReading(model: ModelKey, tokens: number, ms: number): void;
  learnLoad(model: ModelKey, ms: number): void;
  /** Records the memory state while the model served a request for `numCtx` tokens. */
  recordLoaded(model: ModelKey, numCtx: number, loaded: LoadedModel): void;
  /** Tokens the server allocated for `numCtx`; undefined = not seen yet. */
  allocated(name: string, numCtx: number): number | undefined;
}

interface ModelKnowledgeOptions {
  /** Id of the provider whose models are listed. */
  readonly provider: string;
  readonly noteStore: NoteStorage;
  readonly choices: Pick<UserModelSettings, "of" | "change">;
  readonly shapes: Pick<ModelShapes, "complete">;
  /** Memory of the server's machine; undefined = a remote machine. */
  readonly memoryBytes: () => number | undefined;
  /** tokens, 0 = what fits */
  readonly settingTokens: () => number;
  readonly onChange: () => void;
}

export function makeModelKnowledge(options: ModelKnowledgeOptions): ModelKnowledge {
  const { provider, noteStore, choices, shapes, memoryBytes, settingTokens, onChange } = options;
  const listed = ({ name, digest }: ModelInfo): ModelKey => ({
    provider,
    name,
    digest,
  });
  const notes: ModelNoteCache = makeModelNoteCache(noteStore, onChange);
  /** Key: name and requested window. */
  const allocated = new Map<string, number>();
  const change = (model: ModelKey, to: (note: ModelNote) => ModelNote): void =>
    notes.change(model, (record) => ({ ...record, note: to(record.note) }));
  const noteOf = (model: ModelKey): ModelNote => mergeSettingsIntoNote(notes.of(model).note, choices.of(model));
  function plan(model: ModelInfo, loaded?: LoadedModel): WindowPlan {
    const note = noteOf(listed(model));
    const { spill } = notes.of(listed(model));
    const loadable = findLoadableWindow(note.doctor);
    return planWindow({
      model,
      wanted: note.numCtx ?? settingTokens(),
      memoryBytes: model.cloud ? undefined : memoryBytes(),
      spill,
      loadable,
      allocated: loaded?.contextLength,
    });
  }
  return {
    complete(model) {
      const note = noteOf(listed(model));
      const shaped = shapes.complete(model);
      const window = listedWindow(shaped, plan(shaped));
      return {
        ...shaped,
        ...(window === undefined ? {} : { window }),
        ...(Object.keys(note).length === 0 ? {} : { note }),
      };
    },
    note: noteOf,
    plan,
    saveUserSettings(model, wanted) {
      const moved = extractUserSettings(notes.of(model).note);
      change(model, withoutUserSettings);
      return choices.change(model, { ...moved, ...wanted });
    },
    saveToolMode: (model, mode) =>
      change(model, (note) => (note.toolMode?.by === "user" ? note : { ...note, toolMode: { mode, by: "server" } })),
    saveHistoryUse: (model, use) => change(model, (note) => ({ ...note, history: { ...note.history, ...use } })),
    saveLateSplit: (model, split) =>
      change(model, ({ lateSplit: _before, ...note }) => (split === null ? note : { ...note, lateSplit: split })),
    saveReport: (model, doctor) => change(model, (note) => withReport(note, doctor)),
    learnAnswer: (model, usage, counted) => change(model, (note) => updateFromAnswer(note, usage, counted)),
    learnCount: (model, counted) => change(model, (note) => updateFromCount(note, counted)),
    learnReading: (model, tokens, ms) => change(model, (note) => updateReadSpeed(note, tokens, ms)),
    learnLoad: (model, ms) => change(model, (note) => updateLoadTime(note, ms)),
    recordLoaded(model, numCtx, { contextLength, size, vramShare }) {
      if (contextLength !== undefined) allocated.set(`${model.name} ${numCtx}`, contextLength);
      notes.change(model, ({ note, spill: before }) => {
        const spill = updateGpuSpill(before, { tokens: contextLength ?? numCtx, size, vramShare });
        return { note, spill };
      });
    },
    allocated: (name, numCtx) => allocated.get(`${name} ${numCtx}`),
  };
}

/** Window a test fell back to because larger ones did not fit into memory. */
const findLoadableWindow = (report: DoctorReport | undefined): number | undefined =>
  report?.steps.some(({ step, state, error }) => step === "load" && state === "weak" && error?.code === "out_of_memory")
    ? report.numCtx
    : undefined;

/** A test's measurements replace the learned ones: its prompts were made for measuring. */
const withReport = (note: ModelNote, doctor: DoctorReport): ModelNote => ({
  ...note,
  doctor,
  ...(doctor.readPerSecond > 0 ? { readPerSecond: doctor.readPerSecond } : {}),
  ...(doctor.writePerSecond > 0 ? { writePerSecond: doctor.writePerSecond } : {}),
});

/** Choices an earlier version stored in the note; moved into the file with the next change of the model. */
const extractUserSettings = ({ toolMode, profile, numCtx }: ModelNote): ModelPatch => ({
  ...(toolMode?.by === "user" ? { toolMode: toolMode.mode } : {}),
  ...(profile === undefined ? {} : { profile }),
  ...(numCtx === undefined ? {} : { numCtx }),
});

function withoutUserSettings({ toolMode, profile: _profile, numCtx: _numCtx, ...learned }: ModelNote): ModelNote {
  return toolMode === undefined || toolMode.by === "user" ? learned : { toolMode, ...learned };
}
