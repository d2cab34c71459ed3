import { expect, test } from "vitest";
import { openTestStore } from "@/server/store/__fixtures__/home";
import { makeSecretRedactor } from "./secret-redactor";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

test("a connection's key is masked in the form in which it is sent, and so is the one of the environment", () => {
  const store = openTestStore();
  const connection = { name: "Rack", preset: "custom", baseUrl: "https://rack.example/v1", model: "", numCtx: 0 };
  const environment = { NODE_ENV: "test", OPENAI_BASE_URL: "https://jo:env-secret@llm.example/v1" } as const;
  const redactor = makeSecretRedactor({ store, environment, bearer: "bearer-of-this-server" });
  store.connections.save({ ...connection, id: "rack", keyUse: { as: "password", name: "me" } });
  store.secrets.in("connections").set("rack", "rack-secret");
  const sent = ["rack-secret", encoded("me:rack-secret"), "env-secret", encoded("jo:env-secret")];
  const shown = redactor().text(sent.map((one) => `x ${one} y`).join("\n"));
  for (const one of sent) expect(shown).not.toContain(one);
});

test("the user name may be in the address of the environment, and the key in its variable", () => {
  const environment = {
    NODE_ENV: "test",
    OPENAI_BASE_URL: "https://jo@llm.example/v1",
    OPENAI_API_KEY: "sk-env-secret",
  } as const;
  const redactor = makeSecretRedactor({ store: openTestStore(), environment, bearer: "bearer-of-this-server" });
  expect(redactor().text(`x ${encoded("jo:sk-env-secret")} y`)).not.toContain(encoded("jo:sk-env-secret"));
});
