"use client";
/** Opens the menu of the text: by a right click, Shift+F10, the menu key, or a long press of a finger on a selection. */
import type { EditorView } from "@codemirror/view";
import { type KeyboardEvent, lazy, type MouseEvent, type ReactNode, type RefObject, Suspense, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import { useLongPress } from "../../ui/browser/use-long-press";
import type { EditorDocument } from "../documents/open-documents";
import type { EditorMenuRequest } from "./editor-menu";
import { pathAt } from "./path-at";

const EditorMenu = lazy(async () => ({ default: (await import("./editor-menu")).EditorMenu }));

/** Longest time for which the menu waits for the file that the text names. */
const namedMs = 400;

/** Returns the handlers of the element around the view, and the menu. */
export function useEditorMenu(
  projectId: ProjectId,
  document: Pick<EditorDocument, "path" | "isDirty">,
  view: RefObject<EditorView | null>,
) {
  const { call, connection } = useClient();
  const [request, setRequest] = useState<EditorMenuRequest | null>(null);
  const { path } = document;
  /** Whether a text was selected when the finger came down: where none is, a long press selects a word. */
  const [press] = useState({ hadSelection: false });

  const findNamed = async (target: EditorView, position: number): Promise<EditorMenuRequest["named"]> => {
    const { from, text } = target.state.doc.lineAt(position);
    const named = pathAt(text, position - from, path);
    // Without a connection the call would wait for it.
    if (named === null || connection.state.get() !== "online") return null;
    const answer = await call("files.existing", { projectId, paths: [...named.candidates] });
    const existing = answer.ok ? answer.value.existing.filter(({ isFolder }) => !isFolder) : [];
    const found = named.candidates.find((one) => one !== path && existing.some((entry) => entry.path === one));
    return found === undefined ? null : { path: found, line: named.line };
  };
  const open = async (at: EditorMenuRequest["at"], position: number): Promise<void> => {
    const target = view.current;
    if (target === null) return;
    const late = new Promise<null>((resolve) => setTimeout(resolve, namedMs, null));
    setRequest({ at, named: await Promise.race([findNamed(target, position), late]) });
  };
  /** Opens the menu at a point; a click outside the selection moves the caret there. */
  const openAt = (at: EditorMenuRequest["at"]): void => {
    const target = view.current;
    const position = target?.posAtCoords(at, false);
    if (target === null || position === undefined) return;
    const isSelected = target.state.selection.ranges.some(({ from, to }) => from <= position && position <= to);
    if (!isSelected) target.dispatch({ selection: { anchor: position } });
    void open(at, position);
  };
  const longPress = useLongPress((_target, at) => {
    if (press.hadSelection) openAt(at);
  });
  const handlers = {
    ...longPress,
    onPointerDown: (event: React.PointerEvent) => {
      press.hadSelection = view.current?.state.selection.main.empty === false;
      longPress.onPointerDown(event);
    },
    onContextMenu: (event: MouseEvent) => {
      if (!isText(event.target)) return;
      const isTouch = "pointerType" in event.nativeEvent && event.nativeEvent.pointerType === "touch";
      if (isTouch && !press.hadSelection) return;
      event.preventDefault();
      openAt({ x: event.clientX, y: event.clientY });
    },
    onKeyDown: (event: KeyboardEvent) => {
      const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
      const target = view.current;
      if (!isMenuKey || !isText(event.target) || target === null) return;
      event.preventDefault();
      const { head } = target.state.selection.main;
      const caret = target.coordsAtPos(head) ?? target.dom.getBoundingClientRect();
      void open({ x: caret.left, y: caret.bottom }, head);
    },
  };
  const menu: ReactNode = request !== null && view.current !== null && (
    <Suspense>
      <EditorMenu
        projectId={projectId}
        request={request}
        view={view.current}
        path={path}
        isDirty={document.isDirty}
        onClose={() => setRequest(null)}
      />
    </Suspense>
  );
  return { handlers, menu };
}

/** Whether it is in the text, not in the find panel. */
const isText = (target: EventTarget): boolean => target instanceof Element && target.closest(".cm-scroller") !== null;
