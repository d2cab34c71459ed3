"use client";
/** A text file that is too large to edit: read-only, loaded in pieces, with what the user can do about it. */
import { useEffect, useId, useRef, useState, type PointerEvent } from "react";
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useStore } from "../../state/store";
import { useServerState } from "../../state/use-server-state";
import { mayTakeFocus } from "../../ui/browser/focus";
import { Button } from "../../ui/controls/button";
import { NoticeBar } from "../editor-notice";
import { type LargeText, openLargeText, type VisiblePart } from "./large-text";
import { createRangeReader, type RangeProblem } from "./range-reader";

interface PositionBarProps {
  readonly label: string;
  /** Id of the element that it scrolls. */
  readonly controls: string;
  readonly visible: VisiblePart;
  /** Called with the share of the file that is to be above the visible text, 0 to 1. */
  readonly onSeek: (share: number) => void;
}

const minThumbPx = 32;

/** Scroll bar over a whole file of which only a part is loaded; the keyboard scrolls the text itself. */
function PositionBar({ label, controls, visible: { top, bottom }, onSeek }: PositionBarProps) {
  const thumb = useRef<HTMLDivElement>(null);
  /** Distance from the thumb's top to the pointer that drags it, px. */
  const grip = useRef(0);
  const height = bottom - top;
  const drag = ({ currentTarget, clientY }: PointerEvent): void => {
    const track = currentTarget.getBoundingClientRect();
    const way = track.height - (thumb.current?.offsetHeight ?? 0);
    const place = (clientY - track.top - grip.current) / Math.max(1, way);
    onSeek(Math.min(1, Math.max(0, place)) * (1 - height));
  };
  const thumbHeight = `max(${minThumbPx}px, ${height * 100}%)`;
  return (
    <div
      role="scrollbar"
      aria-label={label}
      aria-controls={controls}
      aria-orientation="vertical"
      aria-valuenow={Math.round(top * 100)}
      className="relative w-3.5 shrink-0 touch-none border-l border-line max-tablet:w-6"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Keeps the focus in the text.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const box = thumb.current?.getBoundingClientRect() ?? new DOMRect();
        grip.current = event.target === thumb.current ? event.clientY - box.top : box.height / 2;
        drag(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      <div
        ref={thumb}
        className="absolute inset-x-0.5 rounded-full bg-ink-faint/40 hover:bg-ink-faint/60"
        style={{ height: thumbHeight, top: `calc(${height < 1 ? top / (1 - height) : 0} * (100% - ${thumbHeight}))` }}
      />
    </div>
  );
}

interface LargeFileProps {
  readonly projectId: ProjectId;
  readonly path: string;
  /** Why the file cannot be edited; another object when it may have changed on disk. */
  readonly error: AgentError;
  /** Its group of the editor has the focus. */
  readonly isFocused: boolean;
}

/** Whether the file is text that is too large to edit. */
export const isLargeText = (error: AgentError): boolean =>
  error.code === "too_large" && error.facts?.type === "text/plain";

export function LargeFile({ projectId, path, error, isFocused }: LargeFileProps) {
  const { call, workbench } = useClient();
  const { editor, figures, files } = useFullMessages();
  const place = useRef<HTMLDivElement>(null);
  const text = useRef<LargeText | null>(null);
  const [problem, setProblem] = useState<RangeProblem | null>(null);
  const [visible, setVisible] = useState<VisiblePart>({ top: 0, bottom: 1 });
  const id = useId();
  const fontSize = useServerState("settings")?.editorFontSize ?? settingsDefaults.editorFontSize;
  const label = files.textOf(path);
  useEffect(() => {
    if (place.current === null) return;
    const reader = createRangeReader(call, projectId, path);
    const opened = openLargeText({
      parent: place.current,
      reader,
      label,
      fontSize,
      onProblem: setProblem,
      onScroll: setVisible,
      onFind: () => workbench.showSearch(opened.selectedText(), { path }),
    });
    text.current = opened;
    opened.show("start");
    return () => {
      text.current = null;
      opened.close();
    };
  }, [call, workbench, projectId, path, label, fontSize]);
  useEffect(() => text.current?.compare(), [error]);
  const target = useStore(workbench, (state) => state.revealTarget);
  useEffect(() => {
    if (!isFocused || target?.path !== path) return;
    workbench.clearReveal();
    if (target.keepsFocus !== true && mayTakeFocus()) text.current?.focus();
  }, [path, isFocused, target, workbench]);
  const { bytes: size = 0 } = anyFacts(error);
  const show = (at: "start" | "end"): void => {
    text.current?.show(at);
    text.current?.focus();
  };
  return (
    <>
      <NoticeBar tone="plain" text={editor.large.note(figures.bytes(size))}>
        <Button
          size="small"
          look="quiet"
          onClick={() => workbench.showSearch(text.current?.selectedText() ?? "", { path })}
        >
          {editor.large.find}
        </Button>
        <Button size="small" look="quiet" onClick={() => show("start")}>
          {editor.large.start}
        </Button>
        <Button size="small" look="quiet" onClick={() => show("end")}>
          {editor.large.end}
        </Button>
      </NoticeBar>
      {problem !== null && (
        <NoticeBar
          tone={problem === "changed" ? "ask" : "danger"}
          text={problem === "changed" ? editor.large.changed : editor.large.failed}
        >
          <Button size="small" onClick={() => show("start")}>
            {editor.large.reload}
          </Button>
        </NoticeBar>
      )}
      <div data-large-file={path} className="flex min-h-0 flex-1">
        <div ref={place} id={id} className="min-w-0 flex-1 overflow-hidden" />
        <PositionBar
          label={editor.large.position}
          controls={id}
          visible={visible}
          onSeek={(share) => text.current?.seek(share)}
        />
      </div>
    </>
  );
}
