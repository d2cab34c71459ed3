import { expect, test } from "vitest";
import { makeTestServices } from "@/server/session/testing/test-services";
import { makeSecretRedactor } from "./secret-redactor";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

/** A redactor of a process with these variables and a function that saves a connection with a user name. */
function redactorWith(variables: { readonly [name: string]: string }) {
  const environment = { NODE_ENV: "test", ...variables } as const;
  const { store, services } = makeTestServices({ environment });
  const { access } = services();
  const redactor = makeSecretRedactor({ store, access, environment, bearer: "bearer-of-this-server" });
  return {
    save: (name: string, key?: string) =>
      access.connections.save({
        name: "Rack",
        preset: "vllm",
        baseUrl: "http://127.0.0.1:1/v1",
        model: "",
        numCtx: 0,
        key,
        keyUse: { as: "password", name },
      }),
    mask: (texts: readonly string[]): string => redactor().text(texts.map((one) => `x ${one} y`).join("\n")),
  };
}

test("a connection's key is masked in the form in which it is sent, and so is the one of the environment", () => {
  const { save, mask } = redactorWith({ OPENAI_BASE_URL: "https://jo:env-secret@llm.example/v1" });
  mask([]);
  save("me", "rack-secret");
  const sent = ["rack-secret", encoded("me:rack-secret"), "env-secret", encoded("jo:env-secret")];
  const shown = mask(sent);
  for (const one of sent) expect(shown).not.toContain(one);
});

test("a key from the variable of a preset is masked with its user name", () => {
  const { save, mask } = redactorWith({ VLLM_API_KEY: "sk-vllm-secret" });
  save("me");
  expect(mask([encoded("me:sk-vllm-secret")])).not.toContain(encoded("me:sk-vllm-secret"));
});

test("the user name may be in the address of the environment, and the key in its variable", () => {
  const variables = { OPENAI_BASE_URL: "https://jo@llm.example/v1", OPENAI_API_KEY: "sk-env-secret" };
  expect(redactorWith(variables).mask([encoded("jo:sk-env-secret")])).not.toContain(encoded("jo:sk-env-secret"));
});
