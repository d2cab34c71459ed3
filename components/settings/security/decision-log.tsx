"use client";
/** Log of calls that ran or were refused. Loaded when it is opened. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LoggedDecision } from "@/lib/permissions/guard";
import { formatRulePattern } from "@/lib/permissions/policy";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { Segmented } from "../../ui/controls/segmented";
import { Skeleton } from "../../ui/indicators/skeleton";
import { Time } from "../../ui/text/time";
import { describeAnswerOrigin } from "../../messages/answer-origin";
import { useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";
import { withBasePath } from "../../state/base-path";
import { callValue } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

const decisionKinds = ["all", "allow", "refuse"] as const;

export function DecisionLog() {
  const { guard: text } = useFullMessages();
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingGroup title={text.log}>
      <p className="py-3 text-ink-muted">{text.logNote}</p>
      {isOpen ? (
        <OpenLog />
      ) : (
        <div className="py-3">
          <Button onClick={() => setOpen(true)}>{text.logShow}</Button>
        </div>
      )}
    </SettingGroup>
  );
}

function OpenLog() {
  const messages = useFullMessages();
  const text = messages.guard;
  const [kind, setKind] = useState<(typeof decisionKinds)[number]>("all");
  const filter = kind === "all" ? {} : { kind };
  const log = useInfiniteQuery({
    queryKey: ["decisions.list", filter],
    retry: false,
    initialPageParam: Number.MAX_SAFE_INTEGER,
    queryFn: ({ meta, pageParam }) => callValue({ meta }, "decisions.list", { ...filter, before: pageParam }),
    getNextPageParam: ({ more, decisions }) => (more ? (decisions.at(-1)?.id ?? null) : null),
  });
  const rows = log.data?.pages.flatMap(({ decisions }) => decisions) ?? [];
  return (
    <>
      <div className="py-3">
        <Segmented
          name={text.logKind}
          value={kind}
          options={decisionKinds.map((value) => ({ value, label: text.logKinds[value] }))}
          onChange={setKind}
        />
      </div>
      {log.isPending && <Skeleton label={messages.common.loading} className="my-3 h-6 w-2/3" />}
      {log.isError && (
        <p role="alert" className="flex items-center gap-2 py-3">
          {text.logFailed}
          <Button size="small" onClick={() => void log.refetch()}>
            {messages.common.retry}
          </Button>
        </p>
      )}
      {log.isSuccess && rows.length === 0 && <p className="py-3">{text.logEmpty}</p>}
      {rows.length > 0 && (
        <ol aria-label={text.log} className="divide-y divide-line">
          {rows.map((row) => (
            <LogRow key={row.id} row={row} />
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <div className="py-3">
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {text.logMore}
          </Button>
        </div>
      )}
    </>
  );
}

function LogRow({ row }: { readonly row: LoggedDecision }) {
  const messages = useFullMessages();
  const text = messages.guard;
  const rules = useCommandQuery("rules.list", {}).data?.rules ?? [];
  const rule = rules.find(({ id }) => id === row.rule);
  const because = rule === undefined ? row.detail : formatRulePattern(rule);
  return (
    <li data-decision={row.kind} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2">
      <Chip tone={row.kind === "refuse" ? "danger" : "plain"}>{row.kind === "refuse" ? text.refused : text.ran}</Chip>
      <span className="min-w-40 flex-1 [overflow-wrap:anywhere]">
        <span className="text-ink-muted">{row.tool}</span> <code className="text-code">{row.target}</code>
        <span className="block text-small text-ink-muted">
          {describeAnswerOrigin(row.origin, text) ?? text.reasons[row.reason]}
          {because !== undefined && (
            <>
              {" · "}
              <code>{because}</code>
            </>
          )}
          {" · "}
          {messages.composer.modes[row.mode].name}
        </span>
      </span>
      <a
        href={withBasePath(`/s/${row.sessionId}`)}
        aria-label={text.toSession}
        className="text-small text-ink-muted hover:text-ink"
      >
        <Time at={row.at} figures={messages.figures} />
      </a>
    </li>
  );
}
