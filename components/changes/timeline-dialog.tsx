"use client";
/** Versions of a file before each logged change: each is compared with the file as it is, and restored with an undo. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ProjectId } from "@/lib/events/id";
import type { FileVersion, RestoreStep } from "@/lib/workspace/changes";
import { baseName } from "@/lib/workspace/project-path";
import { useFullMessages } from "../messages/full-messages";
import { useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import { useCommandQuery } from "../state/use-command-query";
import { LazyDiffView } from "../ui/code/lazy-diff-view";
import { Button } from "../ui/controls/button";
import { Icon } from "../ui/indicators/icon";
import { Skeleton } from "../ui/indicators/skeleton";
import { Dialog } from "../ui/overlays/dialog";
import { PlusMinus } from "../ui/text/plus-minus";
import { Time } from "../ui/text/time";
import { classes } from "../ui/theme/classes";

interface TimelineProps {
  readonly projectId: ProjectId;
  readonly path: string;
  readonly onClose: () => void;
}

export function TimelineDialog({ projectId, path, onClose }: TimelineProps) {
  const { changes, common } = useFullMessages();
  return (
    <Dialog wide title={changes.timeline.title(baseName(path))} closeName={common.close} onClose={onClose}>
      <Versions {...{ projectId, path, onClose }} />
    </Dialog>
  );
}

function Versions({ projectId, path, onClose }: TimelineProps): ReactNode {
  const { changes, common } = useFullMessages();
  const found = useCommandQuery("project.versions", { projectId, path }, { retry: false, gcTime: 0 });
  const [open, setOpen] = useState(0);
  if (found.isError) return <Failed onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Skeleton label={common.loading} className="h-20" />;
  const { versions } = found.data;
  if (versions.length === 0) return <p className="py-6 text-center text-ink-muted">{changes.timeline.none}</p>;
  return (
    <>
      <p className="mb-3 text-ink-muted">{changes.timeline.note}</p>
      <ul className="overflow-hidden rounded-card border border-line">
        {versions.map((version, index) => (
          <li key={`${version.sessionId} ${String(version.seq)}`} className="border-b border-line last:border-b-0">
            <VersionHead
              version={version}
              isOpen={open === index}
              onToggle={() => setOpen(open === index ? -1 : index)}
            />
            {open === index && <VersionBody {...{ version, path, onClose }} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function Failed({ onRetry }: { readonly onRetry: () => void }) {
  const { changes, common } = useFullMessages();
  return (
    <div className="flex items-center gap-3 py-4 text-ink-muted">
      {changes.timeline.failed}
      <Button onClick={onRetry}>{common.retry}</Button>
    </div>
  );
}

interface VersionHeadProps {
  readonly version: FileVersion;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function VersionHead({ version, isOpen, onToggle }: VersionHeadProps) {
  const { changes, figures } = useFullMessages();
  const { timeline } = changes;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-9 w-full items-center gap-2 px-2 py-1 text-left outline-offset-[-2px] hover:bg-hover max-tablet:min-h-11"
    >
      <Icon
        of={ChevronRight}
        size={14}
        className={classes("shrink-0 text-ink-faint transition-transform", isOpen && "rotate-90")}
      />
      <span className="min-w-0 flex-1">
        <span className="block cut">{timeline.before[version.by](version.title)}</span>
        {version.hasOtherChanges && <span className="block text-small text-ink-muted">{timeline.otherChanges}</span>}
      </span>
      <Time at={version.at} figures={figures} className="shrink-0 text-small text-ink-muted" />
      <span className="min-w-16 shrink-0 text-right text-small">
        {version.lines !== undefined && <PlusMinus {...version.lines} />}
      </span>
    </button>
  );
}

interface VersionBodyProps extends Pick<TimelineProps, "path" | "onClose"> {
  readonly version: FileVersion;
}

/** The effect of restoring a version, which is its difference from the file as it is. */
function VersionBody({ version, path, onClose }: VersionBodyProps): ReactNode {
  const { changes, common } = useFullMessages();
  const { timeline } = changes;
  const { sessionId, seq } = version;
  const target = { sessionId, toSeq: seq - 1, onlyPath: path };
  const plan = useCommandQuery("session.restore_preview", target, { retry: false, gcTime: 0 });
  const { isSending, restore } = useRestoreVersion(version, path, onClose);
  if (plan.isError) return <Failed onRetry={() => void plan.refetch()} />;
  if (plan.data === undefined) return <Skeleton label={changes.restore.looking} className="m-2 h-16" />;
  const step = plan.data.steps[0];
  if (step === undefined) return <p className="px-8 pb-3 text-small text-ink-muted">{timeline.same}</p>;
  return (
    <>
      {step.hunks !== undefined && step.hunks.length > 0 && (
        <LazyDiffView
          hunks={step.hunks}
          path={path}
          names={common.hidden}
          label={path}
          shape="unified"
          className="max-h-72 border-t border-line"
        />
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2 text-small text-ink-muted">
        <span className="min-w-40 flex-1">
          {step.lost === undefined ? timeline.will[step.action] : changes.restore.lost[step.lost]}
        </span>
        {step.lost === undefined && (
          <Button size="small" busy={isSending} onClick={() => void restore(step)}>
            {timeline.restore}
          </Button>
        )}
      </div>
    </>
  );
}

function useRestoreVersion({ sessionId, seq }: FileVersion, path: string, onDone: () => void) {
  const { changes, errors, files } = useFullMessages();
  const { call, toasts } = useClient();
  const [isSending, setSending] = useState(false);
  const request = (toSeq: number, overwrite?: RestoreStep) =>
    call("session.restore_files", {
      sessionId,
      commandId: newCommandId(),
      toSeq,
      conversation: false,
      paths: [path],
      // The difference shown includes the changes that are overwritten.
      ...(overwrite?.conflict === true ? { overwrite: [{ path, hash: overwrite.now }] } : {}),
    });
  const report = (answer: Awaited<ReturnType<typeof request>>): number | null => {
    const code = answer.ok ? answer.value.failed[0]?.code : answer.error.code;
    if (code !== undefined) toasts.show({ text: errors.sentences[code], look: "danger" });
    return code === undefined && answer.ok ? answer.value.seq : null;
  };
  const undo = async (restored: number): Promise<void> => {
    if (report(await request(restored - 1)) !== null) toasts.show({ text: changes.timeline.undone(path) });
  };
  const restore = async (step: RestoreStep): Promise<void> => {
    setSending(true);
    const restored = report(await request(seq - 1, step));
    setSending(false);
    if (restored === null) return;
    onDone();
    const action = { label: files.undo, onSelect: () => void undo(restored) };
    toasts.show({ text: changes.timeline.restored(path), action });
  };
  return { isSending, restore };
}
