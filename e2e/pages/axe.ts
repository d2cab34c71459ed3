/** Reports the serious and critical violations that axe finds on a page. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";

interface AxeViolation {
  readonly rule: string;
  readonly impact: string;
  readonly where: readonly string[];
}

/**
 * Evaluates axe's source in the page, because the page's policy allows no foreign script. `rule` = only this rule, for a
 * state that has been checked by all of them.
 */
export async function findViolations(page: Page, rule?: "color-contrast"): Promise<readonly AxeViolation[]> {
  // Colours are checked after all animations have finished.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => undefined)),
    ),
  );
  if (!(await page.evaluate(() => "axe" in window)))
    await page.evaluate(await readFile("node_modules/axe-core/axe.min.js", "utf8"));
  return page.evaluate(async (only) => {
    const axe: unknown = Reflect.get(window, "axe");
    if (typeof axe !== "object" || axe === null || !("run" in axe) || typeof axe.run !== "function")
      throw new Error("axe is not there");
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      ...(only === undefined ? {} : { runOnly: { type: "rule", values: [only] } }),
    });
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, impact, nodes }: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }) => ({
          rule: id,
          impact,
          where: nodes.map(
            ({ html, failureSummary }) => `${html.slice(0, 300)} ${failureSummary.replace(/\s+/g, " ")}`,
          ),
        }),
      );
  }, rule);
}
