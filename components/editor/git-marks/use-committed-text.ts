"use client";
/** Reads the committed text of the shown file for its marks: when the file changes on disk, and when the window gets the focus. */
import { useEffect } from "react";
import type { Hash, ProjectId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import type { OpenFiles } from "../open-files";

/** `hash` = the version on disk. */
export function useCommittedText(projectId: ProjectId, { buffers }: OpenFiles, path: string, hash: Hash | null): void {
  const { call } = useClient();
  useEffect(() => {
    let isShown = true;
    const read = (): void =>
      void call("files.committed", { projectId, path }).then((answer) => {
        if (isShown && answer.ok && hash !== null) buffers.get(path)?.setCommitted(answer.value.text);
      });
    read();
    addEventListener("focus", read);
    return () => {
      isShown = false;
      removeEventListener("focus", read);
    };
  }, [call, projectId, buffers, path, hash]);
}
