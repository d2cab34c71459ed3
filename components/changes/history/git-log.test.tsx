// @vitest-environment happy-dom
/** The log and its search. What needs a layout is in e2e/workbench/source-history.spec.ts. */
import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { LogCommit, LogPage } from "@/lib/workspace/source-history";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { GitLog } from "./git-log";

const { sourceHistory: text } = enLate;
const projectId = asId<ProjectId>("p1");

const commit = (number: number, more: Partial<LogCommit> = {}): LogCommit => ({
  id: String(number).padStart(40, "0"),
  parents: [String(number - 1).padStart(40, "0")],
  author: "Ann",
  time: 1,
  subject: `commit ${number}`,
  refs: [],
  ...more,
});

type CallInput = Readonly<Record<string, unknown>>;

/** Renders a log whose pages the test answers; null = the folder is not trusted. */
async function showLog(answerLog: (input: CallInput) => LogPage | Promise<LogPage> | null) {
  const calls: { readonly name: string; readonly input: CallInput }[] = [];
  const { client } = await connectClient(async (name, sent) => {
    const input: CallInput = typeof sent === "object" && sent !== null ? { ...sent } : {};
    calls.push({ name, input });
    if (name !== "source.log") return { ok: true, value: null };
    const page = await answerLog(input);
    return page === null ? { ok: false, error: { code: "untrusted" } } : { ok: true, value: page };
  });
  const user = await renderForUser(client, <GitLog projectId={projectId} />);
  return { user, calls, client };
}

test("a further page starts where the last one ended", async () => {
  const next = { tips: ["a".repeat(40)], skip: 200 };
  const { user, calls } = await showLog(({ after }) =>
    after === undefined ? { commits: [commit(2)], next } : { commits: [commit(1)], next: null },
  );
  await user.click(await screen.findByRole("button", { name: text.more }));
  await waitFor(() => expect(screen.queryByRole("button", { name: text.more })).toBeNull());
  expect(calls.filter(({ name }) => name === "source.log").map(({ input }) => input.after)).toEqual([undefined, next]);
});

test("a search runs on Enter in the chosen scope, and can be stopped", async () => {
  let answer: (page: LogPage) => void = () => undefined;
  const { user, calls } = await showLog(({ content }) =>
    content === undefined ? { commits: [], next: null } : new Promise((resolve) => void (answer = resolve)),
  );
  await screen.findByText(text.none);
  await user.selectOptions(screen.getByRole("combobox", { name: text.scope }), text.scopes.content);
  await user.type(screen.getByRole("searchbox", { name: text.search }), "needle");
  expect(calls.filter(({ name }) => name === "source.log")).toHaveLength(1);
  await user.keyboard("{Enter}");
  await user.click(await screen.findByRole("button", { name: text.stop }));
  await waitFor(() => expect(calls.at(-1)?.name).toBe("source.stop_log"));
  const search = calls.find(({ input }) => input.content === "needle");
  expect(calls.at(-1)?.input.searchId).toBe(search?.input.searchId);
  answer({ commits: [commit(1)], next: null, ended: "stopped" });
  expect(await screen.findByText(text.ended.stopped)).toBeDefined();
});

test("a folder that is not trusted can be trusted, and its log is read then", async () => {
  let isTrusted = false;
  const { user, client } = await showLog(() => (isTrusted ? { commits: [], next: null } : null));
  await user.click(await screen.findByRole("button", { name: enLate.changes.trust }));
  isTrusted = true;
  const { overlay, afterTrust } = client.workbench.get();
  expect(overlay).toBe("trust");
  afterTrust?.();
  expect(await screen.findByText(text.none)).toBeDefined();
});
