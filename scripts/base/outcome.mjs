// Counts what the test runners report, so that `npm test` can end with one line.
import { relative } from "node:path";
import { root } from "./root.mjs";

/** A count of zero. */
export const zeroCount = { passed: 0, failed: 0, skipped: 0 };

/** The count of a part that has no tests of its own and failed: a step, or a runner that died without a report. */
export const oneFailure = { passed: 0, failed: 1, skipped: 0 };

/** Returns the sum of two counts. */
export function addCounts(a, b) {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

// Adds one failure when a runner exits with an error though no test failed (an import, an uncaught error, no tests).
function agreeWithExit(count, succeeded) {
  return succeeded || count.failed > 0 ? count : addCounts(count, oneFailure);
}

/** Counts vitest's JSON report; a file that could not be loaded counts as one failure. */
export function countUnit(report, succeeded) {
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  const count = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
  return agreeWithExit(count, succeeded);
}

/** Counts Playwright's JSON report; a flaky test counts as failed. */
export function countEndToEnd(report, succeeded) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return agreeWithExit({ passed: expected, failed: unexpected + flaky, skipped }, succeeded);
}

// Each spec with the titles of the groups around it; the outermost group is its file.
const specsOf = (suite, titles = []) => [
  ...(suite.specs ?? []).map((spec) => ({ ...spec, titles: [...titles, spec.title] })),
  ...(suite.suites ?? []).flatMap((inner) =>
    specsOf(inner, inner.title === suite.file ? titles : [...titles, inner.title]),
  ),
];
const specsOfReport = (report) => (report.suites ?? []).flatMap((suite) => specsOf(suite));

const ansiSequences = /\u001B\[[0-9;]*m/g;
const failureLine = (test, message = "") => {
  const reason = message.replaceAll(ansiSequences, "").trimStart().split("\n")[0];
  return reason === "" ? test : `${test}: ${reason}`;
};

/** Returns the line and the locator of a failed browser test: the first line of a message of Playwright names neither. */
function placeOf({ message = "", location } = {}) {
  const locator = /^Locator: +(.+)$/m.exec(message.replaceAll(ansiSequences, ""))?.[1];
  const facts = [location === undefined ? undefined : `line ${location.line}`, locator].filter(Boolean);
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

/**
 * Returns the failed tests and unloadable files of vitest's JSON report: `file` relative to the root, full `title` (null for a
 * file) and
 * `line`, which names both and starts the message.
 */
export function failedUnitTests(report) {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === "failed" && assertionResults.length === 0)
      return [{ file, title: null, line: failureLine(file, message) }];
    const failed = assertionResults.filter((result) => result.status === "failed");
    return failed.map(({ fullName: title, failureMessages }) => ({
      file,
      title,
      line: failureLine(`${file} > ${title}`, failureMessages?.[0]),
    }));
  });
}

/** Returns the failed or flaky tests of Playwright's JSON report, as `failedUnitTests` does; `file` is relative to e2e. */
export function failedEndToEndTests(report) {
  return specsOfReport(report).flatMap(({ file, line, titles, tests }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => {
        const error = results.find((result) => result.error !== undefined)?.error;
        const named = failureLine(`${file}:${line} > ${titles.join(" > ")}`, error?.message);
        return { file, title: titles.join(" "), line: named + placeOf(error) };
      }),
  );
}

/** Returns the paths of the page descriptions that Playwright wrote for failed tests, from its JSON report. */
export function failureContexts(report) {
  return specsOfReport(report)
    .flatMap(({ tests }) => tests)
    .flatMap(({ results }) => results)
    .flatMap(({ attachments }) => attachments)
    .filter(({ name, path }) => name === "error-context" && path !== undefined)
    .map(({ path }) => path);
}

/** Formats the last line of `npm test`: "N passed, N failed", and ", N skipped" when there are any. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
