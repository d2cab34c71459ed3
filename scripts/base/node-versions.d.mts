/** The majors that package.json supports. */
export const nodeMajors: readonly [20, 22, 24, 26];

/** The version that most users have. */
export const testedMajor: 24;

/** A Node binary of a major version, or the reason why it is missing. */
export type NodeBinary = { readonly path: string } | { readonly missing: string };

/**
 * Returns this process's own Node when it has that major version, otherwise one installed from npm and kept for the next
 * run.
 */
export function provideNode(major: number): Promise<NodeBinary>;

/** Returns the environment in which `node`, and therefore npm, is this binary. */
export function withNode(path: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
