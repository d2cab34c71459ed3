// @vitest-environment happy-dom
/** The menu of the text. What needs a layout is in e2e/editor. */
import { EditorView } from "@codemirror/view";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import * as enLate from "../../messages/en-late";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { useEditorMenu } from "./use-editor-menu";

const { attach, editor, files } = enLate;
const document = { path: "src/a.ts", isDirty: false };

function MenuHost({ view }: { readonly view: EditorView }) {
  const { handlers, menu } = useEditorMenu(asId<ProjectId>("p1"), document, { current: view });
  return (
    <div {...handlers} ref={(element) => element?.append(view.dom)}>
      {menu}
    </div>
  );
}

/** Opens the menu by its key, with the whole text selected. */
async function openMenu(doc: string, answer: (name: string) => unknown = () => undefined) {
  const { client } = await connectClient(answer);
  const view = new EditorView({ doc, selection: { anchor: 0, head: doc.length } });
  onTestFinished(() => view.destroy());
  const user = await renderForUser(client, <MenuHost view={view} />);
  fireEvent.keyDown(view.contentDOM, { key: "F10", shiftKey: true });
  const choose = async (name: string) =>
    user.click(await screen.findByRole("menuitem", { name: new RegExp(`^${name}`) }));
  return { client, view, choose };
}

test("the file that the text names is opened", async () => {
  const existing = [{ path: "src/b.ts", isFolder: false, version: null }];
  const { client, choose } = await openMenu('import "./b', (name) =>
    name === "files.existing" ? { ok: true, value: { existing } } : undefined,
  );
  await choose(editor.menu.goTo("src/b.ts"));
  expect(client.workbench.get().layout.activeTab).toBe("src/b.ts");
});

test("the menu does not wait for a server that does not answer", async () => {
  await openMenu('import "./b', (name) => (name === "files.existing" ? new Promise(() => {}) : undefined));
  expect(await screen.findByRole("menuitem", { name: new RegExp(`^${files.cut}`) })).toBeDefined();
});

test("a clipboard without a text does not delete the selection", async () => {
  vi.spyOn(navigator.clipboard, "readText").mockResolvedValue("");
  const { client, view, choose } = await openMenu("kept");
  await choose(files.paste);
  await waitFor(() => expect(client.toasts.get().map(({ text }) => text)).toEqual([attach.nothingToPaste]));
  expect(view.state.doc.toString()).toBe("kept");
});

test("a pasted text replaces the selection", async () => {
  vi.spyOn(navigator.clipboard, "readText").mockResolvedValue("one\r\ntwo");
  const { view, choose } = await openMenu("replaced");
  await choose(files.paste);
  await waitFor(() => expect(view.state.doc.toString()).toBe("one\ntwo"));
});
