"use client";
/** The form of a question. Problems are shown after the first attempt to send it. */
import { type FormEvent, useRef, useState } from "react";
import type { ElicitationField } from "@/lib/tools/elicitation";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { checkForm, initialValues } from "./form-values";
import { type AnswerQuestion, RefuseQuestion } from "./refuse-question";
import { QuestionField } from "./question-field";

interface QuestionFormProps {
  readonly fields: readonly ElicitationField[];
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

export function QuestionForm({ fields, isSending, onAnswer }: QuestionFormProps) {
  const { questions: text } = useFullMessages();
  const [values, setValues] = useState(() => initialValues(fields));
  const [wasSent, setWasSent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { problems, content } = checkForm(fields, values);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problems.size === 0) return onAnswer("accept", content);
    setWasSent(true);
    const first = fields.findIndex(({ name }) => problems.has(name));
    form.current
      ?.querySelectorAll<HTMLElement>("[data-field]")
      [first]?.querySelector<HTMLElement>("input,select,textarea,button")
      ?.focus();
  };
  return (
    <form ref={form} noValidate autoComplete="off" onSubmit={submit}>
      <div className="grid max-h-[60dvh] max-tablet:max-h-[45dvh] gap-3.5 overflow-y-auto border-t border-line px-3 py-3 *:min-w-0">
        {fields.map((field) => (
          <QuestionField
            key={field.name}
            field={field}
            value={values[field.name]}
            problem={wasSent ? (problems.get(field.name) ?? null) : null}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5">
        <Button type="submit" look="primary" busy={isSending}>
          {text.send}
        </Button>
        <RefuseQuestion isSending={isSending} onAnswer={onAnswer} />
      </div>
    </form>
  );
}
