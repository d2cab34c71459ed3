/**
 * Permission rules of each project. Statements are prepared once and rules cached, since they are read at every
 * decision.
 */
import type Database from "better-sqlite3";
import type { ProjectId, RuleId } from "@/lib/events/id";
import {
  formatRulePattern,
  type PathPattern,
  type PermissionPattern,
  type Rule,
  type RuleEffect,
} from "@/lib/permissions/policy";
import { withStoreErrors, StoreError } from "../core/store-error";

/** Throws StoreError. */
export interface RuleStore {
  /** The rules of one project, oldest first. */
  list(projectId: ProjectId): Rule[];
  /** Adds a rule; if the project already has its pattern, returns the existing rule. */
  add(rule: Rule): Rule;
  /**
   * Writes a rule from the settings. Overwrites the rule with its id, else the one with its pattern; that rule's id and
   * date are retained. undefined = the id belongs to another project.
   */
  save(rule: Rule): Rule | undefined;
  get(id: RuleId): Rule | undefined;
  /** The rules of all projects, by the name of the project. */
  all(): Rule[];
  remove(id: RuleId): boolean;
}

/** A row; `words` and `rest` are for bash, `access` and `glob` for files; other kinds have their pattern in `words`. */
interface RuleRecord {
  readonly id: RuleId;
  readonly projectId: ProjectId;
  readonly effect: RuleEffect;
  readonly tool: string;
  readonly words: readonly string[];
  readonly rest: boolean;
  readonly access: PathPattern["access"] | null;
  readonly glob: string | null;
  readonly createdAt: number;
}

type RuleRow = Omit<RuleRecord, "words" | "rest"> & { readonly words: string; readonly rest: number };

const ruleColumns = "id, project_id AS projectId, effect, tool, words, rest, access, glob, created_at AS createdAt";

export const createRules = (database: Database.Database): RuleStore => {
  const ofProject = database.prepare<[ProjectId], RuleRow>(
    `SELECT ${ruleColumns} FROM rules WHERE project_id = ? ORDER BY created_at, id`,
  );
  const ofAll = database.prepare<[], RuleRow>(
    `SELECT ${ruleColumns} FROM rules
     ORDER BY (SELECT name FROM projects WHERE projects.id = project_id), project_id, created_at, id`,
  );
  const byId = database.prepare<[RuleId], RuleRow>(`SELECT ${ruleColumns} FROM rules WHERE id = ?`);
  const write = database.prepare(
    `INSERT INTO rules (id, project_id, effect, tool, words, rest, access, glob, created_at)
     VALUES (@id, @projectId, @effect, @tool, @words, @rest, @access, @glob, @createdAt)
     ON CONFLICT (id) DO UPDATE SET effect = excluded.effect, tool = excluded.tool, words = excluded.words,
       rest = excluded.rest, access = excluded.access, glob = excluded.glob`,
  );
  const drop = database.prepare<[RuleId]>("DELETE FROM rules WHERE id = ?");

  // Cache for queries per file name in searches; this store is the only writer of the table.
  const cached = new Map<ProjectId, Rule[]>();
  const list = (projectId: ProjectId): Rule[] => {
    const rules = cached.get(projectId) ?? ofProject.all(projectId).map(ruleFromRow);
    cached.set(projectId, rules);
    return rules;
  };
  const changed = <T>(work: () => T): T => {
    cached.clear();
    try {
      return work();
    } finally {
      cached.clear();
    }
  };
  const like = (rule: Rule): Rule | undefined =>
    list(rule.projectId).find((other) => rulePatternKey(other) === rulePatternKey(rule));
  const add = database.transaction((rule: Rule): Rule => {
    const same = like(rule);
    if (same !== undefined) return same;
    write.run(toRow(rule));
    return rule;
  });
  const save = database.transaction((rule: Rule): Rule | undefined => {
    const same = like(rule);
    const own = byId.get(rule.id);
    if (own !== undefined && own.projectId !== rule.projectId) return undefined;
    const existing = own ?? same;
    const saved = existing === undefined ? rule : { ...rule, id: existing.id, createdAt: existing.createdAt };
    if (same !== undefined && same.id !== saved.id) drop.run(same.id);
    write.run(toRow(saved));
    return saved;
  });

  return {
    list: (projectId) => withStoreErrors(database.name, () => list(projectId)),
    add: (rule) => withStoreErrors(database.name, () => changed(() => add.immediate(rule))),
    save: (rule) => withStoreErrors(database.name, () => changed(() => save.immediate(rule))),
    get: (id) =>
      withStoreErrors(database.name, () => {
        const row = byId.get(id);
        return row === undefined ? undefined : ruleFromRow(row);
      }),
    all: () => withStoreErrors(database.name, () => ofAll.all().map(ruleFromRow)),
    remove: (id) => withStoreErrors(database.name, () => changed(() => drop.run(id).changes === 1)),
  };
};

/** Throws store_corrupt for a damaged row, since silently omitting a deny rule would be unsafe. */
function ruleFromRow(row: RuleRow): Rule {
  const { id, projectId, effect, createdAt } = row;
  return {
    id,
    projectId,
    effect,
    createdAt,
    ...toPattern({ ...row, words: parseRuleWords(row), rest: row.rest === 1 }),
  };
}

function parseRuleWords({ id, words }: RuleRow): readonly string[] {
  try {
    const read: unknown = JSON.parse(words);
    if (Array.isArray(read) && read.every((word) => typeof word === "string")) return read;
  } catch {
    // Thrown below.
  }
  throw new StoreError("store_corrupt", "not the words of a rule", { rule: id });
}

function toPattern({ tool, words, rest, access, glob }: RuleRecord): PermissionPattern {
  const [text = ""] = words;
  switch (tool) {
    case "bash":
      return { tool, words, rest };
    case "files":
      return { tool, access: access ?? "read", glob: glob ?? "" };
    case "net":
      return { tool, host: text };
    case "external":
      return { tool, pattern: text };
    default:
      return { tool: "unknown", kind: tool, words };
  }
}

const toRow = (rule: Rule): RuleRow => ({
  id: rule.id,
  projectId: rule.projectId,
  effect: rule.effect,
  createdAt: rule.createdAt,
  tool: rule.tool === "unknown" ? rule.kind : rule.tool,
  words: JSON.stringify(rowWords(rule)),
  rest: rule.tool === "bash" && rule.rest ? 1 : 0,
  access: rule.tool === "files" ? rule.access : null,
  glob: rule.tool === "files" ? rule.glob : null,
});

function rowWords(rule: PermissionPattern): readonly string[] {
  if (rule.tool === "bash" || rule.tool === "unknown") return rule.words;
  return rule.tool === "files" ? [] : [formatRulePattern(rule)];
}

function rulePatternKey(rule: Rule): string {
  const { tool, words, rest, access, glob } = toRow(rule);
  return JSON.stringify([tool, words, rest, access, glob]);
}
