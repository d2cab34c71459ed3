/** "Always allow" offers a rule that covers no more than its words; files that run code ask in Full access too. */
import { describe, expect, test } from "vitest";
import { bashRule, makeDecisionFixture } from "./test-decision-fixture";

const fixture = makeDecisionFixture();

/** Decides the second command under the rule that the card of the first one offers. */
async function afterAlways(first: string, second: string): Promise<string> {
  const offered = /^ask executes \[(.*)\]$/.exec(await fixture.formattedDecision(first))?.[1] ?? "";
  const words = offered.split(" ");
  const rest = words.at(-1) === "*";
  const rule = bashRule({ words: rest ? words.slice(0, -1) : words, rest });
  return await fixture.formattedDecision(second, { rules: offered === "" ? [] : [rule] });
}

describe("a rule that was offered for the first command does not cover the second", () => {
  test.each([
    ["git clean -n", "git clean -fdx"],
    ["git reset", "git reset --hard"],
    ["git checkout main", "git checkout -- ."],
    ["git restore a.txt", "git restore ."],
    ["git rm a.txt", "git rm -r src"],
    ["git switch main", "git switch --discard-changes main"],
    ["git worktree list", "git worktree remove x"],
    ["git tag v1", "git tag -d v1"],
    ["git tag -l", "git tag --delete v1"],
    ["git stash list", "git stash drop"],
    ["git gc", "git gc --prune=now"],
    ["git reflog", "git reflog expire --all"],
    ["gh repo list", "gh repo delete x"],
    ["gh pr list", "gh pr merge 1"],
    ["gh secret list", "gh secret set x"],
    ["terraform state list", "terraform state rm x"],
    ["terraform workspace list", "terraform workspace delete x"],
    ["terraform apply -target=x", "terraform apply"],
    ["docker exec web ls", "docker exec web sh"],
    ["docker exec web ls", "docker exec db ls"],
    ["docker volume ls", "docker volume prune"],
    ["npx prisma generate", "npx prisma db push"],
    ["npx wrangler whoami", "npx wrangler delete"],
    ["uv run alembic history", "uv run alembic downgrade base"],
    ["uv pip list", "uv pip uninstall x"],
    ["python manage.py test", "python manage.py flush"],
    ["python manage.py shell", "python manage.py shell -c 'x'"],
    ["python manage.py check", "python manage.py shell -c 'x'"],
    ["php artisan list", "php artisan migrate:fresh"],
    ["python x.py", "python x.py -c 'code'"],
    ["node x.js", "node x.js --eval 1"],
    ["go env GOPATH", "go env -w GOFLAGS=-toolexec=x"],
    ["make test", "make test install"],
    ["make", "make clean"],
    ["mvn test", "mvn test deploy"],
    ["gradle build", "gradle build publish"],
    ["npm install", "npm install https://example.org/x.tgz"],
    ["npm install lodash", "npm install git+ssh://git@example.org/x"],
    ["npm install lodash", "npm install someone/thing"],
    ["yarn add x", "yarn add file:../y"],
    ["pip install x", "pip install https://example.org/x.whl"],
    ["pip install x", "pip install git+https://example.org/x"],
    ["docker exec -it web ls", "docker exec -it web sh"],
    ["docker exec web sh", "docker exec web sh -c 'ls'"],
    ["docker compose exec web ls", "docker compose exec web sh"],
    ["docker compose run web ls", "docker compose run web sh"],
    ["kubectl delete pod x", "kubectl delete ns prod"],
    ["helm repo list", "helm repo remove x"],
    ["npx prisma migrate status", "npx prisma migrate reset"],
    ["npx wrangler kv list", "npx wrangler kv delete x"],
    ["npx vercel", "npx vercel --prod"],
    ["pnpm exec prisma validate", "pnpm exec prisma migrate reset"],
    ["yarn workspace a test", "yarn workspace a deploy"],
    ["deno task test", "deno task deploy"],
    ["pip cache list", "pip cache purge"],
    ["brew services list", "brew services stop x"],
    ["cargo install --list", "cargo install x"],
    ["npx prettier --check .", "npx prettier --write ."],
    ["uvx ruff check", "uvx ruff clean"],
    ["git branch x", "git branch -m main"],
  ])("%s; %s", async (first, second) => expect(await afterAlways(first, second)).toMatch(/^ask/));
});

