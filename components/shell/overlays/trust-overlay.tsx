"use client";
/** Dialog with a folder's findings and the confirmation that trusts the folder. Loaded when it is first shown. */
import type { TrustFinding } from "@/lib/permissions/guard";
import type { ProjectId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import { useCommandQuery } from "../../state/use-command-query";
import { useStore } from "../../state/store";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { DialogPlaceholder } from "../../ui/overlays/lazy-dialog";
import { useFullMessages } from "../../messages/full-messages";
import type { OverlayContext } from "./overlay-registry";
import { sortByDanger, sendsInstructions } from "./trust-order";
import { ChangeError } from "../../settings/item-section/change-error";
import { useChange } from "../../state/use-change";

export const TrustOverlay = ({ place: { projectId }, close }: Pick<OverlayContext, "place" | "close">) =>
  projectId !== null && <TrustFolder projectId={projectId} onClose={close} />;

function TrustFolder({ projectId, onClose }: { readonly projectId: ProjectId; readonly onClose: () => void }) {
  const messages = useFullMessages();
  const text = messages.guard;
  const client = useClient();
  const view = useCommandQuery("project.open", { projectId }).data;
  const after = useStore(client.workbench, (state) => state.afterTrust);
  const { isBusy, error, perform } = useChange("inline");
  const trust = async (): Promise<void> => {
    if ((await perform("project.trust", { projectId, trusted: true })) === undefined) return;
    onClose();
    after?.();
  };
  if (view === undefined) return <DialogPlaceholder label={messages.common.loading} onClose={onClose} />;
  return (
    <Dialog
      title={text.trustTitle(view.project.name)}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{messages.shell.notNow}</Button>
          <Button look="primary" busy={isBusy} onClick={() => void trust()}>
            {text.trust}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>
          <code className="text-code break-all text-ink-muted">{view.project.path}</code>
        </p>
        <p>
          {text.trustNote}
          {view.findings.length > 0 && ` ${text.trustPrograms}`}
        </p>
        {sendsInstructions(view.findings) && <p>{messages.shell.guideSent}</p>}
        {after !== null && <p>{text.trustFull}</p>}
        <Findings findings={view.findings} />
        <ChangeError error={error} />
      </div>
    </Dialog>
  );
}

function Findings({ findings }: { readonly findings: readonly TrustFinding[] }) {
  const { guard: text } = useFullMessages();
  if (findings.length === 0) return <p className="text-ink-muted">{text.foundNothing}</p>;
  return (
    <section aria-label={text.found}>
      <h3 className="mb-1 font-medium">{text.found}</h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {sortByDanger(findings).map(({ kind, path, detail = "" }) => (
          <li key={`${kind} ${path} ${detail}`} className="px-3 py-2">
            <code className="text-code break-all">{path}</code>
            <span className="block text-ink-muted [overflow-wrap:anywhere]">{text.findings[kind](detail)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
