"use client";
/** Test panel of a model: verdict first, then each step's measurements, then advice. Updates live while a test runs. */
import type { DoctorReport, LoadedModel, ModelInfo, WindowPlan } from "@/lib/models/models";
import { useClient } from "../../../state/client";
import { useServerState } from "../../../state/use-server-state";
import { Button } from "../../../ui/controls/button";
import { Spinner } from "../../../ui/indicators/spinner";
import { Time } from "../../../ui/text/time";
import { useFullMessages } from "../../../messages/full-messages";
import { joinSentences } from "../../../messages/join-sentences";
import { SettingGroup } from "../../fields/setting-row";
import { useChange } from "../../../state/use-change";
import { type DoctorAdvice, doctorAdvice, type TextToolMode } from "./doctor-advice";
import { AdviceList } from "./doctor-advice-list";
import { DoctorSteps } from "./doctor-steps";
import { type DoctorView, doctorView, verdictReason } from "./doctor-view";
import { VerdictChip } from "../../../ui/indicators/verdict-chip";

interface DoctorPanelProps {
  readonly model: ModelInfo;
  /** Id of the model's connection; absent = Ollama. */
  readonly connection?: string;
  readonly loaded: LoadedModel | undefined;
  readonly plan: WindowPlan | undefined;
  /** Whether a test can start; false while the server does not respond or the form has unsaved changes. */
  readonly canTest: boolean;
  readonly onWindow: (tokens: number) => void;
  readonly onToolMode: (mode: TextToolMode) => void;
}

export function DoctorPanel({ model, connection, loaded, plan, canTest, onWindow, onToolMode }: DoctorPanelProps) {
  const messages = useFullMessages();
  const text = messages.doctor;
  const { perform } = useChange("toast");
  const { serverState } = useClient();
  const run = useServerState("doctor");
  const view = doctorView(model.name, model.note, run);
  const { report, state } = view;
  const test = (): void => {
    void perform("models.doctor", { model: model.name, connection }).then((started) => {
      // Pushed updates may have arrived before this response and are newer than it.
      const wasPushed = serverState.get().doctor !== run;
      if (started !== undefined && !wasPushed) serverState.merge({ doctor: started });
    });
  };
  const advice: readonly DoctorAdvice[] =
    report === null || state === "running"
      ? []
      : doctorAdvice({
          report,
          model,
          isElsewhere: connection !== undefined,
          loaded,
          plan,
        });
  return (
    <SettingGroup title={text.title}>
      <div className="grid gap-3 py-3">
        <Verdict view={view} isBilled={model.cloud} onStop={() => void perform("models.cancel_doctor", {})} />
        {state !== "running" && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <Button
              look={report === null && canTest && view.other === null ? "primary" : "plain"}
              disabled={!canTest || view.other !== null}
              onClick={test}
            >
              {report === null ? text.test : text.testAgain}
            </Button>
            {view.other !== null && <p className="text-ink-muted">{text.other(view.other)}</p>}
            {report !== null && view.other === null && <LastTest report={report} />}
          </div>
        )}
        {view.steps.length > 0 && <DoctorSteps steps={view.steps} report={state === "running" ? null : report} />}
        {advice.length > 0 && <AdviceList advice={advice} onWindow={onWindow} onToolMode={onToolMode} />}
      </div>
    </SettingGroup>
  );
}

interface VerdictProps {
  readonly view: DoctorView;
  /** Each request may cost money. */
  readonly isBilled: boolean;
  readonly onStop: () => void;
}

function Verdict({ view, isBilled, onStop }: VerdictProps) {
  const messages = useFullMessages();
  const text = messages.doctor;
  const { report, state } = view;
  if (state === "running")
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="flex items-center gap-2">
          <Spinner className="text-accent" />
          {text.testing}
        </p>
        <Button onClick={onStop}>{text.stop}</Button>
      </div>
    );
  if (report === null)
    return (
      <div>
        <p>{state === "stopped" ? text.stopped : text.untested}</p>
        <p className="max-w-[64ch] text-ink-muted">
          {joinSentences(messages, [text.about, ...(isBilled ? [text.billed] : [])])}
        </p>
      </div>
    );
  const reason = verdictReason(report);
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
      <VerdictChip verdict={report.verdict} />
      <p className="min-w-0 flex-1 basis-64">
        <span className="font-medium">{text.sentences[report.verdict](messages.figures.tokens(report.numCtx))}</span>{" "}
        {reason !== null && <span className="text-ink-muted">{text.because[reason]}</span>}
      </p>
    </div>
  );
}

function LastTest({ report }: { readonly report: DoctorReport }) {
  const messages = useFullMessages();
  return (
    <p className="flex flex-wrap gap-x-1 text-small text-ink-muted">
      {messages.doctor.lastTest}
      <Time at={report.at} figures={messages.figures} />
      <span>{`· ${messages.doctor.took(messages.figures.duration(report.tookMs))}`}</span>
    </p>
  );
}
