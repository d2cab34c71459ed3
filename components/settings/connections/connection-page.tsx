"use client";
/** Page of one connection: form, test, removal. A new connection has no id until it is saved. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/events/error";
import type { Connection, ConnectionCheck, ConnectionPreset } from "@/lib/models/models";
import { isOllamaConnection, ollamaPreset } from "@/lib/models/ollama-connection";
import { useClient } from "../../state/client";
import { invalidateCommands } from "../../state/command-query";
import { useServerState } from "../../state/use-server-state";
import { Button } from "../../ui/controls/button";
import { Chip } from "../../ui/indicators/chip";
import { useFullMessages } from "../../messages/full-messages";
import { presetDisplayName } from "../../messages/connection-name";
import { openItem } from "../item-section/open-item";
import { useChange } from "../../state/use-change";
import { ConnectionDoctor } from "../models/doctor/connection-doctor";
import {
  type ConnectionDraft,
  type DraftProblems,
  toConnectionDraft,
  draftProblems,
  isSameDraft,
  serverFieldProblem,
  toSaveInput,
} from "./connection-draft";
import { ConnectionFields } from "./connection-fields";
import { ConnectionTest, type ConnectionTestState, isUserWanted } from "./connection-test";
import { RemoveItem } from "../item-section/remove-item";

interface RemoveConnectionProps {
  readonly connection: Connection;
  /** New sessions use it; after the removal they use Ollama. */
  readonly isDefault: boolean;
}

/** Button that removes a connection and its key after a confirmation that lists what is deleted. */
function RemoveConnection({ connection, isDefault }: RemoveConnectionProps) {
  const { connectionSettings: text } = useFullMessages();
  const { perform } = useChange("toast");
  const { serverState } = useClient();
  const remove = async (): Promise<boolean> => {
    const answer = await perform("connections.remove", { id: connection.id });
    if (answer === undefined) return false;
    if (isDefault) await perform("settings.write", { patch: { connection: "" } });
    const { connections = [] } = serverState.get();
    serverState.merge({ connections: connections.filter((one) => one.id !== connection.id) });
    return true;
  };
  return (
    <RemoveItem label={text.remove} title={text.removeTitle(connection.name)} yes={text.removeYes} remove={remove}>
      <p>{text.removeNote}</p>
    </RemoveItem>
  );
}

/** Either a stored connection, or preset and initial draft of a new one. */
type ConnectionPageProps =
  | { readonly connection: Connection; readonly preset?: ConnectionPreset }
  | { readonly connection?: undefined; readonly preset: ConnectionPreset; readonly start: ConnectionDraft };

/** Returns the model that a test without a configured model used: the server's only one. */
const onlyModel = ({ steps }: ConnectionCheck): string | undefined =>
  steps.find(({ step, error }) => step === "model" && error === undefined)?.detail;

