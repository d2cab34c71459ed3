/**
 * Model facts beyond the server's list: notes, shapes, allocated windows. Completes the list, plans windows, learns
 * from answers.
 */
import type { Usage } from "@/lib/content";
import type { Result } from "@/lib/error";
import type { ToolMode } from "@/lib/event";
import { type ModelPatch, withSettings } from "@/lib/model-settings";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { Choices } from "./choices";
import type { DoctorReport, LoadedModel, ModelInfo, ModelNote, WindowPlan } from "@/lib/models";
import { learnedAnswer, learnedCount, learnedLoad, learnedReading } from "./learn";
import { type ModelKey, makeNotes, type NoteKeeper, type Notes } from "./notes";
import type { Shapes } from "./shapes";
import { planWindow, spillAfter } from "./window-plan";

export interface Known {
  complete(model: ModelInfo): ModelInfo;
  note(model: ModelKey): ModelNote;
  plan(model: ModelInfo, loaded: LoadedModel | undefined): WindowPlan;
  /** Sets the user's choices for a model: applies at once, resolves when written. Fails with models_invalid. */
  remember(model: ModelKey, wanted: ModelPatch): Promise<Result<null>>;
  /** Stores the tool mode found by a test or a refusal; the user's choice takes precedence. */
  rememberMode(model: ModelKey, mode: ToolMode): void;
  keepReport(model: ModelKey, report: DoctorReport): void;
  /** `counted` null = the server's counts exclude cached tokens. */
  learnAnswer(model: ModelKey, usage: Usage, counted: CountedText | null): void;
  learnCount(model: ModelKey, counted: CountedText): void;
  learnReading(model: ModelKey, tokens: number, ms: number): void;
  learnLoad(model: ModelKey, ms: number): void;
  /** Records the memory state while the model served a request for `numCtx` tokens. */
  sawLoaded(model: ModelKey, numCtx: number, loaded: LoadedModel): void;
  /** Tokens the server allocated for `numCtx`; undefined = not seen yet. */
  allocated(name: string, numCtx: number): number | undefined;
}

export interface KnownOptions {
  /** Id of the provider whose models are listed. */
  readonly provider: string;
  readonly keeper: NoteKeeper;
  readonly choices: Pick<Choices, "of" | "change">;
  readonly shapes: Pick<Shapes, "complete">;
  /** Memory of the server's machine; undefined = a remote machine. */
  readonly memoryBytes: () => number | undefined;
  /** tokens, 0 = what fits */
  readonly settingTokens: () => number;
  readonly onChange: () => void;
}

export function makeKnown(options: KnownOptions): Known {
  const { provider, keeper, choices, shapes, memoryBytes, settingTokens, onChange } = options;
  const listed = ({ name, digest }: ModelInfo): ModelKey => ({
    provider,
    name,
    ...(digest === undefined ? {} : { digest }),
  });
  const notes: Notes = makeNotes(keeper, onChange);
  /** Key: name and requested window. */
  const allocated = new Map<string, number>();
  const change = (model: ModelKey, to: (note: ModelNote) => ModelNote): void =>
    notes.change(model, (kept) => ({ ...kept, note: to(kept.note) }));
  const noteOf = (model: ModelKey): ModelNote => withSettings(notes.of(model).note, choices.of(model));
  return {
    complete(model) {
      const note = noteOf(listed(model));
      return { ...shapes.complete(model), ...(Object.keys(note).length === 0 ? {} : { note }) };
    },
    note: noteOf,
    plan(model, loaded) {
      const note = noteOf(listed(model));
      const { spill } = notes.of(listed(model));
      const loadable = loadableOf(note.doctor);
      const memory = model.cloud ? undefined : memoryBytes();
      return planWindow({
        model,
        wanted: note.numCtx ?? settingTokens(),
        ...(memory === undefined ? {} : { memoryBytes: memory }),
        ...(spill === undefined ? {} : { spill }),
        ...(loadable === undefined ? {} : { loadable }),
        ...(loaded?.contextLength === undefined ? {} : { allocated: loaded.contextLength }),
      });
    },
    remember(model, wanted) {
      const moved = choicesIn(notes.of(model).note);
      change(model, withoutChoices);
      return choices.change(model, { ...moved, ...wanted });
    },
    rememberMode: (model, mode) =>
      change(model, (note) => (note.toolMode?.by === "user" ? note : { ...note, toolMode: { mode, by: "server" } })),
    keepReport: (model, doctor) => change(model, (note) => withReport(note, doctor)),
    learnAnswer: (model, usage, counted) => change(model, (note) => learnedAnswer(note, usage, counted)),
    learnCount: (model, counted) => change(model, (note) => learnedCount(note, counted)),
    learnReading: (model, tokens, ms) => change(model, (note) => learnedReading(note, tokens, ms)),
    learnLoad: (model, ms) => change(model, (note) => learnedLoad(note, ms)),
    sawLoaded(model, numCtx, { contextLength, size, vramShare }) {
      if (contextLength !== undefined) allocated.set(`${model.name} ${numCtx}`, contextLength);
      notes.change(model, ({ note, spill: before }) => {
        const spill = spillAfter(before, { tokens: contextLength ?? numCtx, size, vramShare });
        return { note, ...(spill === undefined ? {} : { spill }) };
      });
    },
    allocated: (name, numCtx) => allocated.get(`${name} ${numCtx}`),
  };
}

/** Window a test fell back to because larger ones did not fit into memory. */
const loadableOf = (report: DoctorReport | undefined): number | undefined =>
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
const choicesIn = ({ toolMode, profile, numCtx }: ModelNote): ModelPatch => ({
  ...(toolMode?.by === "user" ? { toolMode: toolMode.mode } : {}),
  ...(profile === undefined ? {} : { profile }),
  ...(numCtx === undefined ? {} : { numCtx }),
});

function withoutChoices({ toolMode, profile: _profile, numCtx: _numCtx, ...learned }: ModelNote): ModelNote {
  return toolMode === undefined || toolMode.by === "user" ? learned : { toolMode, ...learned };
}
