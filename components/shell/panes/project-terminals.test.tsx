// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { asId, type ProjectId, type TerminalId } from "@/lib/events/id";
import type { TerminalInfo } from "@/lib/terminal/terminal";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../frame/test-dom";
import { ProjectTerminals } from "./project-terminals";

const projectId = asId<ProjectId>("p1");
// happy-dom loads no fonts.
Object.assign(document, { fonts: { load: () => Promise.resolve([]) } });

test("where no terminal can run, one sentence says why, and another attempt is possible", async () => {
  const answers = new Map<string, unknown>([
    ["terminal.list", { ok: true, value: { terminals: [] } }],
    ["terminal.open", { ok: false, error: { code: "terminal_unavailable" } }],
  ]);
  const { client, inputsOf } = await connectClient((name) => answers.get(name));
  const user = await renderForUser(
    client,
    <ProjectTerminals projectId={projectId} onEmpty={undefined}>
      {null}
    </ProjectTerminals>,
  );
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe(en.errors.sentences.terminal_unavailable);
  await expect.poll(() => inputsOf("terminal.open")).toHaveLength(1);
  const [retry] = screen.getAllByRole("button", { name: enLate.terminal.open });
  if (retry !== undefined) await user.click(retry);
  await expect.poll(() => inputsOf("terminal.open").length).toBe(2);
});

test.each([
  ["to the message field when it is closed with the focus", true],
  ["nowhere when another element has it", false],
])("the focus goes %s", async (_what, hasFocus) => {
  const { client } = await connectClient((name) =>
    name === "terminal.list" ? { ok: true, value: { terminals: [] } } : { ok: false, error: { code: "internal" } },
  );
  const focusComposer = vi.fn();
  const unused = (): boolean => false;
  client.handles.conversation = {
    sessionId: null,
    focusComposer,
    attach: unused,
    insert: unused,
    offer: unused,
    focusApproval: unused,
    find: unused,
  };
  await renderForUser(
    client,
    <ProjectTerminals projectId={projectId} onEmpty={undefined}>
      {null}
    </ProjectTerminals>,
  );
  const [button] = await screen.findAllByRole("button", { name: enLate.terminal.open });
  if (hasFocus) button?.focus();
  cleanup();
  await new Promise(requestAnimationFrame);
  expect(focusComposer).toHaveBeenCalledTimes(hasFocus ? 1 : 0);
});

const terminal = (id: string): TerminalInfo => ({ id: asId<TerminalId>(id), projectId, name: id, exit: null });
const screenOf = (id: string): Promise<HTMLElement> =>
  screen.findByRole("textbox", { name: enLate.terminal.output(id) });

test("a closed tab leaves the focus to the next terminal, and the last one to the composer", async () => {
  let terminals = [terminal("one"), terminal("two")];
  const { client, push } = await connectClient((name) =>
    name === "terminal.list" ? { ok: true, value: { terminals } } : undefined,
  );
  let isComposerFocused = false;
  const rest = {
    sessionId: null,
    insert: () => true,
    attach: () => {},
    offer: () => {},
    focusApproval: () => false,
    find: () => {},
  };
  client.handles.conversation = { ...rest, focusComposer: () => (isComposerFocused = true) };
  const user = await renderForUser(
    client,
    <ProjectTerminals projectId={projectId} onEmpty={undefined}>
      {null}
    </ProjectTerminals>,
  );
  const close = async (id: string): Promise<void> => {
    await user.click(screen.getByRole("button", { name: enLate.terminal.close(id) }));
    terminals = terminals.filter((one) => one.id !== id);
    push({ type: "terminals", projectId, terminals });
  };
  await screenOf("one");
  await close("two");
  const first = await screenOf("one");
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(isComposerFocused).toBe(false);
  await close("one");
  await expect.poll(() => isComposerFocused).toBe(true);
});

test("the screen has the terminal's name, also after it was renamed", async () => {
  const { client, push } = await connectClient((name) =>
    name === "terminal.list" ? { ok: true, value: { terminals: [terminal("one")] } } : undefined,
  );
  await renderForUser(
    client,
    <ProjectTerminals projectId={projectId} onEmpty={undefined}>
      {null}
    </ProjectTerminals>,
  );
  const element = await screenOf("one");
  push({ type: "terminals", projectId, terminals: [{ ...terminal("one"), name: "server" }] });
  expect(await screenOf("server")).toBe(element);
});

test.each([
  ["takes the focus from a text field when its shortcut was pressed on another page", true],
  ["leaves the focus to a text field otherwise", false],
])("a terminal that appears %s", async (_title, isAwaited) => {
  const { client } = await connectClient((name) =>
    name === "terminal.list" ? { ok: true, value: { terminals: [terminal("one")] } } : undefined,
  );
  client.workbench.awaitTerminal(isAwaited);
  await renderForUser(
    client,
    <>
      <textarea aria-label="Message" autoFocus />
      <ProjectTerminals projectId={projectId} onEmpty={undefined}>
        {null}
      </ProjectTerminals>
    </>,
  );
  const opened = await screenOf("one");
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const expected = isAwaited ? opened : screen.getByRole("textbox", { name: "Message" });
  await waitFor(() => expect(document.activeElement).toBe(expected));
  expect(client.workbench.get().isTerminalAwaited).toBe(false);
});
