/**
 * The owner's access to the bytes of project files over HTTP. An image or a download is requested by the browser itself,
 * without the page's secret; a link stands for that secret: it is signed for one file and expires.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Result } from "@/lib/events/error";
import type { ProjectId } from "@/lib/events/id";
import { randomSecret } from "@/server/base/id";
import { ownerPath } from "@/server/security/paths/safe-path";
import type { Projects } from "@/server/workspace/projects/projects";
import type { FileBytes } from "@/server/workspace/workspace";

/** A file that is open while it is sent. */
export type RequestedFile = FileBytes;

/** Query of a link. */
export interface FileLink {
  readonly projectId: ProjectId;
  readonly path: string;
  /** ms epoch, as written in the link. */
  readonly until: string;
  readonly sign: string;
}

export interface OwnerFileAccess {
  /** Address of the file for this server's origin; valid for `fileLinkMs`. */
  link(projectId: ProjectId, path: string): string;
  /** Whether this server made the link and it has not expired. */
  isLink(link: FileLink): boolean;
  /** Calls `work` with the file while it is open. Fails as `Files.withBytes`, and with not_found for the project. */
  read<T>(file: Pick<FileLink, "projectId" | "path">, work: (file: RequestedFile) => Promise<T>): Promise<Result<T>>;
}

interface FileAccessOptions {
  readonly projects: Pick<Projects, "get">;
  readonly now: () => number;
}

/** Lifetime of a link, ms. */
export const fileLinkMs = 600_000;

export function makeFileAccess({ projects, now }: FileAccessOptions): OwnerFileAccess {
  const key = randomSecret();
  const digest = (projectId: ProjectId, path: string, until: string): Buffer =>
    createHmac("sha256", key)
      .update(JSON.stringify([projectId, path, until]))
      .digest();
  return {
    link(projectId, path) {
      const until = String(now() + fileLinkMs);
      const sign = digest(projectId, path, until).toString("base64url");
      return `/api/file?${new URLSearchParams({ project: projectId, path, until, sign }).toString()}`;
    },
    isLink({ projectId, path, until, sign }) {
      const [expected, received] = [digest(projectId, path, until), Buffer.from(sign, "base64url")];
      return received.length === expected.length && timingSafeEqual(received, expected) && Number(until) > now();
    },
    async read({ projectId, path }, work) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const safe = ownerPath(path === "" ? "." : path, "read", project.value.policy());
      return safe.ok ? project.value.files.withBytes(safe.value, work) : safe;
    },
  };
}