export function ConnectionPage(props: ConnectionPageProps) {
  const { connection, preset } = props;
  const messages = useFullMessages();
  const text = messages.connectionSettings;
  const { perform } = useChange("toast");
  const client = useClient();
  const { cache, serverState, toasts } = client;
  const settings = useServerState("settings");
  const form = useRef<HTMLFormElement>(null);
  const stored = props.connection === undefined ? props.start : toConnectionDraft(props.connection);
  // Only the edited fields: an untouched form follows changes made elsewhere.
  const [changes, setChanges] = useState<Partial<ConnectionDraft>>({});
  const draft: ConnectionDraft = { ...stored, ...changes };
  const [complaints, setComplaints] = useState(0);
  const isShowingProblems = complaints > 0;
  const [refused, setRefused] = useState<DraftProblems>({});
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [test, setTest] = useState<ConnectionTestState | null>(null);
  const isChanged = connection === undefined || !isSameDraft(draft, stored);
  const problems = draftProblems(draft);
  const reference = connection === undefined ? {} : { id: connection.id };
  const input = toSaveInput(draft, reference);

  const change = (patch: Partial<ConnectionDraft>): void => {
    setChanges({ ...changes, ...patch });
    setSaved(false);
    setRefused({});
  };
  const complain = (error: AgentError): void => {
    const field = serverFieldProblem(error);
    setRefused(field ?? {});
    setComplaints(complaints + 1);
    if (field === null) toasts.show({ text: messages.errors.sentences[error.code], look: "danger" });
  };

  /** Saves the changes and returns the stored connection; undefined if saving failed. */
  const save = async (): Promise<Connection | undefined> => {
    if (connection !== undefined && !isChanged) return connection;
    if (input === null) return void setComplaints(complaints + 1);
    const answer = await client.call("connections.save", input);
    if (!answer.ok) return void complain(answer.error);
    const saved = answer.value;
    const { connections: all = [] } = serverState.get();
    const isNew = all.every((one) => one.id !== saved.id);
    serverState.merge({ connections: isNew ? [...all, saved] : all.map((one) => (one.id === saved.id ? saved : one)) });
    void invalidateCommands(cache, ["connections.models"], { id: saved.id });
    setChanges(toConnectionDraft(saved));
    setComplaints(0);
    setSaved(true);
    setTest(null);
    return saved;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy("save");
    const saved = await save();
    setBusy(null);
    if (saved !== undefined && connection === undefined) openItem(saved.id, "replace");
  };
  /** Tests the form's current values, saved or not. */
  const runTest = async (tried: typeof input): Promise<void> => {
    if (tried === null) return setComplaints(complaints + 1);
    setBusy("test");
    setTest("running");
    const answer = await client.call("connections.test", { draft: tried });
    setBusy(null);
    setTest(answer.ok ? answer.value : null);
    if (!answer.ok) return complain(answer.error);
    const only = tried.model === undefined || tried.model === "" ? onlyModel(answer.value) : undefined;
    if (only !== undefined) setChanges((now) => ({ ...now, model: now.model || only }));
  };
  /** Changes the draft to an Ollama connection, without saving it. */
  const switchToOllama = (baseUrl: string): void => {
    change({ preset: ollamaPreset, baseUrl });
    setTest(null);
  };
  const testWith = (patch: Partial<ConnectionDraft>): void => {
    change(patch);
    void runTest(toSaveInput({ ...draft, ...patch }, reference));
  };
  useEffect(() => {
    if (complaints > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [complaints]);
  const isDefault = connection !== undefined && settings?.connection === connection.id;
  const isLocal = connection?.local ?? preset?.local ?? true;
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
      <div className="mb-1 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere]">
          {connection === undefined
            ? text.newTitle(isOllamaConnection(draft) ? text.ollama : presetDisplayName(preset, messages))
            : connection.name}
        </h2>
        {isDefault && <Chip>{text.isDefault}</Chip>}
        {!isLocal && <Chip tone="ask">{text.cloud}</Chip>}
      </div>
      <p className={isLocal ? "mb-4 text-ink-muted" : "mb-4 max-w-[68ch]"}>
        {connection === undefined && preset?.id === "custom" ? text.customNote : isLocal ? text.localNote : text.leaves}
      </p>
      <ConnectionFields
        {...{ draft, connection, preset }}
        problems={isShowingProblems ? { ...refused, ...problems } : refused}
        input={isChanged ? input : null}
        wantsUser={test !== null && test !== "running" && test.steps.some(isUserWanted)}
        onChange={change}
      />
      <div className="flex flex-wrap items-center gap-2 py-4">
        <Button
          type="submit"
          look={isChanged ? "primary" : "plain"}
          busy={busy === "save"}
          disabled={busy !== null || !isChanged}
        >
          {text.save}
        </Button>
        <Button busy={busy === "test"} disabled={busy !== null} onClick={() => void runTest(input)}>
          {text.test}
        </Button>
        {connection !== undefined && (
          <>
            {!isDefault && !isChanged && (
              <Button
                look="quiet"
                onClick={() => void perform("settings.write", { patch: { connection: connection.id } })}
              >
                {text.makeDefault}
              </Button>
            )}
            <span role="status" className="flex-1 text-small text-ink-muted">
              {isSaved && <span className="animate-appear">{text.saved}</span>}
            </span>
            <RemoveConnection connection={connection} isDefault={isDefault} />
          </>
        )}
      </div>
      {test !== null && <ConnectionTest test={test} onTry={testWith} onOllama={switchToOllama} />}
      {connection !== undefined && connection.model !== "" && (
        <div className="mt-4">
          <ConnectionDoctor
            connection={connection}
            canTest={!isChanged && busy === null}
            onWindow={(numCtx) => setChanges({ ...changes, numCtx })}
          />
        </div>
      )}
    </form>
  );
}
