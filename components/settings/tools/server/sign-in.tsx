"use client";
/** Signing in to a server: the address to open with its host made plain, and a field for the address that follows it. */
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { Button } from "../../../ui/controls/button";
import { OutsideLink } from "../../../ui/controls/outside-link";
import { TextField } from "../../../ui/controls/text-field";
import { Disclosure, RawText } from "../../item-section/disclosure";
import { mcpErrorText } from "../mcp-error-text";
import type { ServerPartProps } from "./server-page";

export function SignIn({ server, project }: ServerPartProps) {
  const messages = useFullMessages();
  const { mcp: text } = messages;
  const { call } = useClient();
  const [address, setAddress] = useState<string | null>(null);
  const [error, setError] = useState<AgentError | null>(null);
  const [isPreparing, setIsPreparing] = useState(false);
  const prepare = async (): Promise<void> => {
    setIsPreparing(true);
    const { id, launchHash: launch } = server;
    const answer = await call("mcp.sign_in", { projectId: project.id, server: id, launch });
    setIsPreparing(false);
    setError(answer.ok ? null : answer.error);
    setAddress(answer.ok ? answer.value.address : null);
  };
  return (
    <section aria-label={text.signInTitle} className="overflow-hidden rounded-card border border-ask/60 bg-raised">
      <h3 className="border-b border-ask/40 bg-ask-soft px-3.5 py-2 font-medium">{text.signInTitle}</h3>
      <div className="grid gap-3 p-3.5 *:min-w-0">
        {address === null ? (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-72 text-pretty text-ink-muted [overflow-wrap:anywhere]">
              {server.missingScope === undefined ? text.signInNote : text.scopeNote(server.missingScope)}
            </p>
            <Button look="primary" busy={isPreparing} onClick={() => void prepare()}>
              {text.signIn}
            </Button>
          </div>
        ) : (
          <OpenSignIn address={address} isPreparing={isPreparing} onAgain={() => void prepare()} onFailed={setError} />
        )}
        {error !== null && (
          <p role="alert" className="text-small text-danger [overflow-wrap:anywhere]">
            {mcpErrorText(error, messages)}
          </p>
        )}
      </div>
    </section>
  );
}

interface OpenSignInProps {
  readonly address: string;
  readonly isPreparing: boolean;
  /** Prepares another address: one is valid for ten minutes. */
  readonly onAgain: () => void;
  /** Gets why a pasted address was not accepted; null = it was. */
  readonly onFailed: (error: AgentError | null) => void;
}

function OpenSignIn({ address, isPreparing, onAgain, onFailed }: OpenSignInProps) {
  const { mcp: text } = useFullMessages();
  const { host, protocol } = new URL(address);
  return (
    <>
      <p className="max-w-[68ch] text-pretty text-ink-muted">{text.signInAt}</p>
      <p className="font-mono text-title [overflow-wrap:anywhere]">
        <span className="text-ink-muted">{protocol}//</span>
        <span className="font-semibold">{host}</span>
      </p>
      <div className="flex flex-wrap gap-2">
        <OutsideLink href={address}>{text.openSignIn(host)}</OutsideLink>
        <Button look="quiet" busy={isPreparing} onClick={onAgain}>
          {text.signInAgain}
        </Button>
      </div>
      <Disclosure title={text.signInAddress}>
        <RawText text={address} />
      </Disclosure>
      <Disclosure title={text.signInElsewhere}>
        <PasteReturn onFailed={onFailed} />
      </Disclosure>
    </>
  );
}

function PasteReturn({ onFailed }: Pick<OpenSignInProps, "onFailed">) {
  const { mcp: text } = useFullMessages();
  const { call } = useClient();
  const [pasted, setPasted] = useState("");
  const [isSending, setIsSending] = useState(false);
  const finish = async (): Promise<void> => {
    setIsSending(true);
    const answer = await call("mcp.finish_sign_in", { address: pasted.trim() });
    setIsSending(false);
    onFailed(answer.ok ? (answer.value.error ?? null) : answer.error);
  };
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void finish();
      }}
    >
      <p className="max-w-[68ch] text-pretty text-ink-muted">{text.signInPasteNote}</p>
      <div className="flex flex-wrap gap-2">
        <TextField
          mono
          value={pasted}
          aria-label={text.signInPasteField}
          onChange={(event) => setPasted(event.target.value)}
          className="min-w-0 flex-1 basis-72"
        />
        <Button type="submit" busy={isSending} disabled={pasted.trim() === ""}>
          {text.finishSignIn}
        </Button>
      </div>
    </form>
  );
}
