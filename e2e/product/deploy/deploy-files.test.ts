// The other files of `deploy`: what they start is started, and what they name exists.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer, request } from "node:http";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, onTestFinished } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { killProcess } from "@/lib/testing/test-process";
import { expect, test } from "../../fixtures/product-test";
import { deployFolder, missingProgram } from "../../fixtures/proxy-programs";
import { type ProductEnvironment, productProgram } from "../../fixtures/server";

const readDeployed = (name: string): string => readFileSync(join(deployFolder, name), "utf8");

/** Variables in which `gopi-web` and Node are found, as on a machine where they are installed. */
function installed({ root, home, environment }: ProductEnvironment): NodeJS.ProcessEnv {
  const programs = join(root, "programs");
  if (!existsSync(programs)) {
    mkdirSync(programs);
    symlinkSync(productProgram, join(programs, "gopi-web"));
  }
  const path = [programs, dirname(process.execPath), environment.PATH ?? ""].join(":");
  return { ...environment, PATH: path, GOPI_HOME: home, TMPDIR: root };
}

/** Starts a program; `until` resolves with its output when that has the text, and rejects if it ends before. */
function start(place: ProductEnvironment, [program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { cwd: place.project, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
      child.emit("written");
    });
  const ended = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  const until = async (text: string): Promise<string> => {
    const written = async (): Promise<void> => {
      while (!output.includes(text)) await once(child, "written");
    };
    await Promise.race([written(), ended]);
    expect(output).toContain(text);
    return output;
  };
  const end = (): Promise<number | null> => {
    killProcess(child.pid, "SIGTERM");
    return ended;
  };
  return { until, end, ended };
}

const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({ command: z.optional(z.unknown()), volumes: z.optional(z.array(z.string())) }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

describe("the commands of one person behind a proxy", () => {
  const readCompose = (): readonly string[] => {
    const { services } = z.parse(composeSchema, parse(readDeployed("compose.yaml"), { merge: true }));
    return z.parse(z.array(z.string()), services.alice?.command);
  };
  const readUnit = (): readonly string[] =>
    /^ExecStart=(.*)$/m.exec(readDeployed("gopi-web@.service"))?.[1]?.split(" ") ?? [];
  test.for([
    { file: "compose.yaml", read: readCompose, variables: {} },
    {
      file: "gopi-web@.service",
      read: readUnit,
      variables: Object.fromEntries(
        [...readDeployed("gopi-web@.service").matchAll(/^# {3}(GOPI_\w+)=(.*)$/gm)].map(([, ...pair]) => pair),
      ),
    },
  ])("$file: listen on the socket, for alice alone", async ({ read, variables }, { place }) => {
    const socket = join(place.root, "gopi.sock");
    const command = read().map((part) =>
      part.replace(/(?:\/run|%t)\/gopi\/.*/, socket).replace(/\$\{\w+:-([^}]*)\}/, "$1"),
    );
    const server = start(place, command, { ...installed(place), ...variables });
    await server.until("gopi-web serves");
    const statusFor = async (email: string): Promise<number> => {
      const headers = { Host: "alice.ide.example.org", "X-Auth-Request-Email": email };
      const [answer] = await once(request({ socketPath: socket, headers, agent: false }).end(), "response");
      answer.resume();
      return answer.statusCode;
    };
    expect([await statusFor("alice@example.org"), await statusFor("bob@example.org")]).toEqual([200, 403]);
    expect(await server.end()).toBe(0);
  });
});

test("compose.yaml mounts files that exist and volumes that it declares", () => {
  const { services, volumes } = z.parse(composeSchema, parse(readDeployed("compose.yaml"), { merge: true }));
  const sources = Object.values(services).flatMap((service) => service.volumes ?? []);
  const named = sources.map((source) =>
    source
      .replace(/\$\{\w+:-([^}]*)\}/, "$1")
      .split(":", 1)
      .join(""),
  );
  const files = named.filter((source) => source.startsWith("./") && source !== "./models");
  expect(files.filter((file) => !existsSync(join(deployFolder, file)))).toEqual([]);
  expect(new Set(named.filter((source) => !source.startsWith("./")))).toEqual(new Set(Object.keys(volumes)));
});

test("the model servers of compose and Kubernetes count as the own network: no prompt leaves it", () => {
  const addresses = ["compose.yaml", "z2jh-values.yaml"].flatMap((name) =>
    [...readDeployed(name).matchAll(/OPENAI_BASE_URL:.*(http:[^\s}]+)/g)].map(([, address = ""]) => address),
  );
  // A name without a dot, or below .local.
  const isOwn = (address: string): boolean => /^[^.]+$|\.local$/.test(new URL(address).hostname);
  expect([addresses.length, addresses.filter(isOwn)]).toEqual([2, addresses]);
});

