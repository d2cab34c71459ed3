/** The state of the installation, as `gopi-web status` and the settings page Status show it. JSON. */
import type { ChannelView } from "../channels/channels";
import type { AgentError } from "../events/error";
import type { ProjectId, SessionId } from "../events/id";
import type { ModelInfo } from "../models/models";
import type { ConfigProblem } from "../settings/config-keys";
import { dayMs } from "../time/duration";

/** A model server that the home has. */
export interface ModelHost {
  /** Id of the connection; `ollama` = the main model server. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly models: readonly ModelInfo[];
  /** Why it has no list. */
  readonly error?: AgentError;
  /** It is not needed: it is not configured, and there is another one. */
  readonly isOptional: boolean;
}

export interface HostStatus extends Omit<ModelHost, "models"> {
  /** Their names. */
  readonly models: readonly string[];
}

/** The user has to do something about it. */
export const isHostBroken = ({ error, isOptional }: Pick<ModelHost, "error" | "isOptional">): boolean =>
  error !== undefined && !isOptional;

export interface ServerStatus {
  readonly address: string;
  readonly pid: number;
  readonly version: string;
  /** False = it holds the home but does not answer. */
  readonly responds: boolean;
}

/** A session that waits for an answer to a card. */
interface WaitingSession {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly title: string;
  readonly cwd: string;
}

export interface SessionsStatus {
  /** Number of sessions that run or wait. */
  readonly working: number;
  /** Number of those that wait. */
  readonly waiting: number;
  /** Sessions that wait, the newest first; at most one page of the list of sessions. */
  readonly cards: readonly WaitingSession[];
}

export interface AutomationsStatus {
  /** Number of those that are switched on. */
  readonly on: number;
  /** Names of those that failures have paused. */
  readonly paused: readonly string[];
}

export interface ConfigStatus {
  readonly path: string;
  readonly problems: readonly ConfigProblem[];
  /** The file cannot be read. */
  readonly error?: AgentError;
}

export interface HomeStatus {
  readonly path: string;
  /** Size of all files in it. */
  readonly bytes: number;
  readonly isWritable: boolean;
}

/** State of the user's service that starts the server. */
export interface ServiceState {
  /** unsupported = this system has no service manager that is supported. */
  readonly status: "running" | "installed" | "not_installed" | "unsupported";
  /** The file that describes it. */
  readonly file?: string;
}

/** Why a certificate or its key cannot be used; other_key = the key is of another certificate. */
export type CertificateProblem = "missing" | "unreadable" | "not_certificate" | "not_key" | "other_key" | "expired";

/** Time before the end of a certificate in which its expiry is reported, ms. */
const certificateWarningMs = 14 * dayMs;

export interface TlsStatus {
  /** The certificate. */
  readonly file: string;
  /** ms epoch; of the certificate in use. */
  readonly expiresAt: number;
  /** Why the changed files are not used. */
  readonly problem?: CertificateProblem;
}

/** The user has to renew the certificate now; `now` is ms epoch. */
export const isCertificateEnding = ({ expiresAt }: Pick<TlsStatus, "expiresAt">, now: number): boolean =>
  expiresAt - now <= certificateWarningMs;

export interface StatusReport {
  readonly version: string;
  /** null = no server runs; what only a server has is null then, too. */
  readonly server: ServerStatus | null;
  readonly hosts: readonly HostStatus[] | null;
  readonly sessions: SessionsStatus | null;
  /** Absent = no server runs, or one of an older version. */
  readonly automations?: AutomationsStatus;
  /** Channels that are switched on, if the report is of the command line; the page requests them itself. */
  readonly channels?: readonly ChannelView[];
  /** Absent = plain http only. */
  readonly tls?: TlsStatus;
  readonly config: ConfigStatus;
  readonly home: HomeStatus;
  readonly service: ServiceState;
}

/** Report of a server that runs: the members that need one are not null. */
export interface RunningStatus extends StatusReport {
  /** `channels.list` returns what is known of them. */
  readonly hasChannels: boolean;
  readonly server: ServerStatus;
  readonly hosts: readonly HostStatus[];
  readonly sessions: SessionsStatus;
}
