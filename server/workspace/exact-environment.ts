/** The environment of our child processes, and nothing but it. Used by ripgrep.ts and shell.ts. */

/** The UI framework's types demand NODE_ENV of every environment; a child of ours gets exactly what is named. */
export function assertEnvironment(_variables: NodeJS.Dict<string>): asserts _variables is NodeJS.ProcessEnv {}
