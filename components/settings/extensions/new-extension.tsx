"use client";
/** Button with a dialog that writes a new extension from a template, then opens the extension's page. */
import { type FormEvent, useId, useState } from "react";
import { type ExtensionTemplate, extensionTemplates, isExtensionName } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { TextField } from "../../ui/controls/text-field";
import { Dialog } from "../../ui/overlays/dialog";
import { formatItemAddress, openItem } from "../item-section/open-item";
import { useChange } from "../../state/use-change";

interface NewExtensionProps {
  readonly project: Project;
}

export function NewExtension({ project }: NewExtensionProps) {
  const { extensions: text } = useFullMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text.create}</Button>
      {isOpen && <NewExtensionDialog project={project} onClose={() => setOpen(false)} />}
    </>
  );
}

function NewExtensionDialog({ project, onClose }: NewExtensionProps & { readonly onClose: () => void }) {
  const { extensions: text, common } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useChange("toast", { bad_path: text.badName, exists: text.exists });
  const [name, setName] = useState("");
  const [template, setTemplate] = useState<ExtensionTemplate>("bash");
  const formId = useId();
  const nameId = useId();
  const noteId = useId();
  const isBad = name !== "" && !isExtensionName(name);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name === "" || isBad) return;
    const created = await perform("extensions.create", { projectId: project.id, name, template });
    if (created === undefined) return;
    toasts.show({ text: text.created });
    onClose();
    openItem(formatItemAddress("extension", project.id, created.path));
  };
  return (
    <Dialog
      title={text.create}
      closeName={common.close}
      onClose={onClose}
      footer={
        <Button type="submit" form={formId} look="primary" busy={isBusy} disabled={name === "" || isBad}>
          {text.createButton}
        </Button>
      }
    >
      <form id={formId} onSubmit={(event) => void create(event)} className="grid gap-4 *:min-w-0">
        <div className="grid gap-1.5">
          <label htmlFor={nameId} className="font-medium">
            {text.createName}
          </label>
          <TextField
            id={nameId}
            mono
            value={name}
            invalid={isBad}
            aria-describedby={isBad ? noteId : undefined}
            onChange={(event) => setName(event.target.value)}
          />
          {isBad && (
            <p id={noteId} className="text-small text-danger">
              {text.badName}
            </p>
          )}
        </div>
        <div className="grid justify-items-start gap-1.5">
          <span aria-hidden className="font-medium">
            {text.createLanguage}
          </span>
          <Segmented
            name={text.createLanguage}
            value={template}
            options={extensionTemplates.map((value) => ({ value, label: text.templates[value] }))}
            onChange={setTemplate}
          />
        </div>
      </form>
    </Dialog>
  );
}
