"use client";
/** List of advice for running the model better; a window and a tool mode are applied with a button, variables are copied. */
import { Button } from "../../../ui/controls/button";
import { CopyButton } from "../../../ui/controls/copy-button";
import { useFullMessages, type FullMessages } from "../../../messages/full-messages";
import { type DoctorAdvice, kvCacheVariables, type TextToolMode } from "./doctor-advice";

interface AdviceListProps {
  readonly advice: readonly DoctorAdvice[];
  readonly onWindow: (tokens: number) => void;
  readonly onToolMode: (mode: TextToolMode) => void;
}

export function AdviceList({ advice, onWindow, onToolMode }: AdviceListProps) {
  const messages = useFullMessages();
  const text = messages.doctor.advice;
  return (
    <section aria-label={text.title}>
      <h3 className="mb-1.5 font-medium">{text.title}</h3>
      <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-raised">
        {advice.map((one) => (
          <li key={one.advice} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 py-2 pr-2 pl-3.5">
            <div className="min-w-0 flex-1 basis-72">
              <p>{adviceText(one, messages)}</p>
              {one.advice === "kvCache" && (
                <p className="mt-1 flex items-center gap-1">
                  <code className="min-w-0 rounded-mark bg-surface px-1.5 py-0.5 text-code [overflow-wrap:anywhere]">
                    {kvCacheVariables}
                  </code>
                  <CopyButton text={() => kvCacheVariables} name={text.copy} doneName={messages.common.copied} />
                </p>
              )}
            </div>
            {"tokens" in one && (
              <Button size="small" onClick={() => onWindow(one.tokens)}>
                {text.use(messages.figures.tokens(one.tokens))}
              </Button>
            )}
            {"mode" in one && (
              <Button size="small" onClick={() => onToolMode(one.mode)}>
                {text.use(text.textModes[one.mode])}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function adviceText(advice: DoctorAdvice, messages: FullMessages): string {
  const text = messages.doctor.advice;
  switch (advice.advice) {
    case "smallerWindow":
    case "shorterWindow":
      return text[advice.advice](messages.figures.tokens(advice.tokens));
    case "textTools":
      return text.textTools(text.textModes[advice.mode]);
    case "otherModel":
      return text.otherModel(advice.name);
    default:
      return text[advice.advice];
  }
}
