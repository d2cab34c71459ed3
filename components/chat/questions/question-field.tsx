"use client";
/** One field of a question, by its kind, with what the server says of it and what is wrong with its value. */
import { type ReactNode, useId } from "react";
import type { ElicitationField, FieldProblem } from "@/lib/tools/elicitation";
import { useFullMessages } from "../../messages/full-messages";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { VisibleText } from "../../ui/text/visible-text";
import type { TypedValue } from "./form-values";
import { problemText } from "./problem-text";

interface QuestionFieldProps {
  readonly field: ElicitationField;
  readonly value: TypedValue | undefined;
  readonly problem: FieldProblem | null;
  readonly onChange: (value: TypedValue) => void;
}

interface ControlProps extends QuestionFieldProps {
  readonly id: string;
  /** Id of the texts below. */
  readonly noteId: string;
}

export function QuestionField(props: QuestionFieldProps) {
  const { questions: text, common } = useFullMessages();
  const id = useId();
  const noteId = `${id}note`;
  const { field, problem } = props;
  const title = (
    <>
      <VisibleText text={field.title} names={common.hidden} />
      {field.isRequired && " "}
      {field.isRequired && <span className="ml-1 text-small font-normal text-ink-muted">{text.required}</span>}
    </>
  );
  const note: ReactNode = (
    <div id={noteId} className="grid gap-1 text-small text-ink-muted empty:hidden">
      {field.description !== "" && (
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={field.description} names={common.hidden} />
        </p>
      )}
      {field.isSecret && <p className="text-ask">{text.secret}</p>}
      {problem !== null && <p className="text-danger">{problemText(problem, text)}</p>}
    </div>
  );
  const control = { ...props, id, noteId };
  if (field.kind === "choices")
    return (
      <fieldset data-field={field.name} aria-describedby={noteId} className="grid gap-1.5">
        <legend className="mb-1.5 font-medium">{title}</legend>
        <Choices {...control} />
        {note}
      </fieldset>
    );
  if (field.kind === "boolean")
    return (
      <div data-field={field.name} className="grid gap-1.5">
        <label className="flex items-baseline gap-2 font-medium">
          <input
            type="checkbox"
            checked={props.value === true}
            aria-describedby={noteId}
            onChange={(event) => props.onChange(event.target.checked)}
            className="size-4 shrink-0 translate-y-0.5 accent-accent"
          />
          <span>{title}</span>
        </label>
        {note}
      </div>
    );
  return (
    <div data-field={field.name} className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        {title}
      </label>
      {field.kind === "choice" ? <Choice {...control} /> : <TextInput {...control} />}
      {note}
    </div>
  );
}

function TextInput({ field, value, problem, onChange, id, noteId }: ControlProps) {
  const { questions: text } = useFullMessages();
  const isDate = field.kind === "text" && field.format === "date";
  return (
    <TextField
      id={id}
      type={field.isSecret ? "password" : isDate ? "date" : "text"}
      autoComplete={field.isSecret ? "new-password" : "off"}
      inputMode={field.kind === "number" ? "decimal" : undefined}
      placeholder={field.kind === "text" && field.format === "date-time" ? text.exampleTime : undefined}
      value={typeof value === "string" ? value : ""}
      invalid={problem !== null}
      required={field.isRequired}
      aria-describedby={noteId}
      onChange={(event) => onChange(event.target.value)}
      className={isDate ? "max-w-48" : undefined}
    />
  );
}

function Choice({ field, value, problem, onChange, id, noteId }: ControlProps) {
  const { questions: text } = useFullMessages();
  if (field.kind !== "choice") return null;
  const isOpen = field.initial === "" || !field.isRequired;
  const options = isOpen ? [{ value: "", label: text.choose }, ...field.options] : field.options;
  return (
    <Select
      id={id}
      value={typeof value === "string" ? value : ""}
      options={options}
      aria-invalid={problem !== null || undefined}
      aria-describedby={noteId}
      onChange={onChange}
      className="w-full max-w-96"
    />
  );
}

function Choices({ field, value, onChange }: ControlProps) {
  const { common } = useFullMessages();
  if (field.kind !== "choices") return null;
  const chosen = typeof value === "object" ? value : [];
  return field.options.map((option) => (
    <label key={option.value} className="flex items-baseline gap-2 max-tablet:min-h-8">
      <input
        type="checkbox"
        checked={chosen.includes(option.value)}
        onChange={(event) =>
          onChange(event.target.checked ? [...chosen, option.value] : chosen.filter((one) => one !== option.value))
        }
        className="size-4 shrink-0 translate-y-0.5 accent-accent"
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <VisibleText text={option.label} names={common.hidden} />
      </span>
    </label>
  ));
}
