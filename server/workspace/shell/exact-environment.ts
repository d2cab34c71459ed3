/** Type assertion for the exact environment of child processes. */

/** The UI framework's types require NODE_ENV in every environment; child processes get only the named variables. */
export function assertEnvironment(_variables: NodeJS.Dict<string>): asserts _variables is NodeJS.ProcessEnv {}
