"use client";
/** Writes a new extension from a template; shows its path afterwards. */
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { type ExtensionTemplate, extensionTemplates, isExtensionName } from "@/lib/tools/extensions";
import type { Project } from "@/lib/workspace/project";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { TextField } from "../../ui/controls/text-field";
import { useCallWithToast } from "../use-call-with-toast";

export function NewExtension({ project }: { readonly project: Project }) {
  const { extensions: text } = useFullMessages();
  const call = useCallWithToast();
  const cache = useQueryClient();
  const [name, setName] = useState("");
  const [template, setTemplate] = useState<ExtensionTemplate>("bash");
  const [createdPath, setCreatedPath] = useState<string | null>(null);
  const noteId = useId();
  const isBad = name !== "" && !isExtensionName(name);
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name === "" || isBad) return;
    const sentences = { bad_path: text.badName, exists: text.exists };
    const created = await call("extensions.create", { projectId: project.id, name, template }, sentences);
    if (created === undefined) return;
    cache.setQueryData(["extensions", project.id], created.state);
    setCreatedPath(created.path);
    setName("");
  };
  return (
    <form
      aria-label={text.create}
      onSubmit={(event) => void create(event)}
      className="grid gap-2.5 rounded-card border border-line bg-raised px-3.5 py-3"
    >
      <h3 className="font-semibold">{text.create}</h3>
      <div className="flex flex-wrap items-center gap-2.5">
        <TextField
          mono
          value={name}
          invalid={isBad}
          aria-label={text.createName}
          aria-describedby={isBad ? noteId : undefined}
          placeholder={text.createName}
          onChange={(event) => setName(event.target.value)}
          className="max-w-60 flex-1 basis-40 max-tablet:max-w-none"
        />
        <Segmented
          name={text.createLanguage}
          value={template}
          options={extensionTemplates.map((value) => ({ value, label: text.templates[value] }))}
          onChange={setTemplate}
        />
        <Button type="submit" disabled={name === "" || isBad}>
          {text.createButton}
        </Button>
      </div>
      {isBad && (
        <p id={noteId} className="text-small text-danger">
          {text.badName}
        </p>
      )}
      {createdPath !== null && (
        <p role="status" className="text-small [overflow-wrap:anywhere]">
          {text.created(createdPath)}
        </p>
      )}
    </form>
  );
}
