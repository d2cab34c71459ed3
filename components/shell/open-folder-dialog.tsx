"use client";
/** Opens a folder of the server's machine as a project, by its path. */
import { type FormEvent, useState } from "react";
import type { AgentError } from "@/lib/error";
import { useClient } from "../state/client";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/text-field";
import { useWords } from "../words/words";
import { navigate } from "./router";

const example = "/path/to/project";

export function OpenFolderDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const { call, cache, workbench } = useClient();
  const [path, setPath] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<AgentError | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const answer = await call("project.open", { path: path.trim() });
    setBusy(false);
    if (!answer.ok) return setError(answer.error);
    const { project } = answer.value;
    cache.setQueryData(["project", project.id], answer.value);
    workbench.showProject(project.id);
    navigate("/");
    onClose();
  };
  return (
    <Dialog
      title={words.shell.openFolder}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {words.common.cancel}
          </Button>
          <Button type="submit" form="open-folder" look="primary" busy={isBusy} disabled={path.trim() === ""}>
            {words.shell.open}
          </Button>
        </>
      }
    >
      <form id="open-folder" onSubmit={(event) => void submit(event)}>
        <label htmlFor="folder-path" className="mb-1 block text-ink-muted">
          {words.shell.openFolderNote}
        </label>
        <TextField
          id="folder-path"
          mono
          autoFocus
          value={path}
          maxLength={4096}
          placeholder={example}
          invalid={error !== null}
          onChange={(event) => {
            setPath(event.target.value);
            setError(null);
          }}
        />
        {error !== null && (
          <p role="alert" className="mt-2 text-danger">
            {words.errors.sentences[error.code]}
          </p>
        )}
      </form>
    </Dialog>
  );
}
