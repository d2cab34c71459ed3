"use client";
/** Buttons that add servers: from a pasted text, or from the files of other programs. */
import { useState } from "react";
import type { Project } from "@/lib/workspace/project";
import { type FullMessages, useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { FileProblems } from "../file-problems";
import { ImportDialog, PasteDialog } from "./add-dialogs";
import { useCommandQuery } from "../../../state/use-command-query";

interface AddServersProps {
  readonly project: Project;
  /** Adding a server is the next thing to do. */
  readonly isMain?: boolean;
}

export function AddServers({ project, isMain = false }: AddServersProps) {
  const { mcp: text } = useFullMessages();
  const { candidates: importable = [], skipped, unread = [] } = useCommandQuery("mcp.find", {}).data ?? {};
  const [opened, setOpened] = useState<"paste" | "import" | null>(null);
  const programs = [...new Set(importable.map(({ from }) => from))];
  const close = (): void => setOpened(null);
  return (
    <div className="flex flex-wrap gap-2 *:[section]:basis-full">
      <FileProblems problems={unread} />
      <Button look={isMain ? "primary" : "plain"} onClick={() => setOpened("paste")}>
        {text.paste}
      </Button>
      {programs.length > 0 && <Button onClick={() => setOpened("import")}>{importText(programs, text)}</Button>}
      {opened === "paste" && <PasteDialog project={project} onClose={close} />}
      {opened === "import" && (
        <ImportDialog project={project} candidates={importable} skipped={skipped} onClose={close} />
      )}
    </div>
  );
}

/** More than two names do not fit on a button. */
function importText([one = "", other, third]: readonly string[], text: FullMessages["mcp"]): string {
  if (other === undefined) return text.importFrom(one);
  return third === undefined ? text.importFromTwo(one, other) : text.importMany;
}
