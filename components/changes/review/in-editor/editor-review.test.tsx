// @vitest-environment happy-dom
/** The review in an editor: its marks and keys, and what is shown after a decision. */
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { asId, type Hash, type ProjectId, type SessionId } from "@/lib/events/id";
import { plainBaseline } from "@/lib/review/baseline";
import type { ReviewState } from "@/lib/review/review-files";
import { findReviewSteps, type ReviewedHunk } from "@/lib/review/review-hunks";
import { emptyView } from "@/lib/view/view";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import { EditorReviewHost } from "./editor-review-host";

const projectId = asId<ProjectId>("p1");
const session = { ...emptyView(asId<SessionId>("s1")), projectId };
const lines = Array.from({ length: 30 }, (_unused, index) => `line ${index + 1}`);
const toText = (list: readonly string[]): string => `${list.join("\n")}\n`;
const before = toText(lines);
const now = toText(lines.with(2, "LINE 3").with(24, "LINE 25"));

const hunksBetween = (baseline: string): readonly ReviewedHunk[] =>
  runSteps(findReviewSteps(plainBaseline(baseline), now))?.hunks ?? [];

function stateOf(hunks: readonly ReviewedHunk[], hash = "h1"): ReviewState {
  const file = { path: "a.txt", hash: asId<Hash>(hash), kind: "changed", added: 2, removed: 2, hunks } as const;
  return { files: hunks.length === 0 ? [] : [file], more: 0, decided: 0, waiting: 0, total: 2, newest: 1 };
}

/** Shows the file; `states` are the answers one after the other, the last one for good. */
async function openEditor(...states: readonly [ReviewState, ...ReviewState[]]) {
  const left = [...states];
  const connected = await connectClient((name) => {
    if (name === "review.state") return { ok: true, value: left.length > 1 ? left.shift() : left[0] };
    return name.startsWith("review.") ? { ok: true, value: { seq: 9, waits: false, failed: [] } } : undefined;
  });
  const view = new EditorView({ parent: document.body, state: EditorState.create({ doc: now }) });
  onTestFinished(() => view.destroy());
  const user = await renderForUser(
    connected.client,
    <EditorReviewHost session={session} path="a.txt" disk={now} view={view} />,
  );
  await screen.findByText(/to review$/);
  return { ...connected, view, user };
}

const change = (position: number, count: number) =>
  screen.findByRole("group", { name: `Change ${position} of ${count}` });
const shownLines = (view: EditorView) =>
  [...view.dom.querySelectorAll(".cm-review-line")].map(({ textContent }) => textContent);

test("lines that the user types are not marked as the agent's", async () => {
  const { user, view } = await openEditor(stateOf(hunksBetween(before)));
  await user.click(screen.getByRole("button", { name: "Next change to review" }));
  await change(1, 2);
  const { from, to } = view.state.doc.line(3);
  view.dispatch({
    changes: [
      { from, insert: "mine\n" },
      { from: to, insert: "\nmine" },
    ],
  });
  await waitFor(() => expect(shownLines(view)).toEqual(["LINE 3"]));
  view.dispatch({ changes: { from: view.state.doc.line(4).from, insert: "my " } });
  await waitFor(() => expect(shownLines(view)).toEqual([]));
  expect(view.dom.querySelectorAll(".cm-review-added")).toHaveLength(1);
});

test("a decision shows the change that follows, with the focus", async () => {
  const second = hunksBetween(toText(lines.with(2, "LINE 3")));
  const { user, inputsOf } = await openEditor(stateOf(hunksBetween(before)), stateOf(second, "h2"), stateOf([], "h3"));
  await user.click(screen.getByRole("button", { name: "Next change to review" }));
  const first = await change(1, 2);
  expect(document.activeElement).toBe(first);
  await within(first).findByText("line 3");
  await user.keyboard("y");
  const last = await change(1, 1);
  expect(document.activeElement).toBe(last);
  await user.keyboard("x");
  await screen.findByText("You have decided about every change in this file.");
  const bar = screen.getByRole("group", { name: "Changes of the agent in this file" });
  expect(document.activeElement).toBe(bar);
  expect(inputsOf("review.decide")).toMatchObject([
    { decisions: [{ path: "a.txt", hash: "h1", verdict: "accept", hunks: [{ hunk: 0 }] }] },
    { decisions: [{ path: "a.txt", hash: "h2", verdict: "reject", hunks: [{ hunk: 0 }] }] },
  ]);
  await user.click(within(bar).getByRole("button", { name: "Undo the last decision" }));
  await waitFor(() => expect(inputsOf("review.undo")).toHaveLength(1));
});

test.each([
  ["many lines is shown above", "", 1, "line 1", true],
  ["few lines is shown below", before, 2, "LINE 3", false],
])("a change of %s them", async (_name, baseline, count, line, isAbove) => {
  const { user, view } = await openEditor(stateOf(hunksBetween(baseline)));
  await user.click(screen.getByRole("button", { name: "Next change to review" }));
  const shown = await change(1, count);
  const parts = [...view.contentDOM.children];
  const place = parts.findIndex((part) => part.contains(shown));
  expect(place < parts.findIndex(({ textContent }) => textContent === line)).toBe(isAbove);
});

test("a change that is gone without a decision here is not followed by another one", async () => {
  const second = hunksBetween(toText(lines.with(2, "LINE 3")));
  const { user, push } = await openEditor(stateOf(hunksBetween(before)), stateOf(second, "h2"));
  await user.click(screen.getByRole("button", { name: "Next change to review" }));
  await change(1, 2);
  const changed = { projectId, folders: [], paths: ["a.txt"], gone: false, branch: null };
  const message = { type: "files", ...changed, subject: projectId } as const;
  push(message);
  await screen.findByText("1 change to review");
  expect(screen.queryByRole("group", { name: /^Change 1/ })).toBeNull();
});

test("a change that the user changed, too, cannot be rejected", async () => {
  const [hunk] = hunksBetween(before);
  const { user } = await openEditor(stateOf(hunk === undefined ? [] : [{ ...hunk, collides: true }]));
  await user.click(screen.getByRole("button", { name: "Next change to review" }));
  const reject = within(await change(1, 1)).getByRole<HTMLButtonElement>("button", { name: /^Reject/ });
  expect(reject.disabled).toBe(true);
  expect(reject.title).toMatch(/^These lines have changes/);
});
