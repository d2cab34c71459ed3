/** Where source control leads to: what shows other projects and sessions is passed in. */
import type { ProjectId, SessionId } from "@/lib/events/id";

export interface SourceLinks {
  /** Shows a new session in a project, with a command in its message field; "" = none. */
  readonly onProject: (projectId: ProjectId, command: string) => void;
  readonly onSession: (sessionId: SessionId) => void;
}
