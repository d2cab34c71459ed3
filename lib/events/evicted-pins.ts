/** The notice about pinned files over their budget: its text for the model, and the paths in it for display. */

const heading = "Context full: these pinned files are no longer sent with their content; read them when needed.";
/** Text of the notice when no file is left out. */
export const noEvictedPins = "All pinned files are sent.";

export const formatEvictedPins = (paths: readonly string[]): string =>
  paths.length === 0 ? noEvictedPins : [heading, ...paths.map((path) => `- ${path.replace(/\s/g, " ")}`)].join("\n");

/** Returns the paths of a notice; [] if no file is left out. */
export const readEvictedPins = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("- ") ? [line.slice(2)] : []));
