/** Rows of the status page: program and server, `config.yaml`, the home's disk space, the service. */
import {
  type ConfigStatus,
  type HomeStatus,
  isCertificateEnding,
  type RunningStatus,
  type ServiceState,
  type TlsStatus,
} from "@/lib/protocol/status-report";
import { isWarning } from "@/lib/settings/config-keys";
import { useFullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";
import { CopyButton } from "../../ui/controls/copy-button";
import { configProblemText } from "../config/config-problem-text";
import { StatusRow, StepLink } from "./status-row";

export function ProgramRow({
  status: { version, server },
}: {
  readonly status: Pick<RunningStatus, "version" | "server">;
}) {
  const { status: text } = useFullMessages();
  return (
    <>
      <StatusRow state="ok" name={text.program}>
        <p>{version}</p>
      </StatusRow>
      <StatusRow state="ok" name={text.server}>
        <p>{[server.address, text.process(String(server.pid))].join(" · ")}</p>
      </StatusRow>
    </>
  );
}

export function ConfigRow({ config: { path, problems, error } }: { readonly config: ConfigStatus }) {
  const messages = useFullMessages();
  const { status: text, config } = messages;
  const first = problems.find((problem) => !isWarning(problem)) ?? problems[0];
  const isBroken = error !== undefined || (first !== undefined && !isWarning(first));
  return (
    <StatusRow state={isBroken ? "broken" : "ok"} name={text.config}>
      <p className="font-mono text-code">{path}</p>
      {error !== undefined && <p className="text-ink">{messages.errors.sentences[error.code]}</p>}
      {first !== undefined && (
        <>
          <p className={isBroken ? "text-ink" : undefined}>
            {joinSentences(messages, [
              first.line > 0 ? config.file.line(first.line) : "",
              configProblemText(first, config.file),
            ])}
          </p>
          <StepLink path="/settings/yaml">{text.toConfig}</StepLink>
        </>
      )}
    </StatusRow>
  );
}

export function TlsRow({ tls }: { readonly tls: TlsStatus }) {
  const { status: text, figures } = useFullMessages();
  const isBroken = isTlsBroken(tls);
  return (
    <StatusRow state={isBroken ? "broken" : "ok"} name={text.https}>
      <p className="font-mono text-code">{tls.file}</p>
      {tls.problem !== undefined && <p className="text-ink">{text.certificateProblems[tls.problem]}</p>}
      <p className={isBroken ? "text-ink" : undefined}>
        {text.validUntil(figures.dateTime(tls.expiresAt))}
        {isBroken && tls.problem === undefined && ` ${text.renew}`}
      </p>
    </StatusRow>
  );
}

/** The user has to do something about the certificate. */
export const isTlsBroken = (tls: TlsStatus): boolean =>
  tls.problem !== undefined || isCertificateEnding(tls, Date.now());

export function DiskRow({ home: { path, bytes, isWritable } }: { readonly home: HomeStatus }) {
  const { status: text, figures } = useFullMessages();
  return (
    <StatusRow state={isWritable ? "ok" : "broken"} name={text.disk}>
      {isWritable ? (
        <p>
          <span className="font-mono text-code">{path}</span> · {figures.bytes(bytes)}
        </p>
      ) : (
        <p className="text-ink">{text.readOnly(path)}</p>
      )}
    </StatusRow>
  );
}

const serviceCommands: Readonly<Record<ServiceState["status"], string | null>> = {
  running: null,
  installed: "gopi-web serve --install",
  not_installed: "gopi-web serve --install",
  unsupported: "gopi-web serve",
};

export function ServiceRow({ service: { status, file } }: { readonly service: ServiceState }) {
  const { status: text, common } = useFullMessages();
  const command = serviceCommands[status];
  return (
    <StatusRow state={status === "running" ? "ok" : "off"} name={text.service}>
      <p>{text.serviceStates[status]}</p>
      {command !== null && (
        <div className="flex max-w-[34rem] items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3 text-ink">
          <code className="min-w-0 flex-1 overflow-x-auto text-code whitespace-nowrap">{command}</code>
          <CopyButton text={() => command} name={common.copy} doneName={common.copied} />
        </div>
      )}
      {file !== undefined && <p className="font-mono text-code">{file}</p>}
    </StatusRow>
  );
}
