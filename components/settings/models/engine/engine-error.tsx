"use client";
/** An error of the engine: its sentence, the next step of a failed download, and on demand the text of the program. */
import type { AgentError } from "@/lib/events/error";
import type { EngineState } from "@/lib/models/engine";
import { formatConfigKey } from "@/lib/settings/config-keys";
import type { SettingName } from "@/lib/settings/settings";
import { engineErrorText } from "../../../messages/engine-error-text";
import { useFullMessages } from "../../../messages/full-messages";
import { Disclosure, RawText } from "../../item-section/disclosure";
import { withBasePath } from "../../../state/base-path";

interface EngineErrorProps {
  readonly error: AgentError;
  /** Replaces the sentence of the engine's errors. */
  readonly sentence?: string;
  /** The program that is used. */
  readonly program?: EngineState["program"];
  /** The setting that names another server for what could not be downloaded. */
  readonly mirror?: Extract<SettingName, "engineMirror" | "modelHub">;
}

export function EngineError({ error, sentence, program, mirror }: EngineErrorProps) {
  const messages = useFullMessages();
  const { code, detail = "" } = error;
  const hasMirror = mirror !== undefined && (code === "download_failed" || code === "wrong_checksum");
  return (
    <div className="grid gap-1 text-small max-tablet:gap-0">
      <p role="alert" className="text-danger [overflow-wrap:anywhere]">
        {sentence ?? engineErrorText(error, messages, program)}
      </p>
      {hasMirror && (
        <a
          href={withBasePath(`/settings/model#${formatConfigKey(mirror)}`)}
          className="justify-self-start text-accent hover:underline max-tablet:py-2.5"
        >
          {messages.engine.useMirror}
        </a>
      )}
      {detail !== "" && (
        <Disclosure title={messages.common.details}>
          <RawText text={detail} />
        </Disclosure>
      )}
    </div>
  );
}
