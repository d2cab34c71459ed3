"use client";
/** Adds files that are dropped anywhere in the conversation of a message field: of the device, and of the file tree. */
import { type RefObject, useEffect } from "react";
import { hasDraggedFiles } from "../../state/dragged-files";
import { draggedReferences } from "./references/added-references";
import type { AttachmentAdder } from "./use-paste-limit";

const isFileDrag = (data: DataTransfer | null): data is DataTransfer =>
  data !== null && (data.types.includes("Files") || hasDraggedFiles(data));

/** The composer has the attribute `data-drop` while files are over its conversation. */
export function useFileDrop(area: RefObject<HTMLElement | null>, adder: AttachmentAdder): void {
  useEffect(() => {
    const place = area.current?.closest("section");
    const mark = (isOver: boolean): void =>
      void area.current?.closest("[data-composer]")?.toggleAttribute("data-drop", isOver);
    const onDrag = (event: DragEvent): void => {
      const { dataTransfer, type, relatedTarget } = event;
      if (!isFileDrag(dataTransfer)) return;
      const isLeaving = type === "dragleave" && !(relatedTarget instanceof Node && place?.contains(relatedTarget));
      mark(type === "dragover" && !isLeaving);
      if (type === "dragleave") return;
      // Without this the browser opens the file in place of the page.
      event.preventDefault();
      if (type === "drop") {
        adder.addReferences(draggedReferences(dataTransfer));
        adder.addFiles([...dataTransfer.files]);
      } else dataTransfer.dropEffect = hasDraggedFiles(dataTransfer) ? "move" : "copy";
    };
    const types = ["dragover", "dragleave", "drop"] as const;
    types.forEach((type) => place?.addEventListener(type, onDrag));
    return () => types.forEach((type) => place?.removeEventListener(type, onDrag));
  });
}
