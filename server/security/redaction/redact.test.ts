import { describe, expect, it, test } from "vitest";
import { makeRedactor, secretValues } from "./redact";
import { redactionMark } from "./redact-stream";

const redactor = makeRedactor({
  secrets: [
    "hunter2-hunter2",
    "my long pass phrase",
    'quo"ted\\secret',
    "first-line-of-two\nsecond-line-of-two",
    "short",
  ],
  homes: ["/home/ann", "/root"],
});
const masked = (text: string): string => redactor.text(text);

/** Written in two parts, so that secret scanners do not report this file. */
const key = (kind: string, body: string): string => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
const body = ["MIIEowIBAAKCAQEA1c7+9z5Pad7OejecsQ0buSoHwyXk4vbFzRkKzYGVWsRrDzQo", "abcd0123ABCD"].join("\n");

describe("a secret by its shape is masked", () => {
  it.each([
    ["an OpenAI key", `sk-${"proj-a1B2c3D4e5F6g7H8i9J0"}`],
    ["an Anthropic key", `sk-${"ant-api03-a1B2c3D4e5F6g7H8"}`],
    ["a GitHub token", `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2"}`],
    ["a fine-grained GitHub token", `github_pat_${"11ABCDE_a1B2c3D4e5F6g7H8"}`],
    ["an AWS key id", `AKIA${"IOSFODNN7EXAMPLE"}`],
    ["a Slack token", `xoxb-${"123456789012-abcdefghij"}`],
    ["a GitLab token", `glpat-${"a1B2c3D4e5F6g7H8i9J0"}`],
    ["a Hugging Face token", `hf_${"a1B2c3D4e5F6g7H8i9J0kk"}`],
    ["an npm token", `npm_${"a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"}`],
    ["a Google key", `AIza${"SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"}`],
    ["a Stripe key", `sk_live_${"a1B2c3D4e5F6g7H8"}`],
    ["a Telegram token", `123456789:AA${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"}`],
    ["a JSON Web Token", `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P`],
  ])("%s", (_name, secret) => {
    expect(masked(`before ${secret} after`)).toBe(`before ${redactionMark} after`);
    expect(masked(`x="${secret}";`)).toBe(`x="${redactionMark}";`);
  });

  it.each([
    ["Authorization: Bearer a1B2c3D4e5", `Authorization: ${redactionMark}`],
    ["authorization: basic dXNlcjpwYXNzd29yZA==", `authorization: ${redactionMark}`],
    ["git clone https://ann:s3cret-word@example.org/x.git", `git clone https://ann:${redactionMark}@example.org/x.git`],
    ["postgres://app:p%40ss@db:5432/app", `postgres://app:${redactionMark}@db:5432/app`],
    ["https://0123456789abcdef0123@github.com/a/b", `https://${redactionMark}@github.com/a/b`],
    ["http://localhost:4674/#token=abcDEF123456", `http://localhost:4674/#token=${redactionMark}`],
    ["GET /x?a=1&api_key=abcDEF123456&b=2", `GET /x?a=1&api_key=${redactionMark}&b=2`],
    ["export STRIPE_SECRET=abcdefgh12", `export STRIPE_SECRET=${redactionMark}`],
    ['GITHUB_TOKEN="abcdefgh12"', `GITHUB_TOKEN="${redactionMark}"`],
  ])("%s", (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe("a known secret is masked in the forms in which programs write it", () => {
  const secret = "Tr0ub4dor&3/x y+z";
  const one = makeRedactor({ secrets: [secret], homes: [] });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  it.each([
    ["unchanged", secret],
    ["in upper case", secret.toUpperCase()],
    ["in lower case", secret.toLowerCase()],
    ["in a URL", encodeURIComponent(secret)],
    ["in an address, small hex", encodeURIComponent(secret).toLowerCase()],
    ["in a form", encodeURIComponent(secret).replaceAll("%20", "+")],
    ["each byte in percent", Buffer.from(secret).toString("hex").replace(/../g, "%$&")],
    ["in hex", Buffer.from(secret).toString("hex")],
    ["in capital hex", Buffer.from(secret).toString("hex").toUpperCase()],
    ["in markup", secret.replace("&", "&amp;")],
    ["in base64", base64(secret)],
    ["in base64 behind one letter", base64(`a${secret}`)],
    ["in base64 behind two letters", base64(`ab${secret}tail`)],
    ["in base64 of a header", base64(`user:${secret}`)],
    ["in base64 for addresses", Buffer.from(`~~${secret}~~`).toString("base64url")],
  ])("%s", (_name, text) => {
    const shown = one.text(`x ${text} y`);
    expect(shown).toContain(redactionMark);
    for (let at = 0; at + 8 <= text.length; at += 1) expect(shown).not.toContain(text.slice(at, at + 8));
  });
});

describe("password=value is masked", () => {
  it.each([
    ["password=hunter2", `password=${redactionMark}`],
    ["PASSWORD=hunter2", `PASSWORD=${redactionMark}`],
    ["db.password=hunter2", `db.password=${redactionMark}`],
    ["spring_datasource_passwd=pa55", `spring_datasource_passwd=${redactionMark}`],
    ['{"password":"hunter2","user":"ann"}', `{"password":"${redactionMark}","user":"ann"}`],
    ["mysql --password=hunter2 -u x", `mysql --password=${redactionMark} -u x`],
    ["passphrase='open'", `passphrase='${redactionMark}'`],
    ["Server=x;Uid=y;Pwd=hunter2;", `Server=x;Uid=y;Pwd=${redactionMark};`],
    ["password:hunter2", `password:${redactionMark}`],
    ["client_secret=a1B2c3D4e5F6", `client_secret=${redactionMark}`],
    ["api-key=a1B2c3D4e5F6", `api-key=${redactionMark}`],
    ['"access_token":"a1B2c3D4e5F6"', `"access_token":"${redactionMark}"`],
  ])("%s", (text, expected) => expect(masked(text)).toBe(expected));

  it.each([
    "password=process.env.DB_PASSWORD",
    "password=getPassword(user)",
    "password=$DB_PASSWORD",
    "password=${secret}",
    "password=<your-password>",
    "password=null",
    "the password: see the wiki",
    "PWD=/srv/app",
    "token=nextToken",
    "tokens=1000",
    "secret=undefined",
    "passwordless=true",
    "compass=north",
  ])("not %s", (text) => expect(masked(text)).toBe(text));
});

test.each([4_095, 4_096, 4_097])(
  "a word of %i characters is judged without the line ending that is cut off after it",
  (length) => {
    const word = "y".repeat(length);
    const stream = redactor.stream(false);
    const released = stream.feed(word) + stream.feed("\r") + stream.feed("\n") + stream.end(false);
    expect(released).toBe(masked(`${word}\r\n`));
    const other = redactor.stream(false);
    expect(other.feed(`${word}\r`) + other.feed("\n") + other.end(false)).toBe(released);
  },
);

const keyLine = "MIIEowIBAAKCAQEA1c7+9z5Pad7OejecsQ0buSoHwyXk4vbFzRkKzYGVWsRrDzQo";
const endMarker = `-----END ${"PRIVATE KEY"}-----`;
const words = (chars: number): string => "one two ".repeat(chars / 8);

describe("in a stream", () => {
  const begun = `-----BEGIN RSA ${"PRIVATE"}`;
  it.each([
    ["a word that may go on", "one ", "two"],
    ["a begun secret", "say ", "my long"],
    ["a header without its token", "x: ", "Bearer "],
    ["a begun token", words(16_000), "Bearer a1"],
    ["a begun marker", "cat it\n", begun],
    ["a begun marker after a long text", words(160), begun],
    ["what may be the lines of a key", "cat it\n", `${keyLine}\nAB==\n`],
  ])("%s is held back, and nothing else", (_name, released, held) => {
    expect(redactor.stream(false).feed(released + held)).toBe(released);
  });

  it.each([
    ["lines that end no key", "cat it\nAB==\n"],
    ["a long line", `${keyLine}\n${words(288)}`],
  ])("%s are released at once", (_name, text) => expect(redactor.stream(false).feed(text)).toBe(text));

  it("the end of a key releases its lines", () => {
    expect(redactor.stream(false).feed(`cat it\n${keyLine}\n${endMarker} `)).toBe(
      `cat it\n${redactionMark}\n${redactionMark} `,
    );
  });
});

const lineOf = (chars: number): string => `${"w ".repeat((chars - keyLine.length) / 2)}${keyLine}`;

describe("the lines above the end of a key", () => {
  const mark = redactionMark;
  it.each([
    [
      "with the line ends of Windows",
      `cat\r\n${keyLine}\r\nAB==\r\n${endMarker}\r\n`,
      `cat\r\n${mark}\r\n${mark}\r\n${mark}\r\n`,
    ],
    ["at the start of the text", `${keyLine}\n${endMarker}`, `${mark}\n${mark}`],
    ["below an empty first line", `\n${keyLine}\n${endMarker}`, `\n${mark}\n${mark}`],
    ["with a prefix, up to 200 characters", `${lineOf(200)}\n${endMarker}`, `${"w ".repeat(68)}${mark}\n${mark}`],
    ["longer than that are no key", `${lineOf(202)}\n${endMarker}`, `${lineOf(202)}\n${mark}`],
    [
      "above a short line that is not the last",
      `${keyLine}\nAB==\n${keyLine}\n${endMarker}`,
      `${keyLine}\nAB==\n${mark}\n${mark}`,
    ],
    ["that are short are no key", `AB==\nCD==\n${endMarker}`, `AB==\nCD==\n${mark}`],
    [
      "of a marker far to the right are left",
      `${keyLine}\n${words(208)}${endMarker}`,
      `${keyLine}\n${words(208)}${mark}`,
    ],
    ["of a second marker in its line are left", `${keyLine}\n${endMarker} ${endMarker}`, `${mark}\n${mark} ${mark}`],
  ])("%s", (_name, text, expected) => {
    expect(masked(text)).toBe(expected);
    const stream = redactor.stream(false);
    expect([...text].map((unit) => stream.feed(unit)).join("") + stream.end(false)).toBe(expected);
  });
});

describe("a text that only resembles a secret is not masked", () => {
  it.each([
    "commit 0a8d57d1f2e3c4b5a6978877665544332211ffee",
    "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "123e4567-e89b-12d3-a456-426614174000",
    '"integrity": "sha512-Iq1SLT2x6mGdMRFwUPoGEaaGFI7qEdkhg5IFY2qPpTiNQ/zmdXi8MNKgq8qbCJbXEGVaQJyXN2gz6lL0WmqJAQ=="',
    `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAA".repeat(60)}`,
    "the keyboard key is stuck; press any key",
    "a monkey, a turkey and a donkey",
    "const tokenizer = new Tokenizer(maxTokens);",
    "sk-learn-contrib-imbalanced-learning",
    "task-1234567890abcdefghij",
    "Basic usage of the bearer-token middleware",
    "Bearer tokens are read by the middleware",
    "basic understanding",
    "MAX_TOKENS=100000000",
    "TOKEN=${TOKEN}",
    "http://localhost:3000/a@b",
    "ssh://git@example.org/a.git",
    "mailto:ann@example.org",
    "/home/anna/x /home/ann.old/y",
    "src/root/index.ts",
    "shorty",
    "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA1c7+9z5Pad7OejecsQ0b\n-----END CERTIFICATE-----",
    key("PUBLIC KEY", body),
    "AKIAIOSFODNN7EXAMPLEANDMORE",
    "密钥是一个键，令牌也是。".repeat(500),
  ])("%s", (text) => {
    expect(masked(text)).toBe(text);
  });
});

describe("a known secret is masked", () => {
  it.each([
    ["unchanged", "login hunter2-hunter2!", `login ${redactionMark}!`],
    ["with white space", "say my long pass phrase twice", `say ${redactionMark} twice`],
    ["in JSON", JSON.stringify({ a: 'quo"ted\\secret' }), `{"a":"${redactionMark}"}`],
    ["line by line", "a second-line-of-two b\nfirst-line-of-two", `a ${redactionMark} b\n${redactionMark}`],
    ["by the start of it, where a line was cut", "x hunter2-hunt… [line cut]", `x ${redactionMark}… [line cut]`],
    ["by a longer start of it", "x hunter2-hunter…", `x ${redactionMark}…`],
    ["by the end of it", "…ter2-hunter2", `…${redactionMark}`],
    ["by a longer end of it", "…unter2-hunter2", `…${redactionMark}`],
    ["not by eleven characters of it", "…er2-hunter2 hunter2-hun…", "…er2-hunter2 hunter2-hun…"],
  ])("%s", (_name, text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe("the home folder", () => {
  it.each([
    ["/home/ann/code/x.ts:1", "~/code/x.ts:1"],
    ["cd /home/ann.", "cd ~."],
    ["file:///home/ann/x", "file://~/x"],
    ["PATH=/usr/bin:/root/bin", "PATH=/usr/bin:~/bin"],
    ['"/home/ann"', '"~"'],
  ])("%s reads %s", (text, expected) => {
    expect(masked(text)).toBe(expected);
  });
});

describe("a private key", () => {
  it.each(["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])(
    "is masked from its BEGIN to its END: %s",
    (kind) => {
      expect(masked(`a\n${key(kind, body)}\nb`)).toBe(`a\n${redactionMark}\nb`);
    },
  );

  it("without its END is masked to the end of the text", () => {
    expect(masked(`a\n${key("PRIVATE KEY", body).slice(0, -30)}`)).toBe(`a\n${redactionMark}`);
  });

  it("without its BEGIN is masked up to its END, a line each", () => {
    const tail = key("PRIVATE KEY", body).split("\n").slice(1).join("\n");
    expect(masked(`cat it\n${tail}\nb`)).toBe(`cat it\n${redactionMark}\n${redactionMark}\n${redactionMark}\nb`);
    const numbered = `    7\tMIIEowIBAAKCAQEA1c7+9z5Pad7Oej\n    8\tAB==\n    9\t-----END ${"PRIVATE KEY"}-----`;
    expect(masked(numbered)).toBe(`    7\t${redactionMark}\n    8\t${redactionMark}\n    9\t${redactionMark}`);
  });

  it("is masked in one line with escaped line ends", () => {
    expect(masked(`{"key":${JSON.stringify(key("PRIVATE KEY", body))},"a":1}`)).toBe(
      `{"key":"${redactionMark}","a":1}`,
    );
  });

  it("with only its middle and end in the text is masked from the start", () => {
    const tail = key("PRIVATE KEY", `not like\n a key\n${body}`).slice(40);
    expect(redactor.text(`${tail}\nb`, { start: true })).toBe(`${redactionMark}\nb`);
  });
});

describe("at an edge where a text was cut", () => {
  it("the incomplete word is masked", () => {
    expect(redactor.text("one two thr", { end: true })).toBe(`one two ${redactionMark}`);
    expect(redactor.text("one two ", { end: true })).toBe("one two ");
    expect(redactor.text("ree four", { start: true })).toBe(`${redactionMark} four`);
    expect(redactor.text(" four", { start: true })).toBe(" four");
  });

  it("a part of a known secret with white space is masked", () => {
    expect(redactor.text("say my long pa", { end: true })).toBe(`say ${redactionMark}`);
    expect(redactor.text("long pass phrase now", { start: true })).toBe(`${redactionMark} now`);
  });
});

it("strings and names within a value are masked", () => {
  expect(redactor.json({ "/home/ann": ["hunter2-hunter2", 1, null, true] })).toEqual({
    "~": [redactionMark, 1, null, true],
  });
});

describe("the environment", () => {
  it("values are secret when their names indicate it", () => {
    const environment = {
      OPENAI_API_KEY: "value-of-a-key",
      DB_PASSWORD: "value-of-a-password",
      GH_TOKEN: "value-of-a-token",
      AWS_SECRET_ACCESS_KEY: "value-of-an-aws-key",
      AWS_ACCESS_KEY_ID: "value-of-an-id",
      PATH: "/usr/bin",
      PWD: "/home/ann",
      SSH_AUTH_SOCK: "/tmp/ssh-1/agent.1",
      KEYBOARD: "us-international",
      MONKEY: "banana-banana",
      TLS_KEY: "/etc/tls/key.pem",
      MAX_TOKENS: "100000000",
    };
    expect(secretValues(environment)).toEqual([
      "value-of-a-key",
      "value-of-a-password",
      "value-of-a-token",
      "value-of-an-aws-key",
      "value-of-an-id",
    ]);
  });
});
