"use client";
/** A text file that is too large to edit: read-only, loaded in pieces, with what the user can do about it. */
import { useEffect, useId, useRef, useState } from "react";
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
import { PositionBar } from "./position-bar";
import { createRangeReader, type RangeProblem } from "./range-reader";

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
