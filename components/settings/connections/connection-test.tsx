/**
 * Result of a connection test: each step with its duration and error, and the models to choose from if none is
 * configured.
 */
import { Check, CircleDot, Minus, TriangleAlert, X } from "lucide-react";
import type { ConnectionCheck, ConnectionStep } from "@/lib/models/models";
import { anyFacts } from "@/lib/events/error";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { Spinner } from "../../ui/indicators/spinner";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure, RawText } from "../item-section/disclosure";

export type ConnectionTestState = "running" | ConnectionCheck;

const stepOrder = ["reach", "key", "model", "answer", "tools"] as const;

interface ConnectionTestProps {
  readonly test: ConnectionTestState;
  /** Tests with another model or base URL; absent where the connection is not editable. */
  readonly onTry?: (change: { readonly model: string } | { readonly baseUrl: string }) => void;
  /** Changes the connection to the Ollama server at this address; absent where the connection is not editable. */
  readonly onOllama?: (address: string) => void;
}

export function ConnectionTest({ test, onTry, onOllama }: ConnectionTestProps) {
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const { steps, ollama }: ConnectionCheck = test === "running" ? { steps: [] } : test;
  const { suggested: elsewhere } = anyFacts(steps.at(-1)?.error);
  return (
    <section aria-label={text.testTitle} className="mb-8">
      <p role="status" className="mb-2 flex items-center gap-2">
        {test === "running" ? (
          <>
            <Spinner className="text-accent" />
            {text.testing}
          </>
        ) : (
          <span className="font-medium">{testVerdictText(steps, text)}</span>
        )}
      </p>
      {ollama !== undefined && onOllama !== undefined && (
        <FoundServer text={text.ollamaFound} action={text.ollamaUse} onUse={() => onOllama(ollama)} />
      )}
      {typeof elsewhere === "string" && onTry !== undefined && (
        <FoundServer
          text={text.addressFound(elsewhere)}
          action={text.addressUse}
          onUse={() => onTry({ baseUrl: elsewhere })}
        />
      )}
      <ol className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
        {stepOrder.map((name) => {
          const step = steps.find((one) => one.step === name);
          return (
            <li key={name} className="px-3.5 py-2">
              <div className="flex items-start gap-2.5">
                <TestStepMark step={step} isRunning={test === "running"} />
                <div className="min-w-0 flex-1">
                  <p className={step === undefined ? "text-ink-muted" : ""}>{text.steps[name]}</p>
                  {step?.choices !== undefined && <ModelChoices models={step.choices} onTry={onTry} />}
                  {step?.error !== undefined && step.error.code !== "no_tools" && step.choices === undefined && (
                    <p className={isOptionalStep(step) ? "text-ask" : "text-danger"}>
                      {isUserWanted(step) ? text.userWanted : messages.errors.sentences[step.error.code]}
                    </p>
                  )}
                  {step?.detail !== undefined && (
                    <p className="text-ink-muted [overflow-wrap:anywhere]">{step.detail}</p>
                  )}
                  {step?.error?.detail !== undefined && (
                    <Disclosure title={messages.common.details} className="mt-1">
                      <RawText text={step.error.detail} />
                    </Disclosure>
                  )}
                </div>
                {step !== undefined && (
                  <span className="shrink-0 py-0.5 text-small text-ink-faint tabular-nums">
                    {messages.figures.duration(step.ms)}
                  </span>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface FoundServerProps {
  readonly text: string;
  readonly action: string;
  readonly onUse: () => void;
}

const FoundServer = ({ text, action, onUse }: FoundServerProps) => (
  <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-raised px-3.5 py-2.5">
    <p className="min-w-0 flex-1 basis-72 [overflow-wrap:anywhere]">{text}</p>
    <Button size="small" onClick={onUse}>
      {action}
    </Button>
  </div>
);

/** More buttons would push the other content off the screen. */
const maxShownChoices = 12;

function ModelChoices({
  models,
  onTry,
}: {
  readonly models: readonly string[];
  readonly onTry: ConnectionTestProps["onTry"];
}) {
  const { connectionSettings: text } = useFullMessages();
  const shown = models.slice(0, maxShownChoices);
  if (models.length === 0) return <p className="text-ink-muted">{text.enterModel}</p>;
  return (
    <>
      <p className="text-ink-muted">
        {onTry === undefined ? text.chooseInSession(models.length) : text.chooseModel(models.length)}
      </p>
      <ul className="mt-1.5 mb-1 flex flex-wrap gap-1.5">
        {shown.map((model) => (
          <li key={model} className="min-w-0">
            {onTry === undefined ? (
              <code className="font-mono text-code [overflow-wrap:anywhere]">{model}</code>
            ) : (
              <Button size="small" className="max-w-full font-mono" onClick={() => onTry({ model })}>
                <span className="cut">{model}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {onTry !== undefined && models.length > shown.length && (
        <p className="text-small text-ink-muted">{text.moreModels(models.length - shown.length)}</p>
      )}
    </>
  );
}

/** The server asked for Basic authentication, and the connection has no user name. */
export const isUserWanted = ({ error }: ConnectionStep): boolean =>
  error?.code === "key_refused" && error.facts?.wants === "user";

/** Without native tool calls the model still works: its calls are parsed from the text. */
const isOptionalStep = (step: ConnectionStep): boolean => step.step === "tools";

function TestStepMark({ step, isRunning }: { readonly step: ConnectionStep | undefined; readonly isRunning: boolean }) {
  const { connectionSettings: text } = useFullMessages();
  const place = "mt-0.5";
  if (step === undefined)
    return <Icon of={Minus} label={isRunning ? undefined : text.step.untried} className={`${place} text-ink-faint`} />;
  if (step.choices !== undefined)
    return <Icon of={CircleDot} label={text.step.waiting} className={`${place} text-ask`} />;
  if (step.ok) return <Icon of={Check} label={text.step.ok} className={`${place} text-accent`} />;
  return isOptionalStep(step) ? (
    <Icon of={TriangleAlert} label={text.step.failed} className={`${place} text-ask`} />
  ) : (
    <Icon of={X} label={text.step.failed} className={`${place} text-danger`} />
  );
}

function testVerdictText(
  steps: readonly ConnectionStep[],
  text: ReturnType<typeof useFullMessages>["connectionSettings"],
): string {
  const failed = steps.find((step) => !step.ok);
  if (failed === undefined) return text.testOk;
  if (failed.choices !== undefined) return text.testChoose;
  return isOptionalStep(failed) ? text.testNoTools : text.testFailed;
}
