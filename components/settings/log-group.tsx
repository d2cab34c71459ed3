"use client";
/** The server's log since its start: its lines by level and text, its file, and a download. */
import { useState } from "react";
import type { LogLine } from "@/lib/protocol/answers";
import { useFullMessages } from "../messages/full-messages";
import { saveFile } from "../ui/browser/save-file";
import { Button } from "../ui/controls/button";
import { Segmented } from "../ui/controls/segmented";
import { TextField } from "../ui/controls/text-field";
import { Time } from "../ui/text/time";
import { VisibleText } from "../ui/text/visible-text";
import { SettingGroup } from "./fields/setting-row";
import { useCommandQuery } from "../state/use-command-query";

const levels = ["all", "error"] as const;
type Level = (typeof levels)[number];

const fits = ({ level, text }: LogLine, wanted: Level, filter: string): boolean =>
  (wanted === "all" || level === wanted) && text.toLowerCase().includes(filter.toLowerCase());

const formatLine = ({ at, level, text }: LogLine): string => `${new Date(at).toISOString()} ${level} ${text}\n`;

export function LogGroup() {
  const { log: text } = useFullMessages().settings;
  const [level, setLevel] = useState<Level>("all");
  const [filter, setFilter] = useState("");
  const query = useCommandQuery("app.log", {});
  if (query.data === undefined) return null;
  const { lines, errors, file } = query.data;
  const shown = lines.filter((line) => fits(line, level, filter)).toReversed();
  return (
    <SettingGroup title={text.title}>
      <div className="py-3 text-ink-muted">
        {text.about}
        {file !== null && (
          <>
            {` ${text.inFile} `}
            <code className="text-code [overflow-wrap:anywhere]">{file}</code>
          </>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 py-3">
        <Segmented
          name={text.level}
          value={level}
          options={levels.map((value) => ({ value, label: value === "all" ? text.all : text.errors(errors) }))}
          onChange={setLevel}
        />
        <TextField
          aria-label={text.filter}
          placeholder={text.filter}
          value={filter}
          className="min-w-40 flex-1"
          onChange={(event) => setFilter(event.target.value)}
        />
        <Button look="quiet" busy={query.isFetching} onClick={() => void query.refetch()}>
          {text.reload}
        </Button>
        <Button disabled={lines.length === 0} onClick={() => saveFile(lines.map(formatLine).join(""), "gopi-web.log")}>
          {text.download}
        </Button>
      </div>
      {shown.length === 0 ? (
        <p className="py-3 text-ink-muted">{lines.length === 0 ? text.empty : text.noMatch}</p>
      ) : (
        <LogLines lines={shown} />
      )}
    </SettingGroup>
  );
}

function LogLines({ lines }: { readonly lines: readonly LogLine[] }) {
  const { settings, common, figures } = useFullMessages();
  return (
    <ol
      aria-label={settings.log.title}
      tabIndex={0}
      className="max-h-[50dvh] divide-y divide-line overflow-y-auto font-mono text-code"
    >
      {lines.map(({ at, level, text }, index) => (
        <li key={`${at} ${lines.length - index}`} className="flex gap-3 py-1.5">
          <Time at={at} figures={figures} className="w-16 shrink-0 tablet:w-24 font-sans text-small text-ink-muted" />
          <span
            className={`min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere] ${level === "error" ? "text-danger" : ""}`}
          >
            <VisibleText text={text} names={common.hidden} />
          </span>
        </li>
      ))}
    </ol>
  );
}
