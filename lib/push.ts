/** What the server tells every signed-in client on its own, beside the events of open sessions. */
import type { ConfigProblem } from "./config-keys";
import type { ProjectId, SessionId } from "./id";
import type { Connection, DoctorRun, ModelServerState, PullState } from "./models";
import type { Rule } from "./policy";
import type { Project } from "./project";
import type { SessionRow } from "./session-row";
import type { NetworkState, Share } from "./share";
import type { Settings } from "./settings";

export type Push =
  | { readonly type: "session_row"; readonly row: SessionRow }
  | { readonly type: "session_removed"; readonly sessionId: SessionId }
  | { readonly type: "project"; readonly project: Project }
  | { readonly type: "models"; readonly state: ModelServerState }
  | { readonly type: "pull"; readonly pull: PullState }
  | { readonly type: "doctor"; readonly run: DoctorRun }
  | { readonly type: "connections"; readonly connections: readonly Connection[] }
  | { readonly type: "settings"; readonly settings: Settings }
  /** `config.yaml` was read or written; an empty list = all of it counts. */
  | { readonly type: "config"; readonly problems: readonly ConfigProblem[] }
  /** The same of `models.yaml`: what is set for single models may be something else now. */
  | { readonly type: "models_file"; readonly problems: readonly ConfigProblem[] }
  | { readonly type: "rules"; readonly projectId: ProjectId; readonly rules: readonly Rule[] }
  /** Something changed in these folders (relative); `gone` = the project folder is not there any more. */
  | {
      readonly type: "files";
      readonly projectId: ProjectId;
      readonly folders: readonly string[];
      readonly paths: readonly string[];
      readonly gone: boolean;
      readonly branch: string | null;
    }
  /** This client was too slow and was sent too little: it opens the session anew. */
  | { readonly type: "resync"; readonly sessionId: SessionId }
  /** The log cannot be written (disk full, locked); null = it can again. */
  /** All share links that are active, with who looks. */
  | { readonly type: "shares"; readonly shares: readonly Share[] }
  | { readonly type: "network"; readonly network: NetworkState }
  /** A device signed in, came, went or was revoked: ask for the list again. */
  | { readonly type: "devices" }
  /** What is in the trash changed: ask again. */
  | { readonly type: "trash"; readonly projectId: ProjectId }
  | { readonly type: "store"; readonly error: { readonly code: string; readonly path: string } | null };
