/**
 * Queries of the management pages (trash, rules, projects, sign-ins), written with drizzle. Loaded with the first of
 * these queries, because loading drizzle takes 6 to 11 ms.
 */
import type Database from "better-sqlite3";
import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { ProjectId, RuleId, TrashId } from "@/lib/events/id";
import type { Project } from "@/lib/workspace/project";
import type { Rule } from "@/lib/permissions/policy";
import { toRule } from "../access/rules";
import { projects, rules, signIns, trash } from "../schema";
import type { SignIn } from "../access/sign-ins";
import type { TrashItem, TrashQuery } from "../files/trash";

export const createDrizzleQueries = (database: Database.Database) => {
  const tables = drizzle(database);
  return {
    addTrash: (item: TrashItem): void => {
      tables.insert(trash).values(item).run();
    },
    measureTrash: (id: TrashId, size: Pick<TrashItem, "files" | "bytes">): boolean =>
      tables.update(trash).set(size).where(eq(trash.id, id)).run().changes === 1,
    trashItem: (id: TrashId): TrashItem | undefined => {
      const found = tables.select().from(trash).where(eq(trash.id, id)).get();
      return found === undefined ? undefined : toTrashItem(found);
    },
    listTrash: ({ projectId, before, limit }: TrashQuery): TrashItem[] => {
      const older = before === undefined ? undefined : lt(trash.at, before);
      const ofProject = projectId === undefined ? undefined : eq(trash.projectId, projectId);
      const query = tables
        .select()
        .from(trash)
        .where(and(isNull(trash.restoredAt), ofProject, older));
      return query.orderBy(desc(trash.at), desc(trash.id)).limit(limit).all().map(toTrashItem);
    },
    markRestored: (id: TrashId, at: number): boolean => {
      const inTrash = and(eq(trash.id, id), isNull(trash.restoredAt));
      return tables.update(trash).set({ restoredAt: at }).where(inTrash).run().changes === 1;
    },
    dropTrash: (id: TrashId): boolean => tables.delete(trash).where(eq(trash.id, id)).run().changes === 1,

    allRules: (): { readonly rule: Rule; readonly project: Project }[] =>
      tables
        .select({ rule: rules, project: projects })
        .from(rules)
        .innerJoin(projects, eq(projects.id, rules.projectId))
        .orderBy(projects.name, projects.id, rules.createdAt, rules.id)
        .all()
        .map(({ rule, project }) => ({ rule: toRule(rule), project })),
    removeRule: (id: RuleId): boolean => tables.delete(rules).where(eq(rules.id, id)).run().changes === 1,

    listSignIns: (): SignIn[] => tables.select().from(signIns).orderBy(desc(signIns.lastUsedAt), signIns.id).all(),

    renameProject: (id: ProjectId, name: string): boolean =>
      tables.update(projects).set({ name }).where(eq(projects.id, id)).run().changes === 1,
    removeProject: (id: ProjectId, at: number): boolean => {
      const listed = and(eq(projects.id, id), isNull(projects.removedAt));
      return tables.update(projects).set({ removedAt: at }).where(listed).run().changes === 1;
    },
  };
};

export type DrizzleQueries = ReturnType<typeof createDrizzleQueries>;

const toTrashItem = ({ restoredAt, ...item }: typeof trash.$inferSelect): TrashItem =>
  restoredAt === null ? item : { ...item, restoredAt };
