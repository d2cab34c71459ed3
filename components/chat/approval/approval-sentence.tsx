"use client";
/** One-sentence description of a call. */
import type { ReactNode } from "react";
import type { ConversationMessages } from "../../messages/conversation-messages";
import type { CallView } from "@/lib/view/view";
import { isOwnSource } from "@/lib/tools/own-sources";
import type { CallPreview } from "@/lib/events/tool-kind";
import { VisibleText } from "../../ui/text/visible-text";
import { PathLink } from "../tools/path-link";

interface ApprovalSentenceParts {
  readonly lead: string;
  readonly target: string;
  /** The target if it is an existing file, with the line to open. */
  readonly file?: { readonly path: string; readonly line?: number };
}

type ExternalPreview = Extract<CallPreview, { kind: "external" }>;

/** Returns text and target separately, so that the target can be monospaced; adjacent, for screen readers. */
export function describeApproval(
  call: CallView,
  preview: CallPreview | undefined,
  messages: ConversationMessages,
): ApprovalSentenceParts {
  const { approval } = messages;
  switch (preview?.kind) {
    case "command":
      return { lead: approval.run, target: "" };
    case "diff": {
      const lines = Math.max(preview.added, preview.removed);
      return {
        lead: preview.created ? approval.create : lines === 0 ? approval.changeFile : approval.change(lines),
        target: preview.path,
        ...(preview.created ? {} : { file: toFileTarget(preview.path, preview.hunks[0]?.oldStart) }),
      };
    }
    case "delete":
      return preview.folder
        ? { lead: approval.removeFolder(preview.files), target: preview.path }
        : { lead: approval.remove, target: preview.path, file: toFileTarget(preview.path) };
    case "external":
      return { lead: ownLead(preview, approval) ?? approval.use(call.name), target: "" };
    case undefined:
      return { lead: approval.use(call.name), target: call.target };
  }
}

/** Returns the sentence for a tool of this program that asks; undefined = the tool is another program's. */
function ownLead({ source, tool }: ExternalPreview, { own }: ConversationMessages["approval"]): string | undefined {
  const leads: { readonly [tool: string]: string } = own;
  return isOwnSource(source) && Object.hasOwn(leads, tool) ? leads[tool] : undefined;
}

const toFileTarget = (path: string, line?: number): NonNullable<ApprovalSentenceParts["file"]> =>
  line === undefined || line < 1 ? { path } : { path, line };

export function ApprovalSentence({
  lead,
  target,
  file,
  messages,
}: ApprovalSentenceParts & { readonly messages: ConversationMessages }): ReactNode {
  const text = <VisibleText text={target} names={messages.common.hidden} />;
  const style = "text-code [overflow-wrap:anywhere]";
  if (target === "") return lead;
  return (
    <>
      {lead}{" "}
      {file === undefined ? (
        <code className={style}>{text}</code>
      ) : (
        <PathLink {...file} className={style}>
          {text}
        </PathLink>
      )}
    </>
  );
}
