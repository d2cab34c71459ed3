"use client";
/** Form fields of a connection, each with its problem below it. */
import type { CommandInput } from "@/lib/protocol/command";
import type { Connection, ConnectionPreset } from "@/lib/models/models";
import { isOllamaConnection } from "@/lib/models/ollama-connection";
import { windowSteps } from "@/lib/settings/model-settings";
import { Select } from "../../ui/controls/select";
import { TextField } from "../../ui/controls/text-field";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { type ConnectionDraft, type draftProblems, moveCredentials, type DraftProblem } from "./connection-draft";
import { Disclosure } from "../item-section/disclosure";
import { FormRow } from "../item-section/form-row";
import { KeyField } from "./key-field";
import { ModelField } from "./model-field";
import { RoutingFields } from "./routing-fields";
import { type KeyUse, keyUses } from "@/lib/models/key-use";

const nameExamples = { password: undefined, header: "X-Api-Key" } as const;

interface KeyUseFieldsProps {
  /** null = as a bearer token */
  readonly value: KeyUse | null;
  readonly problem: DraftProblem | undefined;
  readonly onChange: (value: KeyUse | null) => void;
}

/** Fields for the way in which a connection's key is sent. */
function KeyUseFields({ value, problem, onChange }: KeyUseFieldsProps) {
  const { connectionSettings: text } = useFullMessages();
  return (
    <>
      <FormRow label={text.keyUse} note={text.keyUseNote}>
        {(id, described) => (
          <Select
            id={id}
            aria-describedby={described}
            className="w-full"
            value={value?.as ?? "bearer"}
            options={(["bearer", ...keyUses] as const).map((use) => ({ value: use, label: text.keyUses[use] }))}
            onChange={(use) => onChange(use === "bearer" ? null : { as: use, name: "" })}
          />
        )}
      </FormRow>
      {value !== null && (
        <FormRow label={text.keyName[value.as]} note={text.keyNameNote[value.as]} problem={problem && text[problem]}>
          {(id, described) => (
            <TextField
              mono
              id={id}
              aria-describedby={described}
              autoComplete="off"
              value={value.name}
              maxLength={200}
              placeholder={nameExamples[value.as]}
              invalid={problem !== undefined}
              onChange={(event) => onChange({ ...value, name: event.target.value })}
            />
          )}
        </FormRow>
      )}
    </>
  );
}

const addressExamples = { ollama: "http://192.168.1.20:11434", openAi: "http://127.0.0.1:9931/v1" } as const;

const addressNote = (
  preset: ConnectionPreset | undefined,
  { baseUrlNote, baseUrlOther }: FullMessages["connectionSettings"],
): string => [baseUrlNote, ...(preset?.otherBaseUrls ?? []).map((url) => baseUrlOther(new URL(url).port))].join(" ");

export interface ConnectionFieldsProps {
  readonly draft: ConnectionDraft;
  readonly problems: ReturnType<typeof draftProblems>;
  /** Absent = not saved yet. */
  readonly connection: Connection | undefined;
  readonly preset: ConnectionPreset | undefined;
  /** Input of the save command; null = no changes, or invalid. */
  readonly input: CommandInput<"connections.save"> | null;
  /** The server asked for a user name. */
  readonly wantsUser: boolean;
  readonly onChange: (change: Partial<ConnectionDraft>) => void;
}

/** Whether a field that is rarely needed is in use, or has a problem to be seen. */
const hasAdvanced = (
  { keyUse, sessionHeader, atOnce }: ConnectionDraft,
  problems: ConnectionFieldsProps["problems"],
): boolean => keyUse !== null || sessionHeader.use !== "address" || atOnce !== "" || problems.atOnce !== undefined;

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, problems, connection, preset, input, wantsUser, onChange } = props;
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const isOllama = isOllamaConnection(draft);
  const tokens = [...new Set([0, ...windowSteps, draft.numCtx])];
  return (
    <div className="divide-y divide-line border-y border-line">
      <FormRow label={text.name} note={text.nameNote} problem={problems.name && text[problems.name]}>
        {(id, described) => (
          <TextField
            id={id}
            aria-describedby={described}
            value={draft.name}
            maxLength={80}
            invalid={problems.name !== undefined}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow
        label={isOllama ? text.host : text.baseUrl}
        note={isOllama ? text.hostNote : addressNote(preset, text)}
        problem={problems.baseUrl}
      >
        {(id, described) => (
          <TextField
            mono
            id={id}
            aria-describedby={described}
            inputMode="url"
            value={draft.baseUrl}
            maxLength={500}
            placeholder={isOllama ? addressExamples.ollama : addressExamples.openAi}
            onFocus={(event) => event.target.select()}
            invalid={problems.baseUrl !== undefined}
            onChange={(event) => onChange({ baseUrl: event.target.value })}
            onBlur={() => {
              const moved = moveCredentials(draft);
              if (moved !== null) onChange(moved);
            }}
          />
        )}
      </FormRow>
      <KeyField
        value={draft.key}
        stored={connection?.key ?? { from: "none" }}
        preset={preset}
        problem={problems.key}
        onChange={(key) => onChange({ key })}
      />
      <ModelField {...{ draft, connection, input, onChange }} />
      <FormRow
        label={text.temperature}
        note={text.temperatureNote}
        problem={problems.temperature && text[problems.temperature]}
      >
        {(id, described) => (
          <TextField
            id={id}
            aria-describedby={described}
            inputMode="decimal"
            value={draft.temperature}
            maxLength={8}
            invalid={problems.temperature !== undefined}
            className="tablet:max-w-28"
            onChange={(event) => onChange({ temperature: event.target.value })}
          />
        )}
      </FormRow>
      <FormRow label={text.window} note={isOllama ? text.hostWindowNote : text.windowNote}>
        {(id, described) => (
          <Select
            id={id}
            aria-describedby={described}
            className="w-full"
            value={String(draft.numCtx)}
            options={tokens.map((count) => ({
              value: String(count),
              label:
                count === 0
                  ? isOllama
                    ? text.hostWindow
                    : text.windowServer
                  : messages.settings.model.tokens(messages.figures.tokens(count)),
            }))}
            onChange={(count) => onChange({ numCtx: Number(count) })}
          />
        )}
      </FormRow>
      <Disclosure title={text.advanced} isOpen={hasAdvanced(draft, problems) || wantsUser} className="py-2.5">
        <KeyUseFields value={draft.keyUse} problem={problems.keyUse} onChange={(keyUse) => onChange({ keyUse })} />
        <RoutingFields {...{ draft, problems, onChange }} />
      </Disclosure>
    </div>
  );
}
