/** The services of the server: built once by `compose-services.ts`, and passed whole to commands and features. */
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import type { ConfigService } from "@/server/config/config-file";
import type { ConfiguredModelAccess } from "@/server/config/open-model-access";
import type { CoreContext, SessionServices } from "@/server/session/core/services";
import type { SessionService } from "@/server/session/service/session-service";
import type { OpenProject, Projects } from "@/server/workspace/projects/projects";
import type { ToolEnvironments } from "@/server/workspace/projects/tool-environment";
import type { Sandbox } from "@/server/workspace/shell/sandbox";
import type { OwnerFileAccess } from "./project/file-access";
import type { OwnerFileArchives } from "./project/file-archives";

export interface CoreServices extends CoreContext {
  readonly sessions: SessionService;
  /** Services that sessions depend on. */
  readonly services: SessionServices;
  readonly access: ConfiguredModelAccess;
  readonly projects: Projects;
  readonly toolEnvironments: ToolEnvironments;
  readonly sandbox: Sandbox;
  /** The settings and their file. */
  readonly config: ConfigService;
  readonly fileAccess: OwnerFileAccess;
  readonly fileArchives: OwnerFileArchives;
  /** Resolves when the catalogue of a project has the tools of all features that offer some. */
  loadTools(projectId: ProjectId): Promise<void>;
  /** Opens the personal workspace; its first use creates it. */
  openWorkspace(): Promise<Result<OpenProject>>;
}
