"use client";
/** A form that tries a tool: fields for its parameters, the call as it would be made, Stop, and the answer. */
import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from "react";
import type { ImageRef, Json } from "@/lib/events/content";
import type { AgentError, Result } from "@/lib/events/error";
import type { ToolTrial } from "@/lib/tools/trials";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { loadImage } from "../../state/load-image";
import { randomText } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { StoredImage } from "../../ui/indicators/stored-image";
import { VisibleText } from "../../ui/text/visible-text";
import { ForeignText, Quote } from "../item-section/foreign-text";
import { readTrialFields, readTrialInput, type TrialField } from "./trial-fields";

type Input = { readonly [name: string]: Json };

interface TrialFormProps<P> {
  /** Name of the tool, for the user. */
  readonly name: string;
  /** JSON Schema object in the subset that models get. */
  readonly parameters: Json;
  readonly labels: {
    readonly noFields: string;
    readonly review: string;
    readonly reviewNote: string;
    readonly send: string;
  };
  readonly review: (input: Input) => Promise<Result<P>>;
  readonly format: (preview: P) => string;
  /** `trial` = its id. */
  readonly run: (preview: P, input: Input, trial: string) => Promise<Result<ToolTrial>>;
  readonly stop: (trial: string) => void;
  readonly errorText: (error: AgentError) => string;
}

type Trial<P> =
  | { readonly kind: "none" | "busy" }
  | { readonly kind: "problem"; readonly problem: string }
  | {
      readonly kind: "shown";
      readonly preview: P;
      readonly input: Input;
      /** Id of the one that runs. */
      readonly running?: string;
      readonly answer?: Result<ToolTrial>;
    };

export function TrialForm<P>({ name, parameters, labels, review, format, run, stop, errorText }: TrialFormProps<P>) {
  const { trials: text } = useFullMessages();
  const fields = readTrialFields(parameters);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [trial, setTrial] = useState<Trial<P>>({ kind: "none" });
  const running = useRunning(stop);
  const show = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    running.end();
    const read = readTrialInput(fields, typed);
    if (!read.ok) {
      const control = event.currentTarget.elements.namedItem(read.field);
      if (control instanceof HTMLElement) control.focus();
      return setTrial({ kind: "problem", problem: text.problems[read.problem](read.field) });
    }
    setTrial({ kind: "busy" });
    const previewed = await review(read.input);
    if (previewed.ok) setTrial({ kind: "shown", preview: previewed.value, input: read.input });
    else setTrial({ kind: "problem", problem: errorText(previewed.error) });
  };
  const send = async (preview: P, input: Input): Promise<void> => {
    const id = running.begin();
    setTrial({ kind: "shown", preview, input, running: id });
    const answer = await run(preview, input, id);
    // Another one has begun, or the form has changed.
    if (running.isLatest(id)) setTrial({ kind: "shown", preview, input, answer });
  };
  return (
    <section aria-label={text.tryOf(name)} className="grid gap-2 rounded-card border border-line p-3 *:min-w-0">
      <h4 className="font-medium">{text.tryIt}</h4>
      <p className="text-small text-ink-muted">{fields.length === 0 ? labels.noFields : text.tryNote}</p>
      <form onSubmit={(event) => void show(event)} className="grid gap-2">
        <TrialFields
          fields={fields}
          typed={typed}
          onType={(field, value) => {
            running.end();
            setTyped({ ...typed, [field]: value });
            setTrial({ kind: "none" });
          }}
        />
        <div>
          <Button type="submit" size="small" busy={trial.kind === "busy"}>
            {labels.review}
          </Button>
        </div>
      </form>
      <div role="status" className="grid gap-2 empty:hidden *:min-w-0">
        {trial.kind === "problem" && <p className="text-danger [overflow-wrap:anywhere]">{trial.problem}</p>}
        {trial.kind === "shown" && (
          <>
            <p className="text-ink-muted">{labels.reviewNote}</p>
            <ForeignText mono text={format(trial.preview)} label={labels.review} />
            <div className="flex flex-wrap gap-2">
              <Button
                size="small"
                look="primary"
                busy={trial.running !== undefined}
                onClick={() => void send(trial.preview, trial.input)}
              >
                {labels.send}
              </Button>
              {trial.running !== undefined && (
                <Button size="small" onClick={() => stop(trial.running ?? "")}>
                  {text.stop}
                </Button>
              )}
            </div>
            {trial.answer !== undefined && <TrialAnswer answer={trial.answer} errorText={errorText} />}
          </>
        )}
      </div>
    </section>
  );
}

