"use client";
/** Consecutive reads in one line; expands to one line per read. */
import { BookOpen } from "lucide-react";
import { useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { CallId } from "@/lib/events/id";
import { baseName } from "@/lib/workspace/project-path";
import { DisclosureIcon } from "../../ui/indicators/disclosure-icon";
import { PathText } from "../../ui/text/path-text";
import type { CallWithSource } from "../conversation/conversation-items";
import { PathLink } from "./path-link";
import { summariseReads } from "./tool-facts";
import { ToolLine } from "./tool-line";

interface ReadsLineProps {
  readonly calls: readonly CallWithSource[];
  readonly open: boolean;
  readonly onToggle: () => void;
}

export function ReadsLine({ calls, open, onToggle }: ReadsLineProps) {
  const messages = useConversationMessages();
  const [opened, setOpened] = useState<CallId | null>(null);
  const { files, times } = summariseReads(calls.map(({ call }) => call));
  const lead = times === null ? messages.tools.reads(files.length) : messages.tools.did.read;
  const names = files.map(baseName).join(", ");
  return (
    <div className="text-base">
      <div className="group relative flex h-7 items-center gap-2 text-left text-ink-muted max-tablet:h-11">
        {/* The button's hit area is the whole row; the link lies above it. */}
        <button
          type="button"
          aria-expanded={open}
          aria-label={times === null ? `${lead} ${names}` : `${lead} ${files[0] ?? ""} ${messages.tools.times(times)}`}
          onClick={onToggle}
          className="flex shrink-0 items-center gap-2 outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <DisclosureIcon of={BookOpen} open={open} />
          <span className="font-medium text-ink">{lead}</span>
        </button>
        {times === null ? (
          <span className="min-w-0 cut text-small">{names}</span>
        ) : (
          <>
            <PathLink path={files[0] ?? ""} className="relative z-10 flex min-w-0 text-code">
              <PathText path={files[0] ?? ""} names={messages.common.hidden} />
            </PathLink>
            <span className="ml-auto shrink-0 pl-2 text-small tabular-nums">{messages.tools.times(times)}</span>
          </>
        )}
      </div>
      {open && (
        <div className="ml-6">
          {calls.map(({ call, ...written }) => (
            <ToolLine
              key={call.callId}
              call={call}
              {...written}
              open={opened === call.callId}
              onToggle={() => setOpened(opened === call.callId ? null : call.callId)}
            />
          ))}
        </div>
      )}
    </div>
  );
}
