"use client";
/** Page for a browser without a sign-in: asks the front door, if there is one, and else for a sign-in link. */
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useClient } from "../../state/client";
import { withBasePath } from "../../state/base-path";
import { type FrontDoorResult, leaveFor, signInAtFrontDoor } from "../../state/connection/front-door-sign-in";
import { signIn, type SignInResult, parseSignInToken } from "../../state/connection/sign-in";
import { Button } from "../../ui/controls/button";
import { CopyButton } from "../../ui/controls/copy-button";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { Logo } from "../frame/logo";

const startCommand = "npm start";
const pageOrigin = (): string => location.origin + withBasePath("/");
type SignInProblem = Exclude<SignInResult, "done"> | "noToken";

/** `result` = result of signing in with the token in the URL. */
export function SignInPage({ result }: { readonly result: SignInResult | null }) {
  const client = useClient();
  const [atDoor, setAtDoor] = useState<FrontDoorResult | null>(null);
  useEffect(() => {
    let isShown = true;
    const ask = async (): Promise<void> => {
      const found = await signInAtFrontDoor();
      if (!isShown) return;
      if (found.kind !== "done") return setAtDoor(found);
      client.connection.connect();
      // A browser that keeps no cookie is refused again.
      const answer = await client.call("devices.list", {});
      if (isShown && !answer.ok) setAtDoor({ kind: "failed", address: location.href });
    };
    void ask();
    return () => {
      isShown = false;
    };
  }, [client]);
  if (atDoor === null || atDoor.kind === "away") return <main aria-busy className="h-dvh bg-canvas" />;
  if (atDoor.kind === "failed") return <FrontDoorFailure address={atDoor.address} />;
  const problem = result === "done" ? null : result;
  return <SignInForm problem={problem ?? (atDoor.kind === "none" || atDoor.kind === "done" ? null : atDoor.kind)} />;
}

function FrontDoorFailure({ address }: { readonly address: string }) {
  const { signIn: text } = useFullMessages();
  return (
    <SignInFrame title={text.title} note={text.atDoor(new URL(address, location.href).host)}>
      <div className="mt-4">
        <Button look="primary" onClick={() => leaveFor(address)}>
          {text.submit}
        </Button>
      </div>
    </SignInFrame>
  );
}

function SignInFrame({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}) {
  return (
    <main className="grid h-dvh overflow-auto bg-canvas p-4">
      <div className="m-auto w-full max-w-[420px] animate-appear">
        <Logo large />
        <h1 className="mt-5 text-head font-semibold">{title}</h1>
        <p className="mt-2 text-ink-muted">{note}</p>
        {children}
      </div>
    </main>
  );
}

/** Explains how to get a sign-in link, and takes a pasted one. */
export function SignInForm({ problem: first }: { readonly problem: SignInProblem | null }) {
  const messages = useFullMessages();
  const client = useClient();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState(first);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const token = parseSignInToken(text);
    if (token === null) return setProblem("noToken");
    setBusy(true);
    const answer = await signIn(token);
    setBusy(false);
    setProblem(answer === "done" ? null : answer);
    if (answer === "done") client.connection.connect();
  };
  return (
    <SignInFrame title={messages.signIn.title} note={messages.signIn.note}>
      <div className="mt-3 flex items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3">
        <code className="flex-1 text-code">{startCommand}</code>
        <CopyButton text={() => startCommand} name={messages.common.copy} doneName={messages.common.copied} />
      </div>
      <form onSubmit={(event) => void submit(event)} className="mt-6">
        <label htmlFor="sign-in" className="mb-1 block text-small text-ink-muted">
          {messages.signIn.paste}
        </label>
        <div className="flex gap-2">
          <TextField
            id="sign-in"
            mono
            autoFocus
            value={text}
            invalid={problem !== null}
            aria-describedby={problem === null ? undefined : "sign-in-problem"}
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" look="primary" busy={isBusy} disabled={text.trim() === ""}>
            {messages.signIn.submit}
          </Button>
        </div>
        {problem !== null && (
          <p id="sign-in-problem" role="alert" className="mt-2 text-danger">
            {problem === "wrongOrigin" ? messages.signIn.wrongOrigin(pageOrigin()) : messages.signIn[problem]}
          </p>
        )}
      </form>
    </SignInFrame>
  );
}
