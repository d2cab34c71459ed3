/** A folder the user opened. Sessions, rules, files and search belong to one. */
import type { ProjectId } from "./id";

export interface Project {
  readonly id: ProjectId;
  /** Absolute, links resolved. */
  readonly path: string;
  readonly name: string;
  /** ms epoch of the last time it was opened */
  readonly openedAt: number;
  /** ms epoch since when the user trusts it; null = not */
  readonly trustedAt?: number | null;
}
