/** A folder opened by the user; sessions, rules and files belong to a project. */
import type { ProjectId } from "../events/id";

export interface Project {
  readonly id: ProjectId;
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  readonly name: string;
  /** ms epoch of the last opening */
  readonly openedAt: number;
  /** ms epoch at which the user trusted it; null = not trusted */
  readonly trustedAt?: number | null;
  /** Top of the repository above the folder that the user agreed to use; null = none */
  readonly gitTop?: string | null;
  /** ms epoch; null = not pinned */
  readonly pinnedAt?: number | null;
  /** ms epoch at which the user removed it from the list; null = listed */
  readonly removedAt?: number | null;
}