test("the values for Kubernetes mount the home of the image, and start its program without options", () => {
  const { singleuser } = parse(readDeployed("z2jh-values.yaml"));
  const [, volume] = /^VOLUME (.*)$/m.exec(readFileSync(join(deployFolder, "../Dockerfile"), "utf8")) ?? [];
  expect([singleuser.cmd, singleuser.storage.homeMountPath, singleuser.uid]).toEqual([["gopi-web"], volume, 1000]);
});

describe("the health of the image", () => {
  const [, command = ""] =
    /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(join(deployFolder, "../Dockerfile"), "utf8")) ?? [];
  const [, ...args] = z.parse(z.array(z.string()), JSON.parse(command));
  /** In which a hub says where to listen. */
  const [, variable = ""] = /process\.env\.(\w+)/.exec(command) ?? [];
  test.for(["http://127.0.0.1:PORT/user/x/", "http://:PORT/user/x/", "http://*:PORT/", "http://[::]:PORT/user/x/two/"])(
    "is asked at the port of %s",
    async (address) => {
      const paths: string[] = [];
      const server = createServer(({ url = "" }, response) => void response.end(String(paths.push(url)))).listen(
        0,
        "127.0.0.1",
      );
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const place = server.address();
      const port = typeof place === "object" ? place?.port : "";
      const environment = { ...process.env, [variable]: address.replace("PORT", String(port)) };
      const check = spawn(process.execPath, args, { env: environment, stdio: "inherit" });
      expect([(await once(check, "exit"))[0], paths]).toEqual([0, ["/healthz"]]);
    },
  );
});

test("systemd accepts the unit", ({ place, skip }) => {
  skip(missingProgram("systemd-analyze", "--version") !== null, "systemd-analyze is not installed");
  const unit = join(place.root, "gopi-web@root.service");
  copyFileSync(join(deployFolder, "gopi-web@.service"), unit);
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

describe("the job of Slurm", () => {
  test("prints a command that opens it, ends with the signal, and continues in the next job", async ({
    place,
    model,
  }) => {
    model.setScript({ turns: [{ text: "Stored." }] });
    const env = { ...installed(place), SLURM_JOB_ID: "1" };
    const script = [join(deployFolder, "slurm.sh"), place.project];
    const job = start(place, script, env);
    const output = await job.until("It prints a link for your browser.");
    const [, socketPath = "", command = ""] = /ssh -t -L 8080:(\S+) \S+@\S+ '(.*); exec bash'/.exec(output) ?? [];
    const link = spawnSync("bash", ["-c", command], { env: place.environment, encoding: "utf8" }).stdout;
    const token = /http:\/\/localhost:8080\/#token=(\S+)/.exec(link)?.[1];
    const headers = { Host: "localhost:8080", Origin: "http://localhost:8080", "Content-Type": "application/json" };
    const post = request({ socketPath, path: "/api/sign-in", method: "POST", headers, agent: false });
    const [answer] = await once(post.end(JSON.stringify({ token })), "response");
    expect(await json(answer)).toMatchObject({ ok: true });
    const run = (...args: readonly string[]) =>
      spawnSync("gopi-web", args, { cwd: place.project, env, encoding: "utf8" });
    // The model of the test answers in this process.
    const prompt = start(place, ["gopi-web", "run", "Store this."], env);
    await prompt.until("Stored.");
    // It would start a server of its own if this one ended before.
    expect(await prompt.ended).toBe(0);
    expect(await job.end()).toBe(0);
    expect(readdirSync(place.root).filter((name) => name.startsWith("gopi-web."))).toEqual([]);

    const next = start(place, script, env);
    await next.until("It prints a link for your browser.");
    expect(run("get", "sessions").stdout).toContain("Store this.");
    expect(await next.end()).toBe(0);
  });
});
