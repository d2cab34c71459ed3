"use client";
/** One connection: its form, its test, its end. A new one has no id until it is saved. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { AgentError } from "@/lib/error";
import type { Connection, ConnectionCheck, ConnectionPreset } from "@/lib/models";
import { isOllamaConnection, ollamaPreset } from "@/lib/ollama-connection";
import { useClient } from "../../state/client";
import { queries } from "../../state/queries";
import { Button } from "../../ui/button";
import { Chip } from "../../ui/chip";
import { useWords } from "../../words/words";
import { presetName } from "../../words/connection-name";
import { openItem } from "../opened";
import { useToldCall } from "../use-told-call";
import { ConnectionDoctor } from "./connection-doctor";
import {
  type ConnectionDraft,
  type DraftProblems,
  draftOf,
  draftProblems,
  isSame,
  refusedField,
  saveInput,
} from "./connection-draft";
import { ConnectionFields } from "./connection-fields";
import { ConnectionTest, type TestState } from "./connection-test";
import { RemoveConnection } from "./remove-connection";

/** Either one that is kept, or the preset and the first texts of a new one. */
export type ConnectionPageProps =
  | { readonly connection: Connection; readonly preset?: ConnectionPreset }
  | { readonly connection?: undefined; readonly preset: ConnectionPreset; readonly start: ConnectionDraft };

/** The model that a test without one took: the only one of its server. */
const onlyModel = ({ steps }: ConnectionCheck): string | undefined =>
  steps.find(({ step, error }) => step === "model" && error === undefined)?.detail;

export function ConnectionPage(props: ConnectionPageProps) {
  const { connection, preset } = props;
  const words = useWords();
  const text = words.connections;
  const call = useToldCall();
  const client = useClient();
  const { cache, toasts } = client;
  const settings = useQuery(queries.settings()).data;
  const form = useRef<HTMLFormElement>(null);
  const kept = props.connection === undefined ? props.start : draftOf(props.connection);
  // Only what was typed: a form that nobody touched follows a change from elsewhere.
  const [changes, setChanges] = useState<Partial<ConnectionDraft>>({});
  const draft: ConnectionDraft = { ...kept, ...changes };
  const [complaints, setComplaints] = useState(0);
  const isShowingProblems = complaints > 0;
  const [refused, setRefused] = useState<DraftProblems>({});
  const [busy, setBusy] = useState<"save" | "test" | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [test, setTest] = useState<TestState | null>(null);
  const isChanged = connection === undefined || !isSame(draft, kept);
  const problems = draftProblems(draft);
  const of = connection === undefined ? {} : { id: connection.id };
  const input = saveInput(draft, of);

  const change = (patch: Partial<ConnectionDraft>): void => {
    setChanges({ ...changes, ...patch });
    setSaved(false);
    setRefused({});
  };
  const complain = (error: AgentError): void => {
    const field = refusedField(error);
    setRefused(field ?? {});
    setComplaints(complaints + 1);
    if (field === null) toasts.show({ text: words.errors.sentences[error.code], look: "danger" });
  };

  /** The kept connection, after what was changed is saved; undefined when it could not be. */
  const save = async (): Promise<Connection | undefined> => {
    if (connection !== undefined && !isChanged) return connection;
    if (input === null) return void setComplaints(complaints + 1);
    const answer = await client.call("connections.save", input);
    if (!answer.ok) return void complain(answer.error);
    const saved = answer.value;
    cache.setQueryData(queries.connections().queryKey, (all = []) =>
      all.some((one) => one.id === saved.id) ? all.map((one) => (one.id === saved.id ? saved : one)) : [...all, saved],
    );
    void cache.invalidateQueries({ queryKey: ["connectionModels", saved.id] });
    setChanges(draftOf(saved));
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
  /** As it stands, saved or not. */
  const tryIt = async (tried: typeof input): Promise<void> => {
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
  /** It is still to be saved. */
  const beOllama = (baseUrl: string): void => {
    change({ preset: ollamaPreset, baseUrl });
    setTest(null);
  };
  const tryModel = (model: string): void => {
    change({ model });
    void tryIt(saveInput({ ...draft, model }, of));
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
            ? text.newTitle(isOllamaConnection(draft) ? text.ollama : presetName(preset, words))
            : connection.name}
        </h2>
        {isDefault && <Chip>{text.isDefault}</Chip>}
        {!isLocal && <Chip tone="ask">{text.cloud}</Chip>}
      </div>
      <p className={isLocal ? "mb-4 text-ink-muted" : "mb-4 max-w-[68ch]"}>
        {connection === undefined && preset?.id === "custom" ? text.customNote : isLocal ? text.localNote : text.leaves}
      </p>
      <ConnectionFields
        draft={draft}
        problems={isShowingProblems ? { ...refused, ...problems } : refused}
        connection={connection}
        preset={preset}
        input={isChanged ? input : null}
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
        <Button busy={busy === "test"} disabled={busy !== null} onClick={() => void tryIt(input)}>
          {text.test}
        </Button>
        {connection !== undefined && (
          <>
            {!isDefault && !isChanged && (
              <Button
                look="quiet"
                onClick={() => void call("settings.write", { patch: { connection: connection.id } })}
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
      {test !== null && <ConnectionTest test={test} onModel={tryModel} onOllama={beOllama} />}
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
