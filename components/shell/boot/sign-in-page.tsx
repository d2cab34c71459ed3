"use client";
/** Page for a browser without a session cookie: explains how to get a sign-in link and has a field for it. */
import { type FormEvent, useState } from "react";
import { useClient } from "../../state/client";
import { withBasePath } from "../../state/base-path";
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
  const messages = useFullMessages();
  const client = useClient();
  const [text, setText] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<SignInProblem | null>(result === "done" ? null : result);
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
    <main className="grid h-dvh overflow-auto bg-canvas p-4">
      <div className="m-auto w-full max-w-[420px] animate-appear">
        <Logo large />
        <h1 className="mt-5 text-head font-semibold">{messages.signIn.title}</h1>
        <p className="mt-2 text-ink-muted">{messages.signIn.note}</p>
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
      </div>
    </main>
  );
}
