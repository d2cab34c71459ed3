/** Skills in the form of agentskills.io: folders with a SKILL.md that tells the model how to do a kind of work. */
import type { AgentError } from "../events/error";

/** Why a skill cannot be used. */
export const skillProblemKinds = [
  "no_frontmatter",
  "unclosed_frontmatter",
  "frontmatter_large",
  "broken_yaml",
  "no_description",
  "too_large",
  "not_text",
  "unreadable",
] as const;
type SkillProblemKind = (typeof skillProblemKinds)[number];

/** Peculiarities of a skill that can be used. */
export const skillNoticeKinds = [
  "no_name",
  "bad_name",
  "long_name",
  "name_differs",
  "long_description",
  "long_compatibility",
  "quoted",
  "tabs",
  "duplicate_key",
  "alias",
  "not_text_value",
  "byte_order_mark",
  "line_ends",
  "file_name",
  "empty_body",
  "long_body",
  "hidden_characters",
  "comments",
  "allowed_tools",
  "same_name",
] as const;
type SkillNoticeKind = (typeof skillNoticeKinds)[number];

/** Problem with a folder of skills. `path` is the file or folder that has it. */
type SkillPlaceKind =
  | "link"
  | "loose_file"
  | "too_deep"
  | "too_many_folders"
  | "too_many_skills"
  | "unreadable_folder" /** `limit` = seconds. */
  | "no_answer";

export interface SkillWarning {
  readonly kind: SkillProblemKind | SkillNoticeKind;
  /** Line of SKILL.md, from 1. */
  readonly line?: number;
  /** A key, name or path. */
  readonly detail?: string;
  readonly count?: number;
  /** The limit that is exceeded. */
  readonly limit?: number;
}

export interface SkillPlaceWarning {
  readonly kind: SkillPlaceKind;
  readonly path: string;
  readonly limit?: number;
}

/** shadowed = another skill of this name comes first; unusable = its warnings have the reason. */
export type SkillStatus = "on" | "off" | "shadowed" | "unusable";

export interface SkillView {
  /** Its folder, as it was found. */
  readonly folder: string;
  /** Without `skill:`. */
  readonly name: string;
  /** In the words of its author. */
  readonly description: string;
  /** Requirements of the skill, in the words of its author; "" = none are stated. */
  readonly compatibility: string;
  readonly status: SkillStatus;
  /** Folder of the skill of this name that is used. */
  readonly shadowedBy?: string;
  /** Only the user puts it into use: the model does not get its line. */
  readonly isManual: boolean;
  /** Estimated tokens of its line in the catalogue and of its text. */
  readonly lineTokens: number;
  readonly textTokens: number;
  readonly warnings: readonly SkillWarning[];
}

/**
 * project = a folder of the project; data = the program's own folder; home = a folder that other agents read too; shipped =
 * part of the program.
 */
export type SkillPlaceName = "project" | "data" | "home" | "shipped";

export interface SkillPlaceView {
  readonly kind: SkillPlaceName;
  /** The folder whose folders are skills. */
  readonly path: string;
  readonly exists: boolean;
  /** Ordered by name. */
  readonly skills: readonly SkillView[];
  readonly warnings: readonly SkillPlaceWarning[];
}

export interface SkillsState {
  /** False = the folders of the project are not read. */
  readonly isTrusted: boolean;
  /** Why it is not known what the user switched off: all are off. Has the `path` of the file. */
  readonly problem?: AgentError;
  /** In the order in which a name is looked up. */
  readonly places: readonly SkillPlaceView[];
}

/** Files of a skill. */
export interface SkillContent {
  /** SKILL.md as it is. */
  readonly text: string;
  /** Paths in its folder; at most `filesMax`. */
  readonly files: readonly string[];
  /** Files that are not listed. */
  readonly moreFiles: number;
}
