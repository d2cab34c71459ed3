/** Writes automations that are due into a home, through the store's own code. */
import { openSeedStore } from "./seed-session";

/** Seeds the home with `count` automations that are due at the next full minute. No other process may have it open. */
export async function seedAutomations(home: string, project: string, count: number): Promise<void> {
  const store = await openSeedStore(home);
  const now = Date.now();
  const { id: projectId } = store.projects.open({ path: project, name: "project" }, now);
  for (let index = 0; index < count; index += 1) {
    const name = `automation-${index}`;
    const trigger = { kind: "time", zone: "UTC", cron: "* * * * *", missed: "run" } as const;
    const definition = { id: name, name, projectId, prompt: "Look", mode: "ask", cardMinutes: 15, trigger } as const;
    store.automations.save({ ...definition, isOn: true, rules: [], failures: 0, checkedUntil: now }, now);
  }
  store.close();
}
