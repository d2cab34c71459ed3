"use client";
/** Page of one API: where its requests go, its keys, what has changed, its operations, and those that are no tools. */
import { type FormEvent, useId, useState } from "react";
import type { ApiView } from "@/lib/tools/openapi";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import { classes } from "../../ui/theme/classes";
import { Disclosure } from "../item-section/disclosure";
import { RemoveItem } from "../item-section/remove-item";
import { SourceId } from "../item-section/source-id";
import { AddApi } from "./add-api";
import { ApiKeys } from "./api-keys";
import { ApiTools } from "./api-tools";
import { ChangedOperations } from "./changed-operations";
import { useChange } from "../../state/use-change";
import { apiErrorText, apiReloadErrorText } from "./api-error-text";

export interface ApiPartProps {
  readonly api: ApiView;
}

export function ApiPage({ api }: ApiPartProps) {
  const { apis: text, common } = useFullMessages();
  const { id, title, version, format, counts, skipped } = api;
  const name = title === "" ? id : title;
  return (
    <div className="grid gap-5 *:min-w-0">
      <div className="grid gap-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 className="text-title font-semibold [overflow-wrap:anywhere]">
            <VisibleText text={name} names={common.hidden} />
          </h2>
          <SourceId id={id} name={name} />
        </div>
        <p className="text-ink-muted tabular-nums [overflow-wrap:anywhere]">
          <VisibleText
            text={[version, format, text.tools(counts.tools, counts.operations)]
              .filter((one) => one !== "")
              .join(" · ")}
            names={common.hidden}
          />
        </p>
      </div>
      <ApiAddress key={api.address} api={api} />
      <ApiActions api={api} />
      {counts.waiting > 0 && <ChangedOperations api={api} />}
      {api.schemes.length > 0 && <ApiKeys api={api} />}
      <ApiTools api={api} />
      {skipped.length > 0 && (
        <Disclosure title={text.skippedTitle(counts.operations - counts.tools)}>
          <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
            {skipped.map(({ operation, kind, detail }) => (
              <li key={operation} className="grid gap-0.5 px-3.5 py-2 [overflow-wrap:anywhere]">
                <code className="text-code">
                  <VisibleText text={operation} names={common.hidden} />
                </code>
                <span className="text-small text-ink-muted">
                  <VisibleText text={text.skips[kind](detail)} names={common.hidden} />
                </span>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  );
}

function ApiAddress({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  const { isBusy, perform } = useChange("toast", apiErrorText);
  const [typed, setTyped] = useState(api.address);
  const noteId = useId();
  const { isConfirmed, isPrivate } = api;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void perform("openapi.confirm", { api: api.id, address: typed });
  };
  const title = isConfirmed ? text.requests : text.confirmTitle;
  return (
    <section
      aria-label={title}
      className={classes(
        "overflow-hidden rounded-card border bg-raised",
        isConfirmed ? "border-line" : "border-ask/60",
      )}
    >
      <h3 className={classes("px-3.5 pt-2.5 font-medium", !isConfirmed && "border-b border-ask/40 bg-ask-soft pb-2")}>
        {title}
      </h3>
      <form onSubmit={save} className="grid gap-2 p-3.5 pt-2.5">
        {!isConfirmed && (
          <p id={noteId} className="max-w-[68ch]">
            {api.address === "" ? text.noAddressNote : text.confirmNote}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <TextField
            mono
            inputMode="url"
            aria-label={text.address}
            aria-describedby={isConfirmed ? undefined : noteId}
            value={typed}
            maxLength={4_000}
            className="flex-1 basis-60"
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button
            type="submit"
            look={isConfirmed ? "plain" : "primary"}
            busy={isBusy}
            disabled={typed.trim() === "" || (isConfirmed && typed.trim() === api.address)}
          >
            {isConfirmed ? text.saveAddress : text.confirm}
          </Button>
        </div>
        {isPrivate && <p className="text-small text-ink-muted">{text.privateNote}</p>}
      </form>
    </section>
  );
}

function ApiActions({ api }: ApiPartProps) {
  const { apis: text } = useFullMessages();
  const { toasts } = useClient();
  const { perform } = useChange("toast", apiErrorText);
  const reloading = useChange("toast", apiReloadErrorText);
  const [isReplacing, setIsReplacing] = useState(false);
  const { id, isEnabled, origin } = api;
  const name = api.title === "" ? id : api.title;
  const reload = async (): Promise<void> => {
    const next = await reloading.perform("openapi.reload", { api: id });
    if (next !== undefined) toasts.show({ text: text.loaded(next.counts.waiting) });
  };
  const remove = async (): Promise<boolean> => {
    const removed = (await perform("openapi.remove", { api: id })) !== undefined;
    if (removed) toasts.show({ text: text.removed(name) });
    return removed;
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {origin.kind === "url" ? (
        <Button busy={reloading.isBusy} title={origin.url} onClick={() => void reload()}>
          {text.loadAgain}
        </Button>
      ) : (
        <Button onClick={() => setIsReplacing(true)}>{text.newText}</Button>
      )}
      <Button onClick={() => void perform("openapi.enable", { api: id, isEnabled: !isEnabled })}>
        {isEnabled ? text.disable : text.enable}
      </Button>
      <span className="flex-1" />
      <RemoveItem label={text.remove} title={text.removeTitle(name)} yes={text.removeYes} remove={remove}>
        <p>{text.removeNote}</p>
      </RemoveItem>
      {isReplacing && <AddApi api={api} onClose={() => setIsReplacing(false)} />}
    </div>
  );
}
