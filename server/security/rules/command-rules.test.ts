import { describe, expect, test } from "vitest";
import type { Mode, RuleEffect } from "@/lib/permissions/policy";
import { makeDecisionFixture, bashRule } from "../decisions/test-decision-fixture";

const fixture = makeDecisionFixture();

/** Makes a rule from its text: `git push *` or `make`. */
const ruleFromText = (text: string, effect: RuleEffect) => {
  const words = text.split(" ");
  const rest = words.at(-1) === "*";
  return bashRule({ words: rest ? words.slice(0, -1) : words, rest }, effect);
};

const denied = (rule: string) => `refuse rule_denies ${rule}`;

describe("a rule that denies a command", () => {
  const table: readonly (readonly [rule: string, command: string, says: string])[] = [
    ["git push *", "git push", denied("git push *")],
    ["git push *", "git push origin main", denied("git push *")],
    ["git push *", "ls && git push", denied("git push *")],
    ["git push *", "ls; git push", denied("git push *")],
    ["git push *", "ls & git push", denied("git push *")],
    ["git push *", "ls | git push", denied("git push *")],
    ["git push *", "ls\ngit push", denied("git push *")],
    ["git push *", "if true; then git push; fi", denied("git push *")],
    ["git push *", "echo $(git push)", denied("git push *")],
    ["git push *", "echo `git push`", denied("git push *")],
    ["git push *", "cat < <(git push)", denied("git push *")],
    ["git push *", "f() { git push; }; f", denied("git push *")],
    ["git push *", "(git push)", denied("git push *")],
    ["git push *", "! git push", denied("git push *")],
    // behind wrappers
    ["git push *", "env git push", denied("git push *")],
    ["git push *", "env A=1 git push", denied("git push *")],
    ["git push *", "timeout 5 git push", denied("git push *")],
    ["git push *", "nohup nice git push", denied("git push *")],
    ["git push *", "sh -c 'git push'", denied("git push *")],
    ["git push *", "bash -c 'ls; git push'", denied("git push *")],
    ["git push *", "eval git push", denied("git push *")],
    ["git push *", "find . -exec git push {} \\;", denied("git push *")],
    ["git push *", "xargs git push", denied("git push *")],
    ["git push *", "sh <<'x'\ngit push\nx", denied("git push *")],
    ["rimraf *", "npx rimraf dist", denied("rimraf *")],
    ["rimraf *", "npm exec -- rimraf dist", denied("rimraf *")],
    // with options between the words
    ["npm run publish *", "npm run --silent publish", denied("npm run publish *")],
    ["npm run publish *", "npm --prefix src run -s publish", denied("npm run publish *")],
    ["docker compose up *", "docker compose -f a.yml up -d", denied("docker compose up *")],
    ["docker compose up *", "docker --context x compose --file a.yml -p y up", denied("docker compose up *")],
    ["git push origin *", "git push -q origin main", denied("git push origin *")],
    ["git push origin *", "git -C src push --force -u origin", denied("git push origin *")],
    ["kubectl delete *", "kubectl -n x delete pod y", denied("kubectl delete *")],
    ["terraform state rm *", "terraform -chdir=x state -lock=false rm y", denied("terraform state rm *")],
    // other names of a verb
    ["npm run publish *", "npm run-script publish", denied("npm run publish *")],
    ["npm run publish *", "npm rum publish", denied("npm run publish *")],
    ["npm run-script publish *", "npm run publish", denied("npm run-script publish *")],
    ["npm test *", "npm t", denied("npm test *")],
    ["npm test *", "npm run test", denied("npm test *")],
    ["npm run test *", "npm test -- x", denied("npm run test *")],
    ["npm install *", "npm i lodash", denied("npm install *")],
    ["npm install *", "pnpm i; npm add x", denied("npm install *")],
    ["npm uninstall *", "npm rm lodash", denied("npm uninstall *")],
    ["npm exec *", "npm x jest", denied("npm exec *")],
    ["npm config *", "npm set x y", denied("npm config *")],
    ["npm ls *", "npm ll", denied("npm ls *")],
    ["yarn run publish *", "yarn publish", denied("yarn run publish *")],
    ["yarn publish *", "yarn run publish", denied("yarn publish *")],
    ["pnpm run publish *", "pnpm --filter x publish", denied("pnpm run publish *")],
    ["yarn run publish *", "yarn workspace a run publish", denied("yarn run publish *")],
    ["npm run publish *", "corepack npm run publish", denied("npm run publish *")],
    ["cargo test *", "cargo +nightly t", denied("cargo test *")],
    ["docker run *", "docker container run x", denied("docker run *")],
    ["docker compose up *", "docker-compose up -d", denied("docker compose up *")],
    ["pip install *", "pip3 install x", denied("pip install *")],
    // options and targets in another order
    ["git push --force *", "git push origin main --force", denied("git push --force *")],
    ["git reset --hard *", "git reset HEAD~1 --hard", denied("git reset --hard *")],
    ["make deploy *", "make test deploy", denied("make deploy *")],
    ["make deploy *", "gmake A=1 deploy", denied("make deploy *")],
    // other forms of an option
    ["git push --force *", "git push -f", denied("git push --force *")],
    ["git push --force *", "git push -uf origin main", denied("git push --force *")],
    ["git push --force *", "git push --forc", denied("git push --force *")],
    ["git push -f *", "git push origin --force", denied("git push -f *")],
    ["git clean -fd *", "git clean -d -f", denied("git clean -fd *")],
    ["git clean -fd *", "git clean -xdf", denied("git clean -fd *")],
    ["git clean -f -d", "git clean -fd", denied("git clean -f -d")],
    ["git branch -D *", "git branch --delete --force x", denied("git branch -D *")],
    ["git commit --no-verify *", "git commit -nm x", denied("git commit --no-verify *")],
    ["npm publish --access public *", "npm publish --access=public", denied("npm publish --access public *")],
    ["npm publish --access=public *", "npm publish --access public", denied("npm publish --access=public *")],
    ["npm publish --force *", "npm -f publish", denied("npm publish --force *")],
    ["kubectl delete --namespace prod *", "kubectl -n prod delete pod x", "ask rule_asks"],
    [
      "terraform apply -auto-approve *",
      "terraform apply --auto-approve=true",
      denied("terraform apply -auto-approve *"),
    ],
    ["docker compose down -v *", "docker compose down --volumes", denied("docker compose down -v *")],
    ["tar -xf *", "tar xf a.tar", denied("tar -xf *")],
    ["tar xf *", "tar -x -f a.tar", denied("tar xf *")],
    ["curl -o *", "curl -ofile x", "ask rule_asks"],
    ["curl --output *", "curl -so file x", "ask rule_asks"],
    // a program of a package by any runner
    ["npm publish *", "node node_modules/npm/bin/npm-cli.js publish", denied("npm publish *")],
    ["npm publish *", "node --no-warnings /usr/lib/node_modules/npm/bin/npm-cli.js publish", denied("npm publish *")],
    ["npm publish *", "./node_modules/npm/bin/npm-cli.js publish", denied("npm publish *")],
    ["npm publish *", "npx -y npm@10 publish", denied("npm publish *")],
    ["npm publish *", "cd src && node npm-cli.js publish", denied("npm publish *")],
    ["npx cowsay *", "node node_modules/.bin/cowsay x", denied("npx cowsay *")],
    ["npm exec cowsay *", "npx cowsay x", denied("npm exec cowsay *")],
    ["yarn publish *", "node node_modules/yarn/bin/yarn.js publish", denied("yarn publish *")],
    ["prisma migrate *", "node node_modules/.bin/prisma migrate dev", denied("prisma migrate *")],
    ["npx prisma migrate *", "node node_modules/prisma/build/index.js migrate", denied("npx prisma migrate *")],
    ["pip install *", "python3 -mpip install x", denied("pip install *")],
    ["npx prisma migrate *", "pnpm exec prisma migrate dev", denied("npx prisma migrate *")],
    ["npx prisma migrate *", "prisma migrate dev", denied("npx prisma migrate *")],
    ["prisma migrate *", "yarn prisma migrate", denied("prisma migrate *")],
    ["prisma migrate *", "npx prisma@latest migrate dev", denied("prisma migrate *")],
    ["prisma migrate *", "npx -p prisma prisma migrate", denied("prisma migrate *")],
    ["alembic downgrade *", "uv run --with x alembic downgrade", denied("alembic downgrade *")],
    ["alembic downgrade *", "conda run -n x alembic downgrade", denied("alembic downgrade *")],
    // a script by any path
    ["./deploy.sh *", "bash -o pipefail deploy.sh", denied("./deploy.sh *")],
    ["./deploy.sh *", "find . -exec bash {} ';'", "ask rule_asks"],
    ["bash deploy.sh *", "sh ./deploy.sh", denied("bash deploy.sh *")],
    ["python3 manage.py flush *", "python manage.py flush", denied("python3 manage.py flush *")],
    ["node tools/deploy.js *", "node ./tools/deploy.js", denied("node tools/deploy.js *")],
    ["node ./tools/deploy.js *", "node tools/../tools/deploy.js x", denied("node ./tools/deploy.js *")],
    ["node ./src/x.js *", "cd src && node ../src/x.js", denied("node ./src/x.js *")],
    ["./deploy.sh *", "bash deploy.sh", denied("./deploy.sh *")],
    ["./deploy.sh *", "sh ./deploy.sh prod", denied("./deploy.sh *")],
    ["python3 manage.py flush *", "python3 ./manage.py flush", denied("python3 manage.py flush *")],
    // in every spelling
    ["git push *", "g'i't pu\"sh\"", denied("git push *")],
    ["git push *", "/usr/bin/git push", denied("git push *")],
    ["git push *", "GIT push", denied("git push *")],
    ["git push *", "git.exe push", denied("git push *")],
    ["git push *", "git -C src push", denied("git push *")],
    ["git push *", "git --no-pager -c a=b push", denied("git push *")],
    ["curl *", "curl", denied("curl *")],
    ["curl *", "A=1 curl x > a.txt", denied("curl *")],
    ["make", "make", denied("make")],
    ["ls *", "ls src", denied("ls *")],
    // a possible match asks
    ["git push *", "git $x", "ask rule_asks"],
    ["git push *", "xargs git", "ask rule_asks"],
    ["git push *", "git pus*", "ask rule_asks"],
    ["make", "xargs make", "ask rule_asks"],
    ["git push *", "$x push", "ask unreadable"],
    ["git push *", "env --what git push", "ask unreadable"],
    ["curl *", "unknown-tool curl x", "ask rule_asks"],
    // a command that does not match is judged as before
    ["make deploy *", "make test", "ask executes [make test]"],
    ["git push --force *", "git push -u origin main", "ask executes [git push *]"],
    ["git push --force *", "git push --force-with-lease", "ask executes [git push --force-with-lease]"],
    ["git clean -fd *", "git clean -d", "ask executes [git clean -d]"],
    ["git commit --amend *", "git commit -am x", "ask executes [git commit *]"],
    ["find -delete *", "find . -type d -empty", "ask executes [find . -type d -empty]"],
    [
      "prisma migrate *",
      "node node_modules/prisma/build/index.js generate",
      "ask executes [node node_modules/prisma/build/index.js *]",
    ],
    ["yarn run publish *", "yarn test", "ask executes [yarn test *]"],
    ["yarn test *", "test -f a.txt", "allow reads"],
    ["prisma migrate *", "npx prisma generate", "ask executes [npx prisma generate *]"],
    ["git push *", "git pull", "ask executes [git pull *]"],
    ["git push *", "git commit -m push", "ask executes [git commit *]"],
    ["git push *", "git pushx", "ask executes [git pushx *]"],
    ["git push *", "echo git push", "allow reads"],
    ["git push *", "grep push a.txt", "allow reads"],
    ["git push *", "ls # git push", "allow reads"],
    ["git push *", "xgit push", "ask executes [xgit push]"],
    ["make", "make install", "ask executes [make install]"],
    ["make", "makes", "ask executes [makes]"],
    ["curl *", "curly", "ask executes [curly]"],
    ["rimraf *", "npx eslint .", "ask executes [npx eslint *]"],
    // is stricter than a blocked word, which the user may run; a protected file keeps its reason
    ["rm *", "rm x", denied("rm *")],
    ["cat *", "cat .env", "refuse protected"],
  ];
  test.each(table)("%s: %j is %s", async (rule, command, expected) => {
    expect(await fixture.formattedDecision(command, { rules: [ruleFromText(rule, "deny")] })).toBe(expected);
  });

  test("takes precedence over allow and ask in any order and every mode", async () => {
    const rules = [
      ruleFromText("git push *", "allow"),
      ruleFromText("git push *", "ask"),
      ruleFromText("git push *", "deny"),
    ];
    for (const mode of ["ask", "edits", "plan", "full"] satisfies readonly Mode[]) {
      expect(await fixture.formattedDecision("git push", { mode, rules })).toBe(denied("git push *"));
      expect(await fixture.formattedDecision("git push", { mode, rules: rules.toReversed() })).toBe(
        denied("git push *"),
      );
    }
  });

  test("applies where the rest cannot be read", async () => {
    expect(await fixture.formattedDecision("git push; $x", { rules: [ruleFromText("git push *", "deny")] })).toBe(
      denied("git push *"),
    );
  });

  test("costs no more with 100 rules of the same program than with one, however many options precede the verb", async () => {
    const options = Array.from({ length: 2_000 }, () => "-a x").join(" ");
    const rules = Array.from({ length: 100 }, (_, index) => ruleFromText(`git push${index} *`, "deny"));
    const spent = async (ruleList: typeof rules): Promise<number> => {
      const before = process.cpuUsage();
      expect(await fixture.formattedDecision(`git ${options}`, { rules: ruleList })).toMatch(/^ask/);
      return process.cpuUsage(before).user / 1_000;
    };
    const least = async (ruleList: typeof rules): Promise<number> =>
      Math.min(await spent(ruleList), await spent(ruleList));
    const one = await least(rules.slice(0, 1));
    expect(await least(rules)).toBeLessThan(10 * Math.max(one, 20));
  });
});

