/** Words for starter tasks by what is in the project. */
import type { ProjectFacts, ProjectView } from "@/lib/protocol/answers";
import type { Project } from "@/lib/workspace/project";
import type { Locale } from "../../messages/figures";
import { loadLateMessages, type LateMessages } from "../../messages/full-messages";
import type { AppClient } from "../../state/client";

type Task = ProjectView["starters"][number];
type ConcreteTexts = { readonly [T in Task]?: string };

/** Resolves with the words of the tasks about which something is known; those of the others are the usual ones. */
export async function loadConcreteStarters(
  client: Pick<AppClient, "call">,
  { id: projectId, name }: Pick<Project, "id" | "name">,
  locale: Locale,
): Promise<ConcreteTexts> {
  const [facts, { firstRun }] = await Promise.all([
    client.call("project.facts", { projectId }),
    loadLateMessages(locale),
  ]);
  if (!facts.ok) return {};
  const { testCommand, todos, lastCommit } = facts.value;
  const { starters } = firstRun;
  return {
    ...(testCommand !== null && { tests: starters.tests(testCommand), write_tests: starters.tests(testCommand) }),
    // The general question gives way to the TODOs of the project.
    ...(todos !== null && { explain: todosText(starters, todos, todos.folder === "" ? name : todos.folder) }),
    ...(lastCommit !== null && { review: starters.review(lastCommit) }),
  };
}

const todosText = (
  { todos, moreTodos }: LateMessages["firstRun"]["starters"],
  { count, hasMore }: NonNullable<ProjectFacts["todos"]>,
  folder: string,
): string => (hasMore ? moreTodos(count, folder) : todos(count, folder));
