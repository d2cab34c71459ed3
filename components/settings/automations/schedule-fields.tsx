"use client";
/** Fields of the trigger of an automation, with the next due times of a schedule. */
import { useMemo } from "react";
import { useFullMessages } from "../../messages/full-messages";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { FormRow } from "../item-section/form-row";
import { type AutomationDraft, type DraftKind, draftCron, scheduleProblem } from "./automation-draft";
import type { AutomationFieldProps } from "./automation-form";
import { CallError } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

const kinds: readonly DraftKind[] = [
  "minutes",
  "hourly",
  "daily",
  "workdays",
  "weekly",
  "monthly",
  "cron",
  "files",
  "run_ended",
  "none",
];
/** Each divides an hour, so that the interval is the same across it. */
const intervals = ["5", "10", "15", "20", "30"] as const;

const numbers = (first: number, count: number): readonly { readonly value: string; readonly label: string }[] =>
  Array.from({ length: count }, (_, index) => ({ value: String(first + index), label: String(first + index) }));

export function ScheduleFields({ draft, problems, onChange }: AutomationFieldProps) {
  const { automations: text } = useFullMessages();
  const isTimed = draftCron(draft) !== null;
  return (
    <>
      <FormRow
        label={text.form.when}
        note={text.form.whenNote}
        problem={problems.includes("glob") ? text.problems.glob : undefined}
      >
        {(id, described) => (
          <div className="grid gap-2">
            <Select
              id={id}
              aria-describedby={described}
              value={draft.kind}
              options={kinds.map((kind) => ({ value: kind, label: text.form.kinds[kind] }))}
              onChange={(kind) => onChange({ kind })}
            />
            <KindFields draft={draft} problems={problems} onChange={onChange} />
            {isTimed && <ZoneField draft={draft} onChange={onChange} />}
            {isTimed && <NextTimes draft={draft} />}
          </div>
        )}
      </FormRow>
      {isTimed && (
        <FormRow label={text.form.missed} note={text.form.missedNote}>
          {(id, described) => (
            <Select
              id={id}
              aria-describedby={described}
              value={draft.missed}
              options={[
                { value: "run", label: text.form.missedChoices.run },
                { value: "skip", label: text.form.missedChoices.skip },
              ]}
              onChange={(missed) => onChange({ missed })}
            />
          )}
        </FormRow>
      )}
    </>
  );
}

function KindFields({ draft, problems, onChange }: AutomationFieldProps) {
  const { automations: text } = useFullMessages();
  const { kind } = draft;
  switch (kind) {
    case "minutes":
      return (
        <Select
          aria-label={text.form.every}
          value={String(draft.every)}
          options={[...new Set([...intervals, String(draft.every)])].map((value) => ({
            value,
            label: text.form.minutes(value),
          }))}
          onChange={(every) => onChange({ every: Number(every) })}
        />
      );
    case "hourly":
      return (
        <Select
          aria-label={text.form.minute}
          value={String(draft.minute)}
          options={numbers(0, 60)}
          onChange={(minute) => onChange({ minute: Number(minute) })}
        />
      );
    case "cron":
      return (
        <TextField
          mono
          aria-label={text.form.cron}
          value={draft.cron}
          maxLength={200}
          onChange={(event) => onChange({ cron: event.target.value })}
        />
      );
    case "files":
      return (
        <TextField
          mono
          aria-label={text.form.glob}
          value={draft.glob}
          maxLength={300}
          invalid={problems.includes("glob")}
          onChange={(event) => onChange({ glob: event.target.value })}
        />
      );
    case "run_ended":
    case "none":
      return null;
    default:
      return <ClockFields draft={draft} onChange={onChange} />;
  }
}

function ClockFields({ draft, onChange }: Pick<AutomationFieldProps, "draft" | "onChange">) {
  const { automations: text } = useFullMessages();
  return (
    <div className="flex flex-wrap gap-2">
      {draft.kind === "weekly" && (
        <Select
          aria-label={text.form.weekday}
          value={String(draft.weekday)}
          options={text.weekdays.map((label, value) => ({ value: String(value), label }))}
          onChange={(weekday) => onChange({ weekday: Number(weekday) })}
        />
      )}
      {draft.kind === "monthly" && (
        <Select
          aria-label={text.form.day}
          value={String(draft.day)}
          options={numbers(1, 31)}
          onChange={(day) => onChange({ day: Number(day) })}
        />
      )}
      <TextField
        type="time"
        aria-label={text.form.time}
        value={draft.time}
        className="max-w-32"
        onChange={(event) => {
          // An emptied field has no time.
          if (event.target.value !== "") onChange({ time: event.target.value });
        }}
      />
    </div>
  );
}

function ZoneField({ draft, onChange }: Pick<AutomationFieldProps, "draft" | "onChange">) {
  const { automations: text } = useFullMessages();
  const zones = useMemo(
    () => [...new Set([draft.zone, "UTC", ...Intl.supportedValuesOf("timeZone")])].toSorted(),
    [draft.zone],
  );
  return (
    <Select
      aria-label={text.form.zone}
      value={draft.zone}
      options={zones.map((zone) => ({ value: zone, label: zone }))}
      onChange={(zone) => onChange({ zone })}
    />
  );
}

function NextTimes({ draft }: { readonly draft: AutomationDraft }) {
  const { automations: text } = useFullMessages();
  const input = { cron: draftCron(draft) ?? "", zone: draft.zone };
  const { data, error } = useCommandQuery("automations.preview", input, { retry: false, staleTime: 60_000 });
  if (error instanceof CallError)
    return (
      <p role="alert" className="text-small text-danger">
        {scheduleProblem(error.error, text) ?? text.problems.cron(draft.cron)}
      </p>
    );
  return <DueTimes times={data?.next ?? []} zone={draft.zone} label={text.form.nextTimes} />;
}

interface DueTimesProps {
  /** ms epoch */
  readonly times: readonly number[];
  readonly zone: string;
  readonly label: string;
}

/** Times as the clock of the zone shows them. */
export function DueTimes({ times, zone, label }: DueTimesProps) {
  const { figures } = useFullMessages();
  const format = new Intl.DateTimeFormat(figures.locale === "en" ? "en-GB" : figures.locale, {
    timeZone: zone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (
    <ul aria-label={label} className="text-small text-ink-muted tabular-nums">
      {times.map((at) => (
        <li key={at}>{format.format(at)}</li>
      ))}
    </ul>
  );
}
