"use client";
/** Test of a search engine: one search now, and how it went. */
import { useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { WebProviderState, WebTest } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { classes } from "../../ui/theme/classes";
import { isReady } from "./is-ready";

type Outcome = WebTest | { readonly ok: false; readonly error: AgentError };

interface EngineTestProps {
  readonly provider: WebProviderState;
  /** The address in the field is another than the one that is stored and tested. */
  readonly isUnsaved: boolean;
}

export function EngineTest({ provider, isUnsaved }: EngineTestProps) {
  const messages = useFullMessages();
  const { web: text, figures, errors } = messages;
  const { call } = useClient();
  const [test, setTest] = useState<"none" | "running" | Outcome>("none");
  const name = text.names[provider.id];
  const run = async (): Promise<void> => {
    setTest("running");
    const answer = await call("web.test", { provider: provider.id });
    setTest(answer.ok ? answer.value : { ok: false, error: answer.error });
  };
  const sentence = (outcome: Outcome): string => {
    if (outcome.ok)
      return outcome.hits === 0
        ? text.testedNone(figures.duration(outcome.ms))
        : text.tested(outcome.hits, figures.duration(outcome.ms));
    if ("error" in outcome) return errors.sentences[outcome.error.code];
    return text.failures[outcome.failure.reason](name, outcome.failure.detail);
  };
  return (
    <>
      <Button
        aria-label={text.testOf(name)}
        busy={test === "running"}
        disabled={isUnsaved || !isReady(provider)}
        onClick={() => void run()}
      >
        {text.test}
      </Button>
      <p
        role="status"
        className={classes(
          "basis-full [overflow-wrap:anywhere] empty:hidden",
          typeof test === "object" && !test.ok ? "text-danger" : "text-ink-muted",
        )}
      >
        {typeof test === "object" ? sentence(test) : ""}
      </p>
    </>
  );
}
