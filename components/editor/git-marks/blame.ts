/** Shows beside the text which commit last changed each line: author and age, the subject as a tooltip. Loaded with its first use. */
import { Compartment, type EditorState, type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { EditorView, gutter, GutterMarker } from "@codemirror/view";
import type { ProjectId } from "@/lib/events/id";
import type { Blame } from "@/lib/workspace/source-history";
import type { FullMessages } from "../../messages/full-messages";
import type { AppClient } from "../../state/client";
import { getHistoryRequest } from "../../state/history-request";

export interface BlameSubject {
  readonly client: AppClient;
  readonly messages: FullMessages;
  readonly projectId: ProjectId;
  readonly view: EditorView;
  readonly path: string;
  /** The text differs from the disk. */
  readonly isDirty: boolean;
}

type BlameCommit = Blame["commits"][number];

/** The first line of a run has a text; the others belong to the same commit. */
class BlameMarker extends GutterMarker {
  constructor(
    /** null = not committed yet. */
    readonly commit: BlameCommit | null,
    readonly text: string,
    readonly title: string,
  ) {
    super();
  }

  override eq(other: BlameMarker): boolean {
    return this.commit?.id === other.commit?.id && this.text === other.text;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    element.textContent = this.text;
    element.title = this.title;
    return element;
  }
}

const markersField = (markers: RangeSet<BlameMarker>) =>
  StateField.define<RangeSet<BlameMarker>>({
    create: () => markers,
    update: (before, { changes }) => before.map(changes),
  });

const blameField = new Compartment();
/** The field of the present marks, of each state that has them. */
const fields = new WeakMap<Extension, StateField<RangeSet<BlameMarker>>>();

const shownField = (state: EditorState): StateField<RangeSet<BlameMarker>> | undefined => {
  const shown = blameField.get(state);
  return shown === undefined ? undefined : fields.get(shown);
};

/** Returns the commit of the line at a position; null = the marks are hidden, or the line has none. */
export function blamedCommitAt(state: EditorState, position: number): string | null {
  const field = shownField(state);
  if (field === undefined) return null;
  const line = state.doc.lineAt(position);
  let found: string | null = null;
  state.field(field).between(line.from, line.from, (_from, _to, { commit }) => {
    found = commit?.id ?? null;
  });
  return found;
}

/** Shows the marks or hides them. A failure is reported as a notice. */
export async function toggleBlame(subject: BlameSubject): Promise<void> {
  const { client, messages, projectId, view, path, isDirty } = subject;
  if (shownField(view.state) !== undefined) return showMarks(view, []);
  const before = view.state.doc;
  const text = isDirty ? { text: view.state.sliceDoc() } : {};
  const answer = await client.call("source.blame", { projectId, path, ...text });
  if (!answer.ok) {
    const { code } = answer.error;
    const sentence = code === "not_found" ? messages.sourceHistory.noHistory : messages.errors.sentences[code];
    client.toasts.show({ text: sentence, look: "danger" });
    return;
  }
  // The text of another file, or another version of it, has other lines.
  if (view.state.doc.eq(before)) showMarks(view, blameExtension(subject, answer.value));
}

function showMarks(view: EditorView, extension: Extension): void {
  const isNew = blameField.get(view.state) === undefined;
  view.dispatch({
    effects: isNew ? StateEffect.appendConfig.of(blameField.of(extension)) : blameField.reconfigure(extension),
  });
}

function blameExtension({ client, messages, view }: BlameSubject, blame: Blame): Extension {
  const field = markersField(makeMarkers(view.state, blame, messages));
  const extension = [
    field,
    gutter({
      class: "cm-blame",
      markers: (shown) => shown.state.field(field),
      domEventHandlers: {
        click: (shown, { from }) => {
          const commit = blamedCommitAt(shown.state, from);
          if (commit !== null) getHistoryRequest(client).set({ pane: "editor", shown: { commit } });
          return commit !== null;
        },
      },
    }),
    theme,
  ];
  fields.set(extension, field);
  return extension;
}

function makeMarkers(state: EditorState, { commits, runs }: Blame, messages: FullMessages): RangeSet<BlameMarker> {
  const { figures, sourceHistory } = messages;
  const now = Date.now();
  const ranges = runs.flatMap(({ line, count, commit: index }) => {
    const commit = index === null ? null : (commits[index] ?? null);
    const label = commit === null ? sourceHistory.notCommitted : `${commit.author} · ${figures.age(commit.time, now)}`;
    const title = commit === null ? label : `${commit.subject}\n${commit.author}, ${figures.dateTime(commit.time)}`;
    return Array.from({ length: count }, (_, at) => line + at)
      .filter((number) => number <= state.doc.lines)
      .map((number) => new BlameMarker(commit, number === line ? label : "", title).range(state.doc.line(number).from));
  });
  return RangeSet.of(ranges);
}

const theme = EditorView.theme({
  ".cm-blame .cm-gutterElement": {
    boxSizing: "border-box",
    width: "clamp(92px, 18vw, 190px)",
    padding: "0 8px",
    overflow: "hidden",
    cursor: "pointer",
    font: "12px/20px var(--font-sans)",
    color: "var(--ink-muted)",
  },
  ".cm-blame .cm-gutterElement span": {
    display: "block",
    minHeight: "100%",
    overflow: "hidden",
    textOverflow: "ellipsis",
    whiteSpace: "nowrap",
  },
  ".cm-blame .cm-gutterElement:hover": { color: "var(--ink)" },
});