/** The trial that runs. It is stopped when the form changes or is closed. */
function useRunning(stop: (trial: string) => void) {
  const latest = useRef<string | null>(null);
  const stopLatest = useRef(stop);
  useEffect(() => {
    stopLatest.current = stop;
  });
  const end = useCallback(() => {
    if (latest.current !== null) stopLatest.current(latest.current);
    latest.current = null;
  }, []);
  useEffect(() => end, [end]);
  return {
    begin(): string {
      end();
      latest.current = randomText();
      return latest.current;
    },
    isLatest(id: string): boolean {
      const isLatest = latest.current === id;
      if (isLatest) latest.current = null;
      return isLatest;
    },
    end,
  };
}

interface TrialFieldsProps {
  readonly fields: readonly TrialField[];
  readonly typed: Readonly<Record<string, string>>;
  readonly onType: (field: string, value: string) => void;
}

function TrialFields({ fields, typed, onType }: TrialFieldsProps) {
  const { trials: text, common } = useFullMessages();
  const id = useId();
  return fields.map(({ name, isRequired, type, description, choices }, index) => {
    const field = {
      id: `${id}-${index}`,
      name,
      value: typed[name] ?? "",
      "aria-describedby": description === "" ? undefined : `${id}-${index}-about`,
    };
    return (
      <div key={name} className="grid gap-x-3 gap-y-0.5 tablet:grid-cols-[12rem_1fr] tablet:items-center">
        <label htmlFor={field.id} className="text-small [overflow-wrap:anywhere]">
          <code className="text-code">
            <VisibleText text={name} names={common.hidden} />
          </code>{" "}
          <span className="text-ink-muted">{isRequired ? `${type}, ${text.required}` : type}</span>
        </label>
        {choices.length === 0 ? (
          <TextField mono {...field} onChange={(event) => onType(name, event.target.value)} />
        ) : (
          <Select
            {...field}
            options={[
              { value: "", label: isRequired ? text.choose : text.notSent },
              ...choices.map((value) => ({ value, label: value })),
            ]}
            onChange={(value) => onType(name, value)}
          />
        )}
        {description !== "" && (
          <div id={field["aria-describedby"]} className="tablet:col-start-2">
            <Quote text={description} className="line-clamp-3 text-small text-ink-muted [overflow-wrap:anywhere]" />
          </div>
        )}
      </div>
    );
  });
}

interface TrialAnswerProps {
  readonly answer: Result<ToolTrial>;
  readonly errorText: (error: AgentError) => string;
}

function TrialAnswer({ answer, errorText }: TrialAnswerProps) {
  const { trials: text } = useFullMessages();
  if (!answer.ok && answer.error.code === "aborted") return <p className="text-ink-muted">{text.stopped}</p>;
  if (!answer.ok) return <p className="text-danger [overflow-wrap:anywhere]">{errorText(answer.error)}</p>;
  const { text: shown, images, failed } = answer.value;
  return (
    <>
      {failed && <p className="text-danger">{text.reportedFailure}</p>}
      <ForeignText mono text={shown} label={text.answer} />
      {images.length > 0 && (
        <ul aria-label={text.images} className="flex flex-wrap gap-2">
          {images.map((image, index) => (
            <li key={index}>
              <AnswerImage image={image} name={text.image(index + 1)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function AnswerImage({ image: { blob }, name }: { readonly image: ImageRef; readonly name: string }) {
  const client = useClient();
  const load = useCallback(() => loadImage(client)(blob), [client, blob]);
  return <StoredImage load={load} name={name} className="max-h-80 max-w-full" />;
}
