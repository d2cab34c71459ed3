/** What "Always allow" made, per project. Read at every decision, so the reading is prepared once. */
import type Database from "better-sqlite3";
import type { ProjectId, RuleId } from "@/lib/id";
import type { Rule } from "@/lib/policy";
import type { Project } from "@/lib/project";
import type { AskCatalogue } from "./ask-catalogue";
import { guarded } from "./store-error";

/** Throws (or rejects with) StoreError. */
export interface RuleStore {
  /** The rules of one project, oldest first. */
  list(projectId: ProjectId): Rule[];
  /** The same pattern twice in a project stays one rule: gives the one that is in force. */
  add(rule: Rule): Rule;
  /** Every rule with its project, for the settings page. */
  all(): Promise<{ readonly rule: Rule; readonly project: Project }[]>;
  remove(id: RuleId): Promise<boolean>;
}

type RuleRecord = Pick<Rule, "id" | "projectId" | "tool" | "createdAt"> & {
  readonly words: string;
  readonly rest: number;
};

export const createRules = (database: Database.Database, ask: AskCatalogue): RuleStore => {
  const ofProject = database.prepare<[ProjectId], RuleRecord>(
    `SELECT id, project_id AS projectId, tool, words, rest, created_at AS createdAt
     FROM rules WHERE project_id = ? ORDER BY created_at, id`,
  );
  const insert = database.prepare<[RuleId, ProjectId, string, string, number, number]>(
    "INSERT INTO rules (id, project_id, tool, words, rest, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );

  const list = (projectId: ProjectId): Rule[] => ofProject.all(projectId).map(toRule);
  const add = database.transaction((rule: Rule): Rule => {
    const known = list(rule.projectId).find((other) => patternOf(other) === patternOf(rule));
    if (known !== undefined) return known;
    const { id, projectId, tool, words, rest, createdAt } = rule;
    insert.run(id, projectId, tool, JSON.stringify(words), rest ? 1 : 0, createdAt);
    return rule;
  });

  return {
    list: (projectId) => guarded(database.name, () => list(projectId)),
    add: (rule) => guarded(database.name, () => add.immediate(rule)),
    all: () => ask((catalogue) => catalogue.allRules()),
    remove: (id) => ask((catalogue) => catalogue.removeRule(id)),
  };
};

const toRule = (record: RuleRecord): Rule => ({
  ...record,
  words: JSON.parse(record.words),
  rest: record.rest === 1,
});

const patternOf = ({ tool, words, rest }: Rule): string => JSON.stringify([tool, words, rest]);
