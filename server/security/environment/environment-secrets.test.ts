/**
 * Secrets found in real environments: none of them reaches a tool's shell, and the variables a shell needs do.
 */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellEnvironment } from "./shell-environment";

const secrets = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "OPENAI_API_KEY",
  "OPENAI_ORG_ID",
  "AZURE_OPENAI_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "MISTRAL_API_KEY",
  "DEEPSEEK_API_KEY",
  "OPENROUTER_API_KEY",
  "GROQ_API_KEY",
  "HF_TOKEN",
  "HUGGING_FACE_HUB_TOKEN",
  "OLLAMA_HOST",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_PROFILE",
  "AZURE_CLIENT_SECRET",
  "ARM_CLIENT_SECRET",
  "CLOUDFLARE_API_TOKEN",
  "DIGITALOCEAN_ACCESS_TOKEN",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GITLAB_TOKEN",
  "CI_JOB_TOKEN",
  "NPM_TOKEN",
  "NODE_AUTH_TOKEN",
  "npm_config__auth",
  "npm_config_registry",
  "NPM_CONFIG_USERCONFIG",
  "PYPI_TOKEN",
  "TWINE_PASSWORD",
  "CARGO_REGISTRY_TOKEN",
  "DOCKER_AUTH_CONFIG",
  "DATABASE_URL",
  "PGPASSWORD",
  "MYSQL_PWD",
  "REDIS_URL",
  "MONGODB_URI",
  "STRIPE_SECRET_KEY",
  "SLACK_BOT_TOKEN",
  "TELEGRAM_BOT_TOKEN",
  "SENTRY_DSN",
  "JWT_SECRET",
  "SESSION_SECRET",
  "VAULT_TOKEN",
  "KUBECONFIG",
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "DBUS_SESSION_BUS_ADDRESS",
  "XAUTHORITY",
  "HTTP_PROXY",
  "https_proxy",
  "SUDO_ASKPASS",
  "GIT_ASKPASS",
  "GIT_SSH_COMMAND",
  "GOPI_HOME",
  "GOPI_TOKEN",
  "GOPI_BEARER",
  "LC_API_KEY",
  "LC_TOKEN",
  "path",
  "PATH2",
  "MY_PATH",
] as const;

/** Variables that change programs rather than carry a secret. */
const steering = [
  "NODE_OPTIONS",
  "LD_PRELOAD",
  "DYLD_INSERT_LIBRARIES",
  "BASH_ENV",
  "ENV",
  "PROMPT_COMMAND",
  "PYTHONSTARTUP",
  "PERL5OPT",
] as const;

const needed = [
  "PATH",
  "HOME",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TERM",
  "COLORTERM",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SHELL",
  "TZ",
] as const;

const planted = Object.fromEntries([...secrets, ...steering].map((name) => [name, `planted-${name}`]));
const plain = Object.fromEntries(needed.map((name) => [name, `/needed-${name}`]));

test.each([...secrets, ...steering])("%s does not reach a tool's shell", (name) => {
  expect(shellEnvironment({ ...planted, ...plain }, [])).not.toHaveProperty(name);
});

test.each(needed)("%s does", (name) => {
  expect(shellEnvironment({ ...planted, ...plain }, [])[name]).toBe(`/needed-${name}`);
});

test("`env` and /proc show none of them, nor those of the parent process", () => {
  const env = { ...shellEnvironment({ ...planted, ...plain, PATH: process.env.PATH }, []), NODE_ENV: "test" as const };
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", "env; export -p; cat /proc/self/environ"], {
    env,
    encoding: "utf8",
  });
  expect(stdout).toContain("/needed-HOME");
  expect(stdout).not.toContain("planted-");
});

test("a name the user chose passes without any other name", () => {
  const chosen = shellEnvironment({ ...planted, ...plain }, ["SSH_AUTH_SOCK"]);
  expect(Object.keys(chosen).filter((name) => name in planted)).toEqual(["SSH_AUTH_SOCK"]);
});
