/** The command of a step: its text is never changed by a value. Pure. */

/** Quotes any text as one word of bash. */
const quoteValue = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

/**
 * Returns a command that sets the variables, each to one quoted word, before the text of the step, which is that of its
 * file. They are exported by their names alone, so that a value is in an assignment alone, as data. The values must not have NUL characters.
 */
export const stepCommand = (text: string, env: readonly (readonly [name: string, value: string])[]): string =>
  [
    ...env.map(([name, value]) => `${name}=${quoteValue(value)}`),
    ...(env.length === 0 ? [] : [`export ${env.map(([name]) => name).join(" ")}`]),
    text,
  ].join("\n");
