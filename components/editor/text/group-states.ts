/**
 * The editor states of one text: one for each group of the editor that shows it, with its own selection and scroll
 * position. Changes of one are applied to the other; the active one has the undo history.
 */
import { history, historyField } from "@codemirror/commands";
import { closeSearchPanel } from "@codemirror/search";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  type Text,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { EditorView } from "@codemirror/view";

interface GroupStates {
  /** The state of the group that was activated last. */
  readonly active: () => EditorState;
  /** Applies a change to the active state, from which the other one follows. */
  readonly apply: (spec: TransactionSpec) => void;
  /** Makes undo and redo begin with the present text. */
  readonly dropHistory: () => void;
  /** Applies effects to every state. */
  readonly applyToAll: (spec: Pick<TransactionSpec, "effects">) => void;
  readonly show: (group: number, view: EditorView) => void;
  readonly hide: (group: number) => void;
  readonly activate: (group: number) => void;
  /** Discards the states of groups that were closed. */
  readonly keep: (groups: readonly number[]) => void;
  /** Whether an input method is composing text in any group. */
  readonly isComposing: () => boolean;
}

interface StateListeners {
  /** Called when a shown text was changed in a view or by `apply`. */
  readonly onTextChanged: () => void;
  /** Called after every update of the active view. */
  readonly onActiveUpdated: () => void;
}

interface GroupState {
  /** The group that shows it, or showed it last. */
  group: number;
  state: EditorState;
  /** null = hidden. */
  view: EditorView | null;
  scroll: ReturnType<EditorView["scrollSnapshot"]> | null;
}

/** Undo does not restore a line ending, therefore it must not restore carriage returns. */
export const notUndone = Transaction.addToHistory.of(false);

/** Marks a change that was made in the other state. */
const copied = Annotation.define<boolean>();

const isEdit = (transaction: Transaction): boolean => transaction.docChanged && transaction.annotation(copied) !== true;

const noGroup = 0;

/** `extensions` receives a function that returns the group of a view. */
export function createGroupStates(
  doc: Text,
  extensions: (groupOf: (view: EditorView) => number) => Extension,
  { onTextChanged, onActiveUpdated }: StateListeners,
): GroupStates {
  const past = new Compartment();
  const stateOf = (view: EditorView): GroupState | undefined => all.find((one) => one.view === view);
  const follow = (source: GroupState, transaction: Transaction): void => {
    if (!isEdit(transaction)) return;
    const isUndone = transaction.annotation(Transaction.addToHistory) !== false;
    const annotations = [copied.of(true), ...(isUndone ? [] : [notUndone])];
    for (const other of all) if (other !== source) applyTo(other, { changes: transaction.changes, annotations });
  };
  const applyTo = (target: GroupState, spec: TransactionSpec): void => {
    if (target.view !== null) return target.view.dispatch(spec);
    const transaction = target.state.update(spec);
    target.state = transaction.state;
    follow(target, transaction);
  };
  const listener = EditorView.updateListener.of(({ view, state, transactions }) => {
    const updated = stateOf(view);
    if (updated === undefined) return;
    updated.state = state;
    for (const transaction of transactions) follow(updated, transaction);
    if (transactions.some(isEdit)) onTextChanged();
    if (updated === active) onActiveUpdated();
  });
  const state = EditorState.create({
    doc,
    extensions: [past.of(history()), extensions((view) => stateOf(view)?.group ?? noGroup), listener],
  });
  let active: GroupState = { group: noGroup, state, view: null, scroll: null };
  let all: readonly GroupState[] = [active];
  const copyActive = (): GroupState => {
    const { state: copy } = active.state.update({ effects: past.reconfigure([]) });
    const scroll = active.view?.scrollSnapshot() ?? active.scroll;
    const created = { group: noGroup, state: copy, view: null, scroll };
    all = [...all, created];
    return created;
  };
  return {
    active: () => active.state,
    apply: (spec) => applyTo(active, spec),
    applyToAll: (spec) => all.forEach((one) => applyTo(one, spec)),
    dropHistory: () => [[], history()].forEach((next) => applyTo(active, { effects: past.reconfigure(next) })),
    show: (group, view) => {
      const found = all.find((one) => one.group === group) ?? all.find((one) => one.view === null);
      const shown = found ?? copyActive();
      shown.group = group;
      shown.view = view;
      view.setState(shown.state);
      if (shown.scroll !== null) view.dispatch({ effects: shown.scroll });
      if (found === undefined) closeSearchPanel(view);
    },
    hide: (group) => {
      const hidden = all.find((one) => one.group === group);
      if (hidden === undefined) return;
      hidden.scroll = hidden.view?.scrollSnapshot() ?? hidden.scroll;
      hidden.view = null;
    },
    activate: (group) => {
      const next = all.find((one) => one.group === group);
      if (next === undefined || next === active) return;
      const value = active.state.field(historyField);
      applyTo(active, { effects: past.reconfigure([]) });
      active = next;
      applyTo(active, { effects: past.reconfigure([history(), historyField.init(() => value)]) });
    },
    keep: (groups) => {
      all = all.filter((one) => one === active || one.view !== null || groups.includes(one.group));
    },
    isComposing: () => all.some(({ view }) => view?.composing === true),
  };
}
