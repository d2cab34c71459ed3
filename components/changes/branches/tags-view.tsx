"use client";
/** Tags of the repository, to create, show and delete them. */
import { useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { SourceTag } from "@/lib/workspace/source-refs";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { Button } from "../../ui/controls/button";
import { Time } from "../../ui/text/time";
import { CommitDialog } from "../history/commit-dialog";
import { useSourceChange } from "../source/use-source-change";

export function TagsView({ projectId }: { readonly projectId: ProjectId }) {
  const { gitRefs: text, changes } = useFullMessages();
  const { data, error } = useCommandQuery("source.tags", { projectId }, { retry: false });
  const { isBusy, perform } = useSourceChange(projectId);
  const [typed, setTyped] = useState("");
  const [shown, setShown] = useState<string | null>(null);
  const wanted = typed.trim();
  const found = data?.tags.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase())) ?? [];
  const isNew = wanted !== "" && data?.tags.every(({ name }) => name !== wanted) === true;
  const create = async (): Promise<void> => {
    const created = await perform("source.create_tag", { projectId, tag: wanted, from: "HEAD" });
    if (created !== undefined) setTyped("");
  };
  return (
    <>
      <NameForm
        {...{ typed, isBusy, isNew }}
        label={text.tagField}
        submit={text.createTag}
        onType={setTyped}
        onCreate={() => void create()}
      />
      {error !== null && <p role="alert">{changes.failed}</p>}
      {data?.tags.length === 0 && <p className="text-ink-muted">{text.noTags}</p>}
      <ul className="divide-y divide-line rounded-card border border-line empty:hidden">
        {found.map((tag) => (
          <TagRow key={tag.name} projectId={projectId} tag={tag} onShow={() => setShown(tag.commit)} />
        ))}
      </ul>
      {shown !== null && (
        <CommitDialog
          projectId={projectId}
          shown={{ commit: shown }}
          onShow={({ commit }) => setShown(commit)}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}
import { NameForm } from "./name-form";

interface TagRowProps {
  readonly projectId: ProjectId;
  readonly tag: SourceTag;
  readonly onShow: () => void;
}

function TagRow({ projectId, tag: { name, subject, at }, onShow }: TagRowProps) {
  const { gitRefs: text, figures } = useFullMessages();
  const { toasts } = useClient();
  const { isBusy, perform } = useSourceChange(projectId);
  const remove = async (): Promise<void> => {
    const deleted = await perform("source.delete_tag", { projectId, tag: name });
    if (deleted === undefined) return;
    const undo = (): void => void perform("source.create_tag", { projectId, tag: name, from: deleted.object });
    toasts.show({ text: text.deleted(name), action: { label: text.undo, onSelect: undo } });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
      <span className="min-w-40 flex-1">
        <span className="block cut font-mono text-small">{name}</span>
        <span className="block cut text-small text-ink-muted">
          {subject} · <Time at={at} figures={figures} />
        </span>
      </span>
      <Button size="small" onClick={onShow}>
        {text.show}
      </Button>
      <Button size="small" look="quiet" disabled={isBusy} onClick={() => void remove()}>
        {text.delete}
      </Button>
    </li>
  );
}
