"use client";
/** The form of a prompt's arguments, above the message field; its text is put into the field. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { McpPromptOffer } from "@/lib/tools/mcp";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { TextField } from "../../../ui/controls/text-field";
import { VisibleText } from "../../../ui/text/visible-text";
import { fitServerText } from "../references/fit-server-text";
import type { ReferenceStore } from "../references/use-references";

interface PromptFormProps {
  readonly prompt: McpPromptOffer;
  /** As it is typed. */
  readonly command: string;
  readonly projectId: ProjectId;
  readonly onText: (text: string) => void;
  readonly store: ReferenceStore | undefined;
  readonly onClose: () => void;
}

/** A prompt without arguments is fetched at once. */
export function PromptForm({ prompt, command, projectId, onText, store, onClose }: PromptFormProps) {
  const { promptOffers: text, common, errors } = useFullMessages();
  const { call, toasts } = useClient();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isFetching, setIsFetching] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const fields = prompt.arguments;
  const close = (): void => {
    form.current?.closest("[data-composer]")?.querySelector("textarea")?.focus();
    onClose();
  };
  const fetchText = async (): Promise<void> => {
    setIsFetching(true);
    const input = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const answer = await call("mcp.prompt", { projectId, server: prompt.server, prompt: prompt.name, input });
    const fitted = answer.ok && store !== undefined ? await fitServerText(store, answer.value.text) : null;
    setIsFetching(false);
    close();
    if (answer.ok) {
      if (fitted?.lines) toasts.show({ text: text.cut(fitted.lines) });
      return onText(fitted?.text ?? answer.value.text);
    }
    const { code, detail = "" } = answer.error;
    toasts.show({ text: [errors.sentences[code], detail].filter((part) => part !== "").join(" "), look: "danger" });
  };
  useEffect(() => {
    if (fields.length === 0) void fetchText();
    else form.current?.querySelector("input")?.focus();
    // Once for each prompt: the form has its name as key.
  }, []);
  const isComplete = fields.every(({ name, required }) => !required || (values[name] ?? "").trim() !== "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (isComplete && !isFetching) void fetchText();
  };
  return (
    <form
      ref={form}
      aria-label={command}
      noValidate
      autoComplete="off"
      onSubmit={submit}
      onKeyDown={(event) => {
        // The keys of the message field do something else.
        event.stopPropagation();
        if (event.key === "Escape") close();
      }}
      className="absolute inset-x-0 bottom-full z-20 mb-1 animate-appear overflow-hidden rounded-card border border-line bg-raised shadow-float"
    >
      <div className="grid max-h-[50dvh] gap-3 overflow-y-auto p-3 *:min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          <VisibleText text={command} names={common.hidden} />
        </p>
        {prompt.description !== "" && (
          <p className="text-small text-ink-muted [overflow-wrap:anywhere]">
            <VisibleText text={prompt.description} names={common.hidden} />
          </p>
        )}
        {fields.map((field) => (
          <ArgumentField
            key={field.name}
            field={field}
            value={values[field.name] ?? ""}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5">
        <Button type="submit" look="primary" busy={isFetching} disabled={!isComplete}>
          {text.insert}
        </Button>
        <Button look="quiet" onClick={close}>
          {common.cancel}
        </Button>
        <span role="status" className="text-small text-ink-muted">
          {isFetching ? text.fetching(prompt.server) : ""}
        </span>
      </div>
    </form>
  );
}

interface ArgumentFieldProps {
  readonly field: McpPromptOffer["arguments"][number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ArgumentField({ field: { name, description, required }, value, onChange }: ArgumentFieldProps) {
  const { common, questions } = useFullMessages();
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium [overflow-wrap:anywhere]">
        <VisibleText text={name} names={common.hidden} />
        {required && " "}
        {required && <span className="ml-1 text-small font-normal text-ink-muted">{questions.required}</span>}
      </label>
      <TextField
        id={id}
        value={value}
        required={required}
        aria-describedby={`${id}note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}note`} className="text-small text-ink-muted empty:hidden [overflow-wrap:anywhere]">
        {description !== "" && <VisibleText text={description} names={common.hidden} />}
      </p>
    </div>
  );
}