describe("a rule that was offered for the first command covers the second", () => {
  test.each([
    ["npm test", "npm test -- src"],
    ["npm run build", "npm run build -- --watch"],
    ["git log", "git log --oneline"],
    ["git add a.txt", "git add b.txt"],
    ["git worktree list", "git worktree list -v"],
    ["gh pr list", "gh pr list --limit 5"],
    ["npx jest src", "npx jest src/deep"],
    ["npx prisma generate", "npx prisma generate --watch"],
    ["docker exec web ls", "docker exec web ls -l"],
    ["python manage.py test", "python manage.py test app"],
    ["npm install lodash", "npm install react"],
    ["go env GOPATH", "go env GOROOT"],
    ["go test ./...", "go test ./pkg"],
    ["make test", "make test"],
    ["docker compose exec web ls", "docker compose exec web ls -l"],
    ["pnpm exec prisma validate", "pnpm exec prisma validate x"],
    ["npx prisma migrate status", "npx prisma migrate status -v"],
    ["yarn workspace a test", "yarn workspace a test src"],
  ])("%s; %s", async (first, second) => expect(await afterAlways(first, second)).toBe("allow rule"));
});

describe("Full access asks before a file changes that makes other programs run code", () => {
  test.each([
    "uniq a.txt .vscode/settings.json",
    "iconv -o .vscode/tasks.json a.txt",
    "shuf a.txt -o .bashrc",
    "find . -fprintf .husky/pre-commit x",
    "openssl enc -in a.txt -out .npmrc",
    "git mv a.txt .husky/pre-commit",
    "unknown-tool --out=.vscode/settings.json",
    "cp a.txt ~/.bashrc",
    "echo x >> ~/.bashrc",
    "echo x | tee -a ~/.ssh/authorized_keys",
    "cp a.txt /root/.ssh/authorized_keys",
    "install a.txt ~/.config/git/config",
    "curl -o ~/.zshrc https://example.org",
    "ln -s a.txt ~/.profile",
    "echo x > ~/.ssh/config",
    "git config --global core.pager x",
    "git config --global alias.st status",
    "git config core.hooksPath hooks",
    "git config set --global core.editor x",
    "git -C src config filter.x.clean y",
    "git config --global --edit",
    "crontab a.txt",
    "npm config set script-shell ./x",
    "npm set script-shell ./x",
    "yarn config set yarnPath ./x",
    "pip config set global.index-url https://example.org",
    "go env -w GOFLAGS=-toolexec=./x",
    "gh alias set x '!ls'",
    "gh config set pager x",
    "aws --profile x configure set credential_process ./x",
    "composer global config x y",
    "code --install-extension ./x.vsix",
    "systemctl --user enable x",
    "at now -f a.txt",
    "echo x > /etc/profile",
    "echo x > /etc/ld.so.preload",
    "echo x > ~/bin/ls",
    "install -m755 a.txt /usr/local/bin/git",
    "cp a.txt $x.npmrc",
  ])("%s", async (command) =>
    expect(await fixture.formattedDecision(command, { mode: "full" })).toMatch(/^ask (?:runs_code|unreadable)/),
  );

  test.each([
    "git add .husky/pre-commit",
    "git diff .vscode/settings.json",
    "git commit -m 'docs: update AGENTS.md'",
    "less ~/.bashrc",
    "cat ~/.bashrc",
    "grep -n x ~/.zshrc",
    "git config user.name x",
    "git config --get core.editor",
    "git config -l",
    "crontab -l",
    "npm config get registry",
    "npm pkg set type=module",
    "go env GOPATH",
    "gh config get pager",
    "systemctl status x",
    "cp /usr/bin/env out",
    "timeout 5 /usr/local/bin/tool x",
    "cp a.txt ~/notes.txt",
    "touch /tmp/x",
  ])("%s does not ask", async (command) =>
    expect(await fixture.formattedDecision(command, { mode: "full" })).toMatch(/^allow/),
  );
});
