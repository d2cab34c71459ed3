// @vitest-environment happy-dom
/** The review of a session's changes: what each button sends, and what stays while other changes are decided. */
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type Hash, type SessionId } from "@/lib/events/id";
import type { FileUnderReview, ReviewState } from "@/lib/review/review-files";
import type { ReviewedHunk } from "@/lib/review/review-hunks";
import { emptyView } from "@/lib/view/view";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ReviewChanges } from "./review-changes";
import { useReviewState } from "./use-review";

const sessionId = asId<SessionId>("s1");
const hash = asId<Hash>("h1");
const view = emptyView(sessionId);

const hunkAt = (line: number, more: Partial<ReviewedHunk> = {}): ReviewedHunk => ({
  oldStart: line,
  oldLines: 1,
  newStart: line,
  newLines: 2,
  lines: [
    { kind: "remove", text: `old ${line}`, oldLine: line },
    { kind: "add", text: `new ${line}`, newLine: line },
    { kind: "add", text: `more ${line}`, newLine: line + 1 },
  ],
  ...more,
});
const fileOf = (hunks: readonly ReviewedHunk[], more: Partial<FileUnderReview> = {}): FileUnderReview => ({
  path: "src/a.ts",
  hash,
  kind: "changed",
  added: 2 * hunks.length,
  removed: hunks.length,
  hunks,
  ...more,
});
const stateOf = (files: readonly FileUnderReview[], decided = 0): ReviewState => ({
  files,
  more: 0,
  decided,
  waiting: 0,
  total: decided + files.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0),
  newest: decided > 0 ? 3 : null,
});

/** Shows the review; `states` are the answers one after the other, the last one for good. */
async function openReview(...states: readonly [ReviewState, ...ReviewState[]]) {
  const left = [...states];
  let answerSend = (): void => {};
  const sent = new Promise<void>((resolve) => (answerSend = resolve));
  const connected = await connectClient((name) => {
    if (name === "review.state") return { ok: true, value: left.length > 1 ? left.shift() : left[0] };
    if (name === "session.send") return sent.then(() => ({ ok: true, value: { seq: 1 } }));
    return name.startsWith("review.") ? { ok: true, value: { seq: 9, waits: false, failed: [] } } : undefined;
  });
  const user = await renderForUser(connected.client, <Shown />);
  await screen.findByText(/decided$/);
  return { ...connected, user, answerSend };
}

function Shown() {
  const { data } = useReviewState(view);
  return data === undefined ? null : <ReviewChanges view={view} state={data} layout={{}} />;
}

const hunk = (position: number, count: number) =>
  screen.findByRole("group", { name: `Change ${position} of ${count}` });

test("lines of a change are accepted by their indices, and a whole file by its hash", async () => {
  const { user, inputsOf } = await openReview(stateOf([fileOf([hunkAt(3), hunkAt(30)])]));
  const second = within(await hunk(2, 2));
  await user.click(second.getByRole("button", { name: "Choose lines" }));
  await user.click(await second.findByRole("checkbox", { name: "Choose: more 30" }));
  await user.click(second.getByRole("button", { name: /^Accept 1 line/ }));
  await user.click(screen.getByRole("button", { name: "Reject all changes in src/a.ts" }));
  await waitFor(() => expect(inputsOf("review.decide")).toHaveLength(2));
  expect(inputsOf("review.decide")).toMatchObject([
    { decisions: [{ path: "src/a.ts", hash, verdict: "accept", hunks: [{ hunk: 1, lines: [2] }] }] },
    { decisions: [{ path: "src/a.ts", hash, verdict: "reject" }] },
  ]);
});

test("a change that the user changed, too, is rejected by lines only", async () => {
  await openReview(stateOf([fileOf([hunkAt(3, { collides: true })])]));
  const only = within(await hunk(1, 1));
  expect(only.getByText("changed by you, too")).toBeTruthy();
  expect(only.getByRole<HTMLButtonElement>("button", { name: /^Reject/ }).disabled).toBe(true);
  expect(only.getByRole<HTMLButtonElement>("button", { name: /^Accept/ }).disabled).toBe(false);
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Reject all changes in/ }).disabled).toBe(true);
});

test("a comment that is being written stays while another change is decided, which gives its place the focus", async () => {
  const { user } = await openReview(
    stateOf([fileOf([hunkAt(3), hunkAt(30)])]),
    stateOf([fileOf([hunkAt(30)], { hash: asId<Hash>("h2") })], 1),
  );
  await user.click(within(await hunk(2, 2)).getByRole("button", { name: /^Comment/ }));
  await user.type(screen.getByRole("textbox"), "not yet");
  await user.click(within(await hunk(1, 2)).getByRole("button", { name: /^Accept/ }));
  const left = await hunk(1, 1);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("not yet");
  expect(document.activeElement).toBe(left);
});

test("a comment that is being written is there again when the review is", async () => {
  const { user, client } = await openReview(stateOf([fileOf([hunkAt(3)])]));
  await user.click(within(await hunk(1, 1)).getByRole("button", { name: /^Comment/ }));
  await user.keyboard("half a");
  cleanup();
  await renderForUser(client, <Shown />);
  expect((await screen.findByRole<HTMLTextAreaElement>("textbox")).value).toBe("half a");
});

test("comments are sent as one message; one that is added meanwhile stays", async () => {
  const file = fileOf([hunkAt(3)]);
  const { user, inputsOf, answerSend } = await openReview(stateOf([file]), stateOf([file]));
  const add = async (text: string): Promise<void> => {
    await user.click(within(await hunk(1, 1)).getByRole("button", { name: /^Comment/ }));
    await user.keyboard(`${text}{Enter}`);
  };
  await add("Why?");
  await add("And how?");
  await user.click(screen.getByRole("button", { name: "Send 2 comments" }));
  await waitFor(() => expect(inputsOf("session.send")).toHaveLength(1));
  await add("Later.");
  answerSend();
  await screen.findByRole("button", { name: "Send 1 comment" });
  expect([screen.queryByText("Why?"), screen.getByText("Later.").textContent]).toEqual([null, "Later."]);
  const quote = "src/a.ts:3\n> -old 3\n> +new 3\n> +more 3\n\n";
  expect(inputsOf("session.send")).toMatchObject([{ text: `${quote}Why?\n\n${quote}And how?`, intent: "prompt" }]);
});
