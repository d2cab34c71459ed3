/** Selects the environment variables that a model server started from here gets. Pure. */

/** Basic variables, and those of graphics drivers and proxies. */
const basicVariables =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TMPDIR|TZ|XDG_\w+|LD_LIBRARY_PATH|(?:https?|no|all)_proxy)$/i;
const driverVariables = /^(?:CUDA|NVIDIA|GGML|HIP|HSA|ROCR|ROCM|GPU|VK|ONEAPI|SYCL|ZES)_/;
const secretVariables = /(?:KEY|TOKEN|SECRET|PASSWORD)$/i;

/** `own` = names of the server's own settings. No keys. */
export const modelServerVariables = (environment: NodeJS.Dict<string>, own?: RegExp): NodeJS.Dict<string> =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) =>
        (basicVariables.test(name) || driverVariables.test(name) || own?.test(name) === true) &&
        !secretVariables.test(name),
    ),
  );
