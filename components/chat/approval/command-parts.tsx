"use client";
/** The parts of a command with their effects, the riskiest first. */
import { useConversationMessages } from "../../messages/conversation-messages";
import { type CommandEffect, mergeAndSortParts } from "@/lib/permissions/command-effect";
import type { CommandPart } from "@/lib/events/tool-kind";
import { Chip, type Tone } from "../../ui/indicators/chip";
import { VisibleText } from "../../ui/text/visible-text";

const riskTone = { rule: "accent", refused: "danger" } as const satisfies Partial<Record<CommandPart["risk"], Tone>>;

/** Every command runs a program: that alone is not shown. */
type ShownEffect = Exclude<CommandEffect, "runs">;

const isShownEffect = (effect: CommandEffect): effect is ShownEffect => effect !== "runs";

const effectTone: Record<ShownEffect, Tone> = {
  elevates: "danger",
  writes_outside: "danger",
  force_pushes: "danger",
  discards: "danger",
  deletes: "danger",
  system: "danger",
  publishes: "ask",
  pushes: "ask",
  installs: "ask",
  stops: "ask",
  network: "ask",
  local_network: "ask",
  unclear: "ask",
  permissions: "ask",
  repository: "ask",
  writes: "ask",
  reads_outside: "ask",
  reads: "plain",
};

export function CommandParts({ parts }: { readonly parts: readonly CommandPart[] }) {
  const messages = useConversationMessages();
  const shown = mergeAndSortParts(parts);
  const [only] = shown;
  if (only === undefined) return null;
  if (shown.length === 1 && only.times === undefined)
    return only.effects === undefined || !hasChips(only) ? null : (
      <div aria-label={messages.approval.parts} role="group" className="border-t border-line px-3 py-2">
        <Effects part={only} />
      </div>
    );
  return (
    <ul aria-label={messages.approval.parts} className="max-h-[40dvh] overflow-y-auto border-t border-line px-3 py-1.5">
      {shown.map((part) => (
        <li key={part.text} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1">
          <code className="min-w-0 text-small whitespace-pre-wrap [overflow-wrap:anywhere] text-ink-muted">
            <VisibleText text={part.text} names={messages.common.hidden} />
            {part.times !== undefined && (
              <span className="ml-2 whitespace-nowrap">{messages.approval.times(part.times)}</span>
            )}
          </code>
          <Effects part={part} />
        </li>
      ))}
    </ul>
  );
}

const hasChips = ({ risk, effects = [] }: CommandPart): boolean =>
  risk === "rule" || risk === "refused" || effects.some(isShownEffect);

function Effects({ part: { risk, effects } }: { readonly part: CommandPart }) {
  const { approval } = useConversationMessages();
  return (
    <span className="flex flex-wrap gap-1">
      {effects?.filter(isShownEffect).map((effect) =>
        // Not on the list of commands known to be read-only: git, for example, can run programs from its settings.
        effect === "reads" && risk === "asks" ? (
          <Chip key={effect} tone="ask">
            {approval.usuallyReads}
          </Chip>
        ) : (
          <Chip key={effect} tone={effectTone[effect]}>
            {approval.effects[effect]}
          </Chip>
        ),
      )}
      {(risk === "rule" || risk === "refused") && <Chip tone={riskTone[risk]}>{approval.risk[risk]}</Chip>}
    </span>
  );
}
