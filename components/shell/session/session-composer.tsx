"use client";
/** Composer of an open session, connected to its store, with the redo banner above it after a rewind. */
import { lazy, Suspense, useMemo } from "react";
import { countRedoMessages } from "@/lib/view/count-redo-messages";
import { optionalAttachments } from "@/lib/events/content";
import { parseUserCommand } from "@/lib/events/user-command";
import type { QueuedMessage } from "@/lib/events/event";
import { settingsDefaults } from "@/lib/settings/settings";
import { findPlan, formatPlanMessage } from "@/lib/view/checklist";
import { sessionActivity, type Entry, type SessionView } from "@/lib/view/view";
import type { ConversationActions } from "../../chat/actions";
import { Composer, type ComposerProps } from "../../chat/composer/composer";
import { storedReferences } from "../../chat/message/resent-attachments";
import { ContextRing } from "../../chat/context-usage/context-ring";
import { PlanPanel } from "../../chat/plan/plan-panel";
import { RewoundBanner } from "../../chat/conversation/rewound-banner";
import { useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import type { OpenSessionStore } from "../../state/session/open-session-store";
import { useConversationMessages } from "../../messages/conversation-messages";
import { useMessages } from "../../messages/messages";
import { sessionControl, sessionPins, useComposerControl } from "./composer-control";
import { composerState, ModeKeys, useModels } from "./composer-parts";
import { ownMessages } from "./echo-entries";
import { useImageStore } from "./image-store";
import { referenceStore } from "./reference-store";
import { useContextUse, useSessionModelMenu } from "./session-model";
import { toastError } from "../notices/toast-error";

const SessionPins = lazy(async () => ({ default: (await import("./session-pins")).SessionPins }));

/** Resolves with whether the message was sent; a failure is reported. */
type SendMessage = (...message: Parameters<OpenSessionStore["send"]>) => Promise<boolean>;

const WorkflowPanel = lazy(async () => ({
  default: (await import("../../chat/workflows/workflow-panel")).WorkflowPanel,
}));

interface SessionComposerProps {
  readonly store: OpenSessionStore;
  readonly view: SessionView;
  readonly entries: readonly Entry[];
  readonly isWaiting: boolean;
  readonly actions: ConversationActions;
  readonly handle: NonNullable<ComposerProps["handle"]>;
}

export function SessionComposer({ store, view, entries, isWaiting, actions, handle }: SessionComposerProps) {
  const client = useClient();
  const messages = useMessages();
  const { call, workbench } = client;
  const sessionId = store.id;
  const { isOnline, isStarting, settings = settingsDefaults, models } = useModels();
  const history = useMemo(() => ownMessages(entries), [entries]);
  const compact = actions.runControls?.compact ?? null;
  const modelMenu = useSessionModelMenu(store, view);
  const context = useContextUse(store, view, entries, compact);
  const reportError = (answer: { readonly ok: boolean; readonly error?: Parameters<typeof toastError>[2] }): void => {
    if (answer.error !== undefined) toastError(client, messages, answer.error);
  };
  const send: SendMessage = async (text, intent, attachments) => {
    const error = await store.send(text, intent, attachments);
    if (error !== null) toastError(client, messages, error);
    return error === null;
  };
  const showTree = (): void => workbench.showOverlay("tree");
  const onMode = (mode: SessionView["mode"]): void =>
    void call("session.update", { sessionId, commandId: newCommandId(), mode }).then((answer) => {
      if (!answer.ok && answer.error.code === "untrusted") workbench.showTrust(() => onMode(mode));
      else reportError(answer);
    });
  useComposerControl({
    composer: handle,
    modelMenu,
    setMode: onMode,
    send: (text) => void send(text, "prompt"),
    session: sessionControl(client, messages, view, actions),
    pins: actions.runControls === null ? null : sessionPins(client, messages, view),
  });
  const runCommand = async (text: string, queuedId?: QueuedMessage["id"]): Promise<boolean> => {
    const answer = await call("session.run_command", { sessionId, commandId: newCommandId(), text, queuedId });
    reportError(answer);
    return answer.ok;
  };
  const sendQueued = ({ id: queuedId, text, images, references, isCommand }: QueuedMessage): void => {
    if (isCommand === true && parseUserCommand(text) !== null) return void runCommand(text, queuedId);
    const attached = optionalAttachments({ images, references: storedReferences(queuedId, references) });
    const message = { text, ...attached, intent: "prompt" as const, queuedId };
    void call("session.send", { sessionId, commandId: newCommandId(), ...message }).then(reportError);
  };
  const images = useImageStore(modelMenu);
  const { projectId } = view;
  const references = useMemo(() => referenceStore(client, { projectId, sessionId }), [client, projectId, sessionId]);
  return (
    <>
      <RewindNotice view={view} actions={actions} />
      <ModeKeys mode={view.mode} onMode={onMode}>
        {view.workflow.length > 0 && (
          <Suspense>
            <WorkflowPanel sessionId={sessionId} entries={view.workflow} />
          </Suspense>
        )}
        <SessionPlan view={view} onSend={send} isOnline={isOnline} />
        {view.pins.length > 0 && (
          <Suspense>
            <SessionPins view={view} />
          </Suspense>
        )}
        <Composer
          draftKey={sessionId}
          isStarting={isStarting}
          state={composerState({
            isOnline,
            hasModel: modelMenu.model !== "" || models.length > 0,
            isRunning: view.run !== null,
            isWaiting,
          })}
          mode={view.mode}
          onMode={onMode}
          modelMenu={modelMenu}
          context={context !== null && <ContextRing {...context} />}
          sendKey={settings.sendKey}
          queue={view.queue}
          isSummarising={view.openCompaction !== null}
          onEditQueued={(queuedId, text) =>
            void call("session.requeue", { sessionId, commandId: newCommandId(), queuedId, text }).then(reportError)
          }
          onRemoveQueued={async (queuedId) => {
            const answer = await call("session.unqueue", { sessionId, commandId: newCommandId(), queuedId });
            reportError(answer);
            return answer.ok && answer.value.removed;
          }}
          onSendQueued={sendQueued}
          imageStore={images}
          referenceStore={references}
          onSend={send}
          onRunCommand={runCommand}
          onStop={() => void call("session.abort", { sessionId })}
          onTree={showTree}
          history={history}
          handle={handle}
        />
      </ModeKeys>
    </>
  );
}

interface SessionPlanProps {
  readonly view: SessionView;
  readonly isOnline: boolean;
  readonly onSend: SendMessage;
}

function SessionPlan({ view, isOnline, onSend }: SessionPlanProps) {
  const { plan: text } = useConversationMessages();
  const { entries, segments, newest, run } = view;
  const plan = useMemo(() => findPlan({ entries, segments, newest }), [entries, segments, newest]);
  if (plan === null) return null;
  const intent = run === null ? "prompt" : "steer";
  return (
    <PlanPanel
      key={view.sessionId}
      sessionId={view.sessionId}
      plan={plan}
      isRunning={run !== null}
      onChange={isOnline ? (items) => onSend(formatPlanMessage(text.lead, items), intent) : null}
    />
  );
}

function RewindNotice({ view, actions }: Pick<SessionComposerProps, "view" | "actions">) {
  const { branchControls, restoreFiles } = actions;
  const { left, newest } = view;
  const messages = useMemo(() => countRedoMessages(view), [view]);
  if (left === null || branchControls === null || sessionActivity(view) !== "idle") return null;
  const restore = restoreFiles === undefined ? {} : { onRestore: () => restoreFiles(newest) };
  return <RewoundBanner messages={messages} onRedo={() => branchControls.rewind(left)} {...restore} />;
}
