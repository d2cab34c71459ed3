"use client";
/** Editor of the rules of one profile: size, save, the original. */
import { useId, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Profile } from "@/lib/events/event";
import { promptBudgets, promptRulesMaxChars, type PromptsState } from "@/lib/models/prompts";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { joinSentences } from "../../messages/join-sentences";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { TextArea } from "../../ui/controls/text-area";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { Disclosure, RawText } from "../item-section/disclosure";
import { createKeptDrafts } from "../../state/kept-drafts";

/** The text that was changed, and the change. */
interface RulesDraft {
  readonly before: string;
  readonly text: string;
}

const useRulesDraft = createKeptDrafts<RulesDraft>();

interface PromptRulesEditorProps {
  readonly profile: Profile;
  readonly state: PromptsState;
  readonly disabledTools: readonly string[];
  readonly onSaved: (state: PromptsState) => void;
  readonly onReload: () => Promise<void>;
}

export function PromptRulesEditor({ profile, state, disabledTools, onSaved, onReload }: PromptRulesEditorProps) {
  const messages = useFullMessages();
  const { prompts: text } = messages;
  const { call, toasts } = useClient();
  const rules = state.rules[profile];
  const { initial, keep } = useRulesDraft(profile);
  const [draft, setDraftState] = useState(initial);
  const latest = useRef(initial);
  const setDraft = (next: RulesDraft | null): void => {
    latest.current = next;
    setDraftState(next);
    keep(next);
  };
  const [problem, setProblem] = useState<AgentError | null>(null);
  const [isSaving, setSaving] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const noteId = useId();
  const shown = draft?.text ?? rules.text;
  const isDirty = draft !== null && draft.text !== draft.before;
  const isOwn = rules.text !== rules.original;
  const hasConflict = problem?.code === "changed_meanwhile" || (isDirty && draft.before !== rules.text);
  const write = async (next: string | null): Promise<void> => {
    setSaving(true);
    const answer = await call("prompts.write", { profile, text: next, before: draft?.before ?? rules.text });
    setSaving(false);
    setProblem(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    // Rules typed while the draft was saved stay.
    const typed = latest.current;
    setDraft(typed === null || typed === draft ? null : { ...typed, before: answer.value.rules[profile].text });
    onSaved(answer.value);
    toasts.show({ text: text.saved });
  };
  const reload = async (): Promise<void> => {
    await onReload();
    setDraft(null);
    setProblem(null);
  };
  return (
    <div className="grid gap-2">
      <TextArea
        rows={16}
        value={shown}
        maxLength={promptRulesMaxChars}
        aria-label={text.rules}
        aria-describedby={noteId}
        onChange={(event) => setDraft({ before: draft?.before ?? rules.text, text: event.target.value })}
      />
      <PromptSize id={noteId} rules={shown} {...{ profile, state, disabledTools }} />
      {problem !== null && problem.code !== "changed_meanwhile" && (
        <p role="alert" className="text-danger">
          {messages.errors.sentences[problem.code]}
        </p>
      )}
      {hasConflict && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-ask">
          <p className="min-w-0 flex-1">{text.conflict}</p>
          <Button size="small" onClick={() => void reload()}>
            {text.reload}
          </Button>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" busy={isSaving} disabled={!isDirty || hasConflict} onClick={() => void write(shown)}>
          {text.save}
        </Button>
        {isDirty && (
          <Button look="quiet" onClick={() => setDraft(null)}>
            {text.discard}
          </Button>
        )}
        {isOwn && (
          <Button look="quiet" onClick={() => setAsking(true)}>
            {text.useShipped}
          </Button>
        )}
        {isOwn && <span className="text-small text-ink-muted">{text.changed}</span>}
      </div>
      {isOwn && (
        <>
          <p className="text-small text-ink-muted [overflow-wrap:anywhere]">{text.file(rules.path)}</p>
          <Disclosure title={text.showShipped}>
            <RawText text={rules.original} />
          </Disclosure>
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title={text.useShippedTitle}
          yes={text.useShipped}
          onYes={() => {
            setAsking(false);
            void write(null);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{joinSentences(messages, [text.useShippedNote])}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

interface PromptSizeProps extends Pick<PromptRulesEditorProps, "profile" | "state" | "disabledTools"> {
  readonly id: string;
  readonly rules: string;
}

/** Tokens of the rules, and of the whole prompt with native tool calls, beside what is recommended. */
function PromptSize({ id, rules, profile, state, disabledTools }: PromptSizeProps) {
  const messages = useFullMessages();
  const { prompts: text, figures } = messages;
  const own = estimateTokens(rules);
  const tools = state.tools.filter(({ name }) => !disabledTools.includes(name));
  const total = own + estimateTokens(state.calls.native) + tools.reduce((sum, { tokens }) => sum + tokens[profile], 0);
  const budget = promptBudgets[profile];
  const size = text.size(figures.number(own), figures.number(total), figures.number(budget));
  return (
    <p id={id} className={total > budget ? "text-small text-ask" : "text-small text-ink-muted"}>
      {joinSentences(messages, [size, ...(total > budget ? [text.tooLong] : [])])}
    </p>
  );
}
