/** Vertical lines after columns of the text. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const drawRuler = (column: number): string =>
  `linear-gradient(var(--line), var(--line)) calc(6px + ${column} * 1ch) 0 / 1px 100% no-repeat`;

export const rulerLines = (columns: readonly number[]): Extension =>
  EditorView.contentAttributes.of({ class: "cm-ruler", style: `--rulers: ${columns.map(drawRuler).join(", ")}` });