describe("a rule that asks about a command", () => {
  const table: readonly (readonly [string, string, Mode, string])[] = [
    ["npm publish *", "npm publish", "full", "ask rule_asks"],
    ["npm publish *", "npm publish", "edits", "ask rule_asks"],
    ["npm publish *", "npm publish", "ask", "ask rule_asks"],
    ["npm publish *", "npm publish", "plan", "refuse plan_mode"],
    ["npm publish *", "env npm publish", "full", "ask rule_asks"],
    ["npm publish *", "npm test && npm publish", "full", "ask rule_asks"],
    ["npm publish *", "npm test", "full", "allow mode"],
    ["cat *", "cat a.txt", "ask", "ask rule_asks"],
    ["cat *", "cat a.txt", "plan", "ask rule_asks"],
    ["cat *", "cat a.txt && npm test", "plan", "refuse plan_mode"],
    ["cat *", "ls", "plan", "allow reads"],
    ["cd *", "cd src && cat ../a.txt", "full", "ask rule_asks"],
    ["rm *", "rm x", "full", "refuse blocked_word rm"],
  ];
  test.each(table)("%s: %j in %s mode is %s", async (rule, command, mode, expected) => {
    expect(await fixture.formattedDecision(command, { mode, rules: [ruleFromText(rule, "ask")] })).toBe(expected);
  });

  test("takes precedence over an allow rule, and offers no Always", async () => {
    const rules = [ruleFromText("npm *", "allow"), ruleFromText("npm publish *", "ask")];
    expect(await fixture.formattedDecision("npm test", { rules })).toBe("allow rule");
    expect(await fixture.formattedDecision("npm publish", { rules })).toBe("ask rule_asks");
  });
});

describe("a rule that only allows", () => {
  test.each([
    ["env npm test", "ask executes"],
    ["npm -s test", "ask executes [npm -s test]"],
    ["/usr/bin/npm test", "ask executes [/usr/bin/npm test *]"],
    ["NPM test", "ask executes [NPM test *]"],
    ["sh -c 'npm test'", "ask executes"],
    ["xargs npm test", "ask executes"],
  ])("does not cover %j", async (command, expected) => {
    expect(await fixture.formattedDecision(command, { rules: [ruleFromText("npm test *", "allow")] })).toBe(expected);
  });
});
