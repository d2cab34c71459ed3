/** Messages the server pushes to every signed-in client, in addition to the events of open sessions. */
import type { ConfigProblem } from "../settings/config-keys";
import type { ProjectId, SessionId } from "../events/id";
import type { Connection, DoctorRun, ModelServerState, PullState } from "../models/models";
import type { Rule } from "../permissions/policy";
import type { Project } from "../workspace/project";
import type { SessionRow } from "./session-row";
import type { NetworkState, Share } from "./share";
import type { Settings } from "../settings/settings";

export type Push =
  | { readonly type: "session_row"; readonly row: SessionRow }
  | { readonly type: "session_removed"; readonly sessionId: SessionId }
  | { readonly type: "project"; readonly project: Project }
  | { readonly type: "models"; readonly state: ModelServerState }
  | { readonly type: "pull"; readonly pull: PullState }
  | { readonly type: "doctor"; readonly run: DoctorRun }
  | { readonly type: "connections"; readonly connections: readonly Connection[] }
  | { readonly type: "settings"; readonly settings: Settings }
  /** `config.yaml` was read or written; an empty list = no problems. */
  | { readonly type: "config"; readonly problems: readonly ConfigProblem[] }
  /** `models.yaml` was read or written; per-model settings may have changed. */
  | { readonly type: "models_file"; readonly problems: readonly ConfigProblem[] }
  | { readonly type: "rules"; readonly projectId: ProjectId; readonly rules: readonly Rule[] }
  /** Files changed in these folders (relative); `gone` = the project folder no longer exists. */
  | {
      readonly type: "files";
      readonly projectId: ProjectId;
      readonly folders: readonly string[];
      readonly paths: readonly string[];
      readonly gone: boolean;
      readonly branch: string | null;
    }
  /** Events were dropped because this client read too slowly; it must reopen the session. */
  | { readonly type: "resync"; readonly sessionId: SessionId }
  /** All active share links with their viewers. */
  | { readonly type: "shares"; readonly shares: readonly Share[] }
  | { readonly type: "network"; readonly network: NetworkState }
  /** A device signed in, connected, disconnected or was revoked; the client must reload the list. */
  | { readonly type: "devices" }
  /** The trash changed; the client must reload it. */
  | { readonly type: "trash"; readonly projectId: ProjectId }
  /** The log cannot be written (disk full, locked); null = it can be written again. */
  | { readonly type: "store"; readonly error: { readonly code: string; readonly path: string } | null };
