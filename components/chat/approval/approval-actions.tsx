"use client";
/** Buttons of an approval card. Only the first is a primary button; Enter never allows. */
import { Pencil } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { ApprovalView } from "@/lib/view/view";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { IconButton } from "../../ui/controls/icon-button";
import { KeyHint } from "../../ui/indicators/key-hint";
import { TextField } from "../../ui/controls/text-field";
import type { ApprovalAnswer } from "../actions";
import { type ApprovalChoice, findChoiceKey } from "./approval-choices";
import { formatRule, parseRule } from "./rule-text";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

export type ApprovalEditing = "rule" | "reason" | null;

interface ApprovalActionsProps {
  readonly approval: ApprovalView;
  readonly choices: readonly ApprovalChoice[];
  readonly editing: ApprovalEditing;
  readonly onEdit: (editing: ApprovalEditing) => void;
  readonly onAnswer: (answer: ApprovalAnswer) => void;
  readonly busy: boolean;
  /** It is the approval to be answered next: its first button is primary. */
  readonly isNext: boolean;
}

const preventEnter = (event: KeyboardEvent): void => {
  if (event.key === "Enter" && !isForInputMethod(event.nativeEvent)) event.preventDefault();
};

export function ApprovalActions(props: ApprovalActionsProps) {
  const { choices, editing } = props;
  if (editing === "reason") return <ReasonField {...props} />;
  if (editing === "rule") return <RuleField {...props} />;
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2.5 max-tablet:grid max-tablet:grid-cols-2">
      {choices.map((choice) => (
        <ChoiceButton key={choice} {...props} choice={choice} />
      ))}
    </div>
  );
}

function ChoiceButton({
  approval,
  choices,
  choice,
  onAnswer,
  onEdit,
  busy,
  isNext,
}: ApprovalActionsProps & { readonly choice: ApprovalChoice }) {
  const messages = useConversationMessages();
  const keyName = findChoiceKey(choice, choices);
  // A host or a tool is allowed as it is.
  const isEditable = approval.rule?.tool === "bash";
  const hint = keyName !== null && <KeyHint keys={keyName} />;
  switch (choice) {
    case "network":
      return (
        <Button
          look={isNext ? "primary" : "plain"}
          busy={busy}
          className="max-tablet:col-span-2"
          onKeyDown={preventEnter}
          onClick={() => onAnswer({ option: "network" })}
        >
          {messages.approval.network}
          {hint}
        </Button>
      );
    case "once":
      return (
        <Button
          look={isNext && !choices.includes("network") ? "primary" : "plain"}
          busy={busy}
          className={choices.includes("always") || choices.includes("edits") ? "max-tablet:col-span-2" : ""}
          onKeyDown={preventEnter}
          onClick={() => onAnswer({ option: "once" })}
        >
          {choices.includes("network") ? messages.approval.withoutNetwork : messages.approval.once}
          {hint}
        </Button>
      );
    case "always":
      return (
        <span className="inline-flex min-w-0 max-tablet:col-span-2">
          <Button
            disabled={busy}
            onKeyDown={preventEnter}
            className={classes("min-w-0 flex-1 shrink", isEditable && "rounded-r-none")}
            onClick={() => onAnswer(alwaysAnswer(approval))}
          >
            <span className="min-w-0 cut">
              {messages.approval.always}{" "}
              <code className="text-code font-normal">
                {approval.rule === undefined ? "" : formatRule(approval.rule)}
              </code>
            </span>
            {hint}
          </Button>
          {isEditable && (
            <IconButton
              icon={Pencil}
              name={messages.approval.rule}
              disabled={busy}
              className="rounded-l-none border border-l-0 border-line"
              onClick={() => onEdit("rule")}
            />
          )}
        </span>
      );
    case "edits":
      return (
        <Button
          disabled={busy}
          className="max-tablet:col-span-2"
          onKeyDown={preventEnter}
          onClick={() => onAnswer({ option: "edits" })}
        >
          {messages.approval.edits}
          {hint}
        </Button>
      );
    case "deny":
      return (
        <Button look="quiet" disabled={busy} onClick={() => onAnswer({ option: "deny" })}>
          {messages.approval.deny}
          {hint}
        </Button>
      );
    case "deny_why":
      return (
        <Button look="quiet" disabled={busy} onClick={() => onEdit("reason")}>
          {messages.approval.denyWhy}
          {hint}
        </Button>
      );
  }
}

export const alwaysAnswer = (approval: ApprovalView): ApprovalAnswer => ({
  option: "always",
  ...(approval.rule?.tool === "bash" ? { rule: { words: approval.rule.words, rest: approval.rule.rest } } : {}),
});

/** Esc returns to the buttons and does not propagate. */
const handleEscape =
  (back: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isForInputMethod(event.nativeEvent)) return;
    event.preventDefault();
    event.stopPropagation();
    back();
  };

const reasonMaxChars = 2_000;

function ReasonField({ onAnswer, onEdit, busy }: ApprovalActionsProps) {
  const messages = useConversationMessages();
  const [reason, setReason] = useState("");
  return (
    <form
      className="flex flex-wrap items-center gap-2 px-3 py-2.5"
      onKeyDown={handleEscape(() => onEdit(null))}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ option: "deny", ...(reason.trim() === "" ? {} : { reason: reason.trim() }) });
      }}
    >
      <TextField
        autoFocus
        value={reason}
        maxLength={reasonMaxChars}
        placeholder={messages.approval.reason}
        aria-label={messages.approval.reason}
        onChange={(event) => setReason(event.target.value)}
        className="min-w-48 flex-1"
      />
      <Button type="submit" busy={busy}>
        {messages.approval.sendReason}
      </Button>
      <Button look="quiet" disabled={busy} onClick={() => onEdit(null)}>
        {messages.common.cancel}
      </Button>
    </form>
  );
}

function RuleField({ approval, onAnswer, onEdit, busy }: ApprovalActionsProps) {
  const messages = useConversationMessages();
  const [text, setText] = useState(() => (approval.rule === undefined ? "" : formatRule(approval.rule)));
  const rule = parseRule(text);
  return (
    <div className="px-3 py-2.5" onKeyDown={handleEscape(() => onEdit(null))}>
      <div className="flex flex-wrap items-center gap-2">
        <TextField
          autoFocus
          mono
          value={text}
          invalid={rule === null}
          aria-label={messages.approval.rule}
          onChange={(event) => setText(event.target.value)}
          className="min-w-48 flex-1"
        />
        <Button
          disabled={rule === null}
          busy={busy}
          onKeyDown={preventEnter}
          onClick={() => rule !== null && onAnswer({ option: "always", rule })}
        >
          {messages.approval.saveRule}
        </Button>
        <Button look="quiet" disabled={busy} onClick={() => onEdit(null)}>
          {messages.common.cancel}
        </Button>
      </div>
      <p className="mt-1.5 text-small text-ink-muted">
        {rule === null ? messages.approval.ruleEmpty : messages.approval.ruleHelp}
      </p>
    </div>
  );
}
