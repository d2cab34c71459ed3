"use client";
/** A session before its first message: project, model state, starters and recent sessions. */
import {
  BookOpen,
  Brush,
  FilePen,
  FlaskConical,
  GitCommitHorizontal,
  ListChecks,
  type LucideIcon,
  SpellCheck,
  SquareTerminal,
  Type,
} from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../messages/messages";
import type { ProjectView } from "@/lib/protocol/answers";
import type { SessionId } from "@/lib/events/id";
import { isSettledStatus, type SessionRow } from "@/lib/protocol/session-row";
import { Icon } from "../../ui/indicators/icon";
import { StatusDot } from "../../ui/indicators/status-dot";
import { Time } from "../../ui/text/time";

type Starter = ProjectView["starters"][number];

export type ConcreteStarters = { readonly [S in Starter]?: string };

interface EmptyConversationProps {
  readonly projectName: string;
  /** The model's state in one line, or a first-run card. */
  readonly state: ReactNode;
  readonly starters: readonly Starter[];
  /** Words of starters that are known better than the usual ones. */
  readonly concrete: ConcreteStarters;
  /** Inserts the starter's text into the composer or sends it. */
  readonly onStarter: (text: string) => void;
  readonly recent: readonly SessionRow[];
  readonly onOpenSession: (id: SessionId) => void;
  /** Below everything else. */
  readonly children: ReactNode;
}

const icons: Record<Starter, LucideIcon> = {
  new: FilePen,
  explain: BookOpen,
  tests: SquareTerminal,
  write_tests: FlaskConical,
  types: Type,
  tidy: Brush,
  readme: FilePen,
  review: GitCommitHorizontal,
  summarize: ListChecks,
  proofread: SpellCheck,
};
const recentMax = 4;

export function EmptyConversation({
  projectName,
  state,
  starters,
  concrete,
  onStarter,
  recent,
  onOpenSession,
  children,
}: EmptyConversationProps) {
  const messages = useMessages();
  return (
    <div className="@container min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable_both-edges]">
      {/* Not centred by its height: what arrives later does not move what is above it. */}
      <div className="mx-auto max-w-[608px] animate-appear px-4 pt-[min(7vh,64px)] pb-6 @lg:px-6 max-tablet:px-3 max-tablet:pt-6">
        <h1 className="mb-1 text-head font-semibold [overflow-wrap:anywhere]">{projectName}</h1>
        <div className="text-ink-muted">{state}</div>
        {starters.length > 0 && (
          <ul className="mt-5 grid gap-2">
            {starters.slice(0, 3).map((starter) => {
              const text = concrete[starter] ?? messages.chat.empty.starters[starter];
              return (
                <li key={starter}>
                  <button
                    type="button"
                    title={text}
                    onClick={() => onStarter(text)}
                    className="flex min-h-11 w-full items-center gap-2.5 rounded-card border border-line bg-raised px-3.5 py-2 text-left transition-colors hover:border-ink-faint/60 active:bg-hover"
                  >
                    <Icon of={icons[starter]} className="text-ink-faint" />
                    <span className="min-w-0 cut">{text}</span>
                  </button>
                </li>
              );
            })}
          </ul>
        )}
        {recent.length > 0 && (
          <section className="mt-6">
            <h2 className="mb-1 text-small font-medium text-ink-muted">{messages.chat.empty.recent}</h2>
            <ul>
              {recent.slice(0, recentMax).map((row) => (
                <li key={row.id}>
                  <button
                    type="button"
                    onClick={() => onOpenSession(row.id)}
                    className="-mx-2 flex h-7 w-[calc(100%+16px)] items-center gap-2 rounded-control px-2 text-left hover:bg-hover active:bg-pressed max-tablet:h-11"
                  >
                    <span className="min-w-0 flex-1 cut">
                      {row.title === "" ? messages.sessions.untitled : row.title}
                    </span>
                    {!isSettledStatus(row.status) && (
                      <StatusDot status={row.status} label={messages.sessions.status[row.status]} />
                    )}
                    <Time at={row.updatedAt} figures={messages.figures} className="text-small text-ink-muted" />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {children}
      </div>
    </div>
  );
}
