"use client";
/** An error of the engine: its sentence, and on demand the text of the program that reported it. */
import type { AgentError } from "@/lib/events/error";
import type { EngineState } from "@/lib/models/engine";
import { useFullMessages } from "../../../messages/full-messages";
import { Disclosure, RawText } from "../../disclosure";
import { engineErrorText } from "./engine-texts";

interface EngineErrorProps {
  readonly error: AgentError;
  /** The program that is used. */
  readonly program?: EngineState["program"];
}

export function EngineError({ error, program }: EngineErrorProps) {
  const messages = useFullMessages();
  return (
    <div className="text-small">
      <p role="alert" className="text-danger">
        {engineErrorText(error, messages, program)}
      </p>
      {error.detail !== undefined && error.detail !== "" && (
        <Disclosure title={messages.common.details} className="mt-0.5">
          <RawText text={error.detail} />
        </Disclosure>
      )}
    </div>
  );
}
