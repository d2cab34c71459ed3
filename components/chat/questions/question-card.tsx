"use client";
/** Card of a question that a server asks: its words, marked as its own, and a form or an address. */
import { MessageCircleQuestion } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState, type FormEvent } from "react";
import type { ElicitationView, ElicitationField, ElicitedContent } from "@/lib/tools/elicitation";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Icon } from "../../ui/indicators/icon";
import { classes } from "../../ui/theme/classes";
import { useNow } from "../../ui/text/use-now";
import { VisibleText } from "../../ui/text/visible-text";
import { focusNextApproval, storeFocus } from "../approval/approval-focus";
import { useClickGuard } from "../approval/use-click-guard";
import { Button } from "../../ui/controls/button";
import { OutsideLink } from "../../ui/controls/outside-link";
import { checkForm, initialValues } from "./form-values";
import { QuestionField } from "./question-field";

type AnswerQuestion = (action: "accept" | "decline" | "cancel", content?: ElicitedContent) => void;

interface RefuseQuestionProps {
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

/** The ways not to answer a question. */
function RefuseQuestion({ isSending, onAnswer }: RefuseQuestionProps) {
  const { questions: text } = useFullMessages();
  return (
    <>
      <Button disabled={isSending} onClick={() => onAnswer("decline")}>
        {text.decline}
      </Button>
      <Button look="quiet" disabled={isSending} onClick={() => onAnswer("cancel")}>
        {text.cancel}
      </Button>
    </>
  );
}

interface QuestionFormProps {
  readonly fields: readonly ElicitationField[];
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

/** The form of a question. Problems are shown after the first attempt to send it. */
function QuestionForm({ fields, isSending, onAnswer }: QuestionFormProps) {
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

interface QuestionAddressProps {
  readonly url: string;
  /** The answer is due when the user has finished there. */
  readonly waitsForEnd: boolean;
  readonly isSending: boolean;
  readonly onAnswer: AnswerQuestion;
}

/** An address that a server asks the user to open: its host made plain, opened by a click only. */
function QuestionAddress({ url, waitsForEnd, isSending, onAnswer }: QuestionAddressProps) {
  const { questions: text, common } = useFullMessages();
  const { protocol, host } = new URL(url);
  return (
    <>
      <div className="grid gap-1.5 border-t border-line px-3 py-2.5">
        <p className="text-small text-ink-muted">{waitsForEnd ? text.requiredNote : text.addressNote}</p>
        <p className="font-mono text-title [overflow-wrap:anywhere]">
          <span className="text-ink-muted">{protocol}//</span>
          <span className="font-semibold">{host}</span>
        </p>
        {protocol === "http:" && <p className="text-small text-ask">{text.unencrypted}</p>}
        <p
          tabIndex={0}
          aria-label={text.wholeAddress}
          className="max-h-24 overflow-y-auto font-mono text-code text-ink-muted [overflow-wrap:anywhere]"
        >
          <VisibleText text={url} names={common.hidden} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2.5">
        <OutsideLink href={url} onClick={waitsForEnd ? undefined : () => onAnswer("accept")}>
          {text.open(host)}
        </OutsideLink>
        {waitsForEnd && (
          <Button busy={isSending} onClick={() => onAnswer("accept")}>
            {text.finished}
          </Button>
        )}
        <RefuseQuestion isSending={isSending} onAnswer={onAnswer} />
      </div>
    </>
  );
}

export function QuestionCard({ question }: { readonly question: ElicitationView }) {
  const { questions: text, common } = useFullMessages();
  const { call, toasts } = useClient();
  const [isSending, setIsSending] = useState(false);
  const titleId = useId();
  const card = useRef<HTMLElement>(null);
  const guard = useClickGuard();
  useLayoutEffect(() => {
    const shown = card.current;
    return () => {
      if (shown !== null) focusNextApproval(shown);
    };
  }, []);
  const { id, server, message, asks, until } = question;
  const answer: AnswerQuestion = (action, content) => {
    setIsSending(true);
    void call("mcp.answer", { question: id, action, ...(content === undefined ? {} : { content }) }).then((sent) => {
      setIsSending(false);
      if (!sent.ok) toasts.show({ text: sent.error.code === "not_found" ? text.ended : text.failed, look: "danger" });
    });
  };
  return (
    <section
      ref={card}
      aria-labelledby={titleId}
      data-question={id}
      data-state={isSending ? "sending" : "waiting"}
      tabIndex={-1}
      onFocus={(event) => storeFocus(event.relatedTarget)}
      className="my-1 animate-rise overflow-hidden rounded-card border border-[color-mix(in_srgb,var(--ask-edge)_55%,var(--line))] bg-raised text-base shadow-float outline-offset-2"
    >
      <header className="flex min-h-10 items-center gap-2 bg-ask-soft px-3 py-2.5">
        <Icon of={MessageCircleQuestion} className="text-ask" />
        <span id={titleId} role="status" className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
          <VisibleText text={text.asks(server)} names={common.hidden} />
        </span>
        <TimeLeft until={until} />
      </header>
      <figure className="px-3 py-2.5">
        <figcaption className="text-small text-ink-muted">{text.ownWords}</figcaption>
        <blockquote
          tabIndex={0}
          aria-label={text.message}
          className="mt-1.5 max-h-48 overflow-y-auto border-l-2 border-line pl-2.5 whitespace-pre-wrap [overflow-wrap:anywhere]"
        >
          <VisibleText text={message} names={common.hidden} />
        </blockquote>
      </figure>
      <div
        ref={guard.ref}
        onPointerOver={guard.onPointerOver}
        className={classes(guard.isActive && "pointer-events-none")}
      >
        {asks.kind === "form" ? (
          <QuestionForm fields={asks.fields} isSending={isSending} onAnswer={answer} />
        ) : (
          <QuestionAddress url={asks.url} waitsForEnd={asks.waitsForEnd} isSending={isSending} onAnswer={answer} />
        )}
      </div>
    </section>
  );
}

function TimeLeft({ until }: { readonly until: number }) {
  const { questions: text, figures } = useFullMessages();
  const left = Math.max(0, until - useNow(1_000));
  return (
    <span className="shrink-0 text-small text-ink-muted tabular-nums">
      {text.left(figures.duration(Math.ceil(left / 1_000) * 1_000))}
    </span>
  );
}
