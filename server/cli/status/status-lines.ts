/** Formats the state of the installation as lines of text: for each part that it is all right, or what to do next. Pure. */
import type { ChannelView } from "@/lib/channels/channels";
import type { AgentError } from "@/lib/events/error";
import { engineConnectionId } from "@/lib/models/engine";
import { certificateFailureText } from "@/server/base/certificate-texts";
import {
  type HostStatus,
  isCertificateEnding,
  isHostBroken,
  type ServiceState,
  type StatusReport,
} from "@/lib/protocol/status-report";
import { formatConfigProblem, isWarning } from "@/lib/settings/config-keys";
import { printable } from "../arguments/options";
import { cliErrorText } from "../cli-error-text";
import { formatBytes } from "../output/format-bytes";

interface StatusLine {
  readonly title: string;
  readonly text: string;
  /** The user has to do something about it. */
  readonly isBroken: boolean;
}

export const isBrokenStatus = (report: StatusReport): boolean => statusParts(report).some(({ isBroken }) => isBroken);

export const statusLines = (report: StatusReport): readonly string[] =>
  statusParts(report).map(({ title, text }) => `${printable(title).padEnd(titleWidth)}  ${printable(text)}`);

const titleWidth = 12;

const statusParts = (report: StatusReport): readonly StatusLine[] => [
  { title: "gopi-web", text: report.version, isBroken: false },
  serverLine(report),
  ...(report.hosts ?? []).map(hostLine),
  ...sessionLines(report),
  ...automationLines(report),
  ...(report.channels ?? []).map(channelLine),
  ...tlsLines(report),
  configLine(report),
  homeLine(report),
  serviceLine(report),
];

function serverLine({ server, version }: StatusReport): StatusLine {
  const title = "server";
  if (server === null) return { title, text: "stopped; start it with: gopi-web", isBroken: false };
  const { address, pid, responds } = server;
  if (!responds)
    return {
      title,
      text: `process ${pid} doesn't respond; stop it with: kill ${pid}, and start again`,
      isBroken: true,
    };
  const other = server.version === version ? "" : `, version ${server.version}; restart it to use ${version}`;
  return { title, text: `ok: ${address}, process ${pid}${other}`, isBroken: false };
}

function hostLine({ id, name, address, models, error, isOptional }: HostStatus): StatusLine {
  const title = name;
  const place = id === engineConnectionId ? "on this machine" : address;
  if (error === undefined)
    return {
      title,
      text:
        models.length === 0 && id === "ollama"
          ? `${place}: ${downloadStep}`
          : `ok: ${place}, ${formatCount(models.length, "model")}`,
      isBroken: false,
    };
  return isHostBroken({ error, isOptional })
    ? { title, text: `${place}: ${hostErrorText(id, error)}`, isBroken: true }
    : { title, text: `not running at ${address}, and not needed`, isBroken: false };
}

/** Why a model server has no list of models, and what to do. */
export const hostErrorText = (id: string, error: AgentError): string =>
  id === "ollama" || (error.code !== "server_unreachable" && error.code !== "timeout")
    ? cliErrorText(error)
    : "not responding; start it, or remove it in the settings under Connections";

const downloadStep = "no models; download one, for example: ollama pull qwen3:8b";

function sessionLines({ sessions }: StatusReport): readonly StatusLine[] {
  if (sessions === null) return [];
  const { working, waiting } = sessions;
  const waits =
    waiting === 0 ? "" : `, ${waiting} of them ${waiting === 1 ? "waits" : "wait"} for your answer in the browser`;
  return [{ title: "sessions", text: `ok: ${working} at work${waits}`, isBroken: false }];
}

function automationLines({ automations }: StatusReport): readonly StatusLine[] {
  if (automations === undefined || (automations.on === 0 && automations.paused.length === 0)) return [];
  const { on, paused } = automations;
  const text =
    paused.length === 0
      ? `ok: ${on} on`
      : `${on} on; paused after failures: ${paused.join(", ")}; see Settings, Automations`;
  return [{ title: "automations", text, isBroken: paused.length > 0 }];
}

function channelLine({ kind: title, connection }: ChannelView): StatusLine {
  switch (connection.kind) {
    case "off":
      return { title, text: "on, but without a token; see Settings, Channels", isBroken: true };
    case "connecting":
      return { title, text: "connecting", isBroken: false };
    case "online":
      return { title, text: `ok: online as ${connection.name}`, isBroken: false };
    case "waiting":
      return { title, text: `tries again: ${cliErrorText(connection.error)}`, isBroken: false };
    case "stopped":
      return { title, text: `stopped: ${cliErrorText(connection.error)}; see Settings, Channels`, isBroken: true };
  }
}

function tlsLines({ tls }: StatusReport): readonly StatusLine[] {
  if (tls === undefined) return [];
  const { file, problem, expiresAt } = tls;
  const title = "https";
  const until = new Date(expiresAt).toISOString().slice(0, 10);
  if (problem !== undefined) return [{ title, text: certificateFailureText({ file, problem }), isBroken: true }];
  return isCertificateEnding(tls, Date.now())
    ? [{ title, text: `${file} is valid until ${until}; renew it`, isBroken: true }]
    : [{ title, text: `ok: ${file}, valid until ${until}`, isBroken: false }];
}

function configLine({ config: { path, problems, error } }: StatusReport): StatusLine {
  const title = "config.yaml";
  if (error !== undefined) return { title, text: `${path}: ${cliErrorText(error)}`, isBroken: true };
  const first = problems.find((problem) => !isWarning(problem)) ?? problems[0];
  if (first === undefined) return { title, text: "ok", isBroken: false };
  const more = problems.length === 1 ? "" : ` (${problems.length - 1} more)`;
  return {
    title,
    text: `line ${first.line}: ${formatConfigProblem(first)}${more} Correct it in ${path}`,
    isBroken: !isWarning(first),
  };
}

function homeLine({ home: { path, bytes, isWritable } }: StatusReport): StatusLine {
  const text = isWritable
    ? `ok: ${path}, ${formatBytes(bytes)}`
    : `${path} can't be written; correct its permissions, or choose another folder with --home DIR`;
  return { title: "home", text, isBroken: !isWritable };
}

function serviceLine({ service: { status, file = "" } }: StatusReport): StatusLine {
  const texts: Readonly<Record<ServiceState["status"], string>> = {
    running: `ok: running, ${file}`,
    installed: `installed, not running; start it with: gopi-web serve --install (${file})`,
    not_installed: "not installed; to start the server when you log in: gopi-web serve --install",
    unsupported: "this system has no systemd and no launchd; have it run: gopi-web serve",
  };
  return { title: "service", text: texts[status], isBroken: false };
}

const formatCount = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
