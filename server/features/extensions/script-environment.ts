/** The environment and working folder of a script. */
import { pathWithoutProject, shellEnvironment } from "@/server/security/environment/shell-environment";

interface ScriptPlace {
  /** Real path of the project. */
  readonly root: string;
  readonly isTrusted: boolean;
  /** Real path of the extension. */
  readonly folder: string;
}

/**
 * Returns the folder in which a script is started. In a project that the user does not trust it is that of the extension:
 * interpreters read files of the folder in which they are started.
 */
export const scriptFolder = ({ root, isTrusted, folder }: ScriptPlace): string => (isTrusted ? root : folder);

/** The variables of the user's environment that the extension names. */
export function namedVariables(
  environment: NodeJS.ProcessEnv,
  names: readonly string[],
): { readonly [name: string]: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Programs are not looked up in folders of the project: its files would be run in place of an interpreter. */
export function scriptEnvironment(
  environment: NodeJS.ProcessEnv,
  extraNames: readonly string[],
  variables: { readonly [name: string]: string },
  place: ScriptPlace,
): { readonly [name: string]: string } {
  const scrubbed = shellEnvironment(environment, extraNames);
  return {
    ...scrubbed,
    // Compiled files beside a script would change the hash of the extension.
    // cspell:disable-next-line
    PYTHONDONTWRITEBYTECODE: "1",
    ...variables,
    PATH: pathWithoutProject(place.root, variables.PATH ?? scrubbed.PATH),
    PWD: scriptFolder(place),
  };
}
