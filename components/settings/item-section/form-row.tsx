"use client";
/** Row of a form: label, note, control and problem. */
import { type ReactNode, useId } from "react";

interface FormRowProps {
  readonly label: string;
  readonly note: string;
  /** Sentence about its value. */
  readonly problem?: string | undefined;
  /** Renders the control with its id and the id of its description. */
  readonly children: (id: string, described: string) => ReactNode;
}

export function FormRow({ label, note, problem, children }: FormRowProps) {
  const id = useId();
  const described = `${id}-note`;
  return (
    <div className="grid items-start gap-x-6 gap-y-2 py-3.5 tablet:grid-cols-2">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={described} className="text-ink-muted">
          {note}
        </p>
      </div>
      <div className="grid min-w-0 gap-1">
        {children(id, described)}
        {problem !== undefined && (
          <p role="alert" className="text-small text-danger">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
