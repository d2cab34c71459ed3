// Lint rules: imports between layers, sizes, plain English, no casts, no floating promises. Formatting is left to the formatter.
import typescript from "typescript-eslint";
import { circles } from "./scripts/lint/circles.mjs";
import { layers } from "./scripts/lint/layers.mjs";
import { messages, messageWords } from "./scripts/lint/messages.mjs";
import { plainEnglish } from "./scripts/lint/plain-english.mjs";
import { uniqueExports } from "./scripts/lint/unique-exports.mjs";

const code = ["**/*.{ts,tsx}"];
const tests = ["**/*.test.{ts,tsx,mjs}", "**/test-*.{ts,tsx}", "**/*.contract.ts", "e2e/**/*.ts"];
const gopi = {
  rules: {
    circles,
    layers,
    messages,
    "message-words": messageWords,
    "plain-english": plainEnglish,
    "unique-exports": uniqueExports,
  },
};

const maxLines = (max) => ["error", { max, skipBlankLines: false, skipComments: false }];
const maxFunctionLines = (max) => ["error", { max, skipBlankLines: false, skipComments: false, IIFEs: false }];

const noStatement = {
  selector: "CallExpression[callee.property.name='prepare'][callee.object.name=/database/i]",
  message: "Query with drizzle: makeQueries (server/store/core/typed-database.ts).",
};
const noDefaultExport = {
  selector: "ExportDefaultDeclaration, ExportNamedDeclaration[source=null] > ExportSpecifier[exported.name='default']",
  message: "Export by name; only pages and configs have a default export.",
};
/** The pages may be below a path of their origin. */
const absoluteAddresses = [
  "JSXAttribute[name.name='href'] > Literal[value=/^\\u002F/]",
  "JSXAttribute[name.name='href'] > JSXExpressionContainer > :matches(Literal[value=/^\\u002F/], TemplateLiteral[quasis.0.value.raw=/^\\u002F/])",
  "CallExpression:matches([callee.name='fetch'], [callee.property.name=/^(?:open|register|assign|pushState|replaceState)$/]) > :matches(Literal[value=/^\\u002F/], TemplateLiteral[quasis.0.value.raw=/^\\u002F/])",
].map((selector) => ({ selector, message: "Call withBasePath (components/state/base-path.ts) with the path." }));
const inputMethodKeys = [
  {
    selector:
      "MemberExpression[property.name='isComposing']:matches([object.name='event'], [object.property.name='nativeEvent'])",
    message:
      "Safari ends the composition before the key that confirms it: call isForInputMethod (components/ui/browser).",
  },
  {
    selector:
      ":function:has(:matches(BinaryExpression[left.property.name='key'][right.value='Enter'], BinaryExpression[left.value='Enter'][right.property.name='key'], SwitchCase[test.value='Enter'], CallExpression[callee.property.name='includes'][arguments.0.property.name='key']:has(ArrayExpression > Literal[value='Enter']))):not(:has(CallExpression[callee.name='isForInputMethod']))",
    message: "Enter may confirm a candidate of an input method: return if isForInputMethod (components/ui/browser).",
  },
];
const noTimedWait = {
  selector: "CallExpression[callee.name=/^(setTimeout|sleep|delay)$/][arguments.1.type='Literal']",
  message: "A test waits for an event or for idle, never for a time.",
};
const noWaitForTimeout = {
  selector: "CallExpression[callee.property.name='waitForTimeout']",
  message: "Wait for what the user would see: expect(...).toBeVisible(), expect.poll, page.waitForEvent.",
};
const noTimeLimit = {
  selector:
    "CallExpression[callee.property.name=/^toBeLessThan/] :matches(MemberExpression[object.name=/^(performance|Date)$/][property.name='now'], MemberExpression[property.name='tookMs'])",
  message: "A busy machine takes longer: count the work (lib/testing/test-cpu), or measure it in the bench.",
};
const noShortWait = {
  selector: "CallExpression[callee.object.name='vi'][callee.property.name='waitFor']:not([arguments.1])",
  message:
    "The limit of vi.waitFor is one second, too short for a busy machine: call eventually (lib/testing/test-waits).",
};
const noBareKill = {
  selector:
    "CallExpression[callee.object.name='process'][callee.property.name='kill'][arguments.1.value=/^SIG(?!CONT|STOP|USR)/]",
  message: "An empty text is the number 0, and process.kill(0) ends the test runner: call killProcess (lib/testing).",
};
const noTimers = {
  paths: [{ name: "node:timers/promises", message: "A test waits for an event or for idle, never for a time." }],
};

export default typescript.config(
  {
    ignores: [
      "dist/",
      ".next/",
      "node_modules/",
      "next-env.d.ts",
      "server/store/migrations/",
      "test-results/",
      "evals/",
    ],
  },
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
    rules: {
      eqeqeq: ["error", "always"],
      "no-var": "error",
      "prefer-const": "error",
      "no-debugger": "error",
      "no-unused-expressions": "error",
      "max-lines": maxLines(400),
      "max-lines-per-function": maxFunctionLines(80),
    },
  },
  {
    files: code,
    languageOptions: { parser: typescript.parser },
    plugins: { "@typescript-eslint": typescript.plugin, gopi },
    rules: {
      "gopi/layers": "error",
      "gopi/circles": "error",
      "gopi/plain-english": "error",
      "gopi/unique-exports": "error",
      "no-console": "error",
      "no-restricted-syntax": ["error", noDefaultExport],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/ban-ts-comment": "error",
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
    },
  },
  { files: ["**/*.mjs"], plugins: { gopi }, rules: { "gopi/plain-english": "error" } },
  {
    files: ["server/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "no-restricted-properties": [
        "error",
        { object: "AbortSignal", property: "timeout", message: "Use timeLimit (server/base/abort.ts)." },
      ],
    },
  },
  {
    files: ["server/**/*.ts"],
    // Modules of the start and of the commits, and the full-text search, have prepared statements.
    ignores: [
      ...tests,
      "server/store/{open-store,projects,settings}.ts",
      "server/store/{access,core,files,history,sessions}/**",
      "server/store/models/{connections,model-notes,model-settings}.ts",
    ],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, noStatement] },
  },
  {
    files: ["components/**/*.tsx", "app/**/*.tsx"],
    ignores: tests,
    rules: { "gopi/messages": "error", "max-lines-per-function": maxFunctionLines(150) },
  },
  { files: ["app/**"], rules: { "max-lines": maxLines(40) } },
  {
    files: ["components/messages/**"],
    rules: { "max-lines-per-function": "off", "gopi/messages": "off" },
  },
  { files: ["components/messages/**"], ignores: tests, rules: { "gopi/message-words": "error" } },
  {
    files: ["lib/events/id.ts", "server/security/paths/safe-path.ts"],
    rules: { "@typescript-eslint/consistent-type-assertions": "off" },
  },
  { files: ["server/main.ts", "server/cli/**/*.ts", "server/cli*.ts", "e2e/bench/**"], rules: { "no-console": "off" } },
  {
    files: tests,
    rules: {
      "max-lines": maxLines(600),
      "max-lines-per-function": "off",
      "no-restricted-syntax": [
        "error",
        noDefaultExport,
        noTimedWait,
        noTimeLimit,
        noShortWait,
        noWaitForTimeout,
        noBareKill,
      ],
      "no-restricted-imports": ["error", noTimers],
    },
  },
  {
    files: ["components/**/*.{ts,tsx}"],
    ignores: [
      ...tests,
      // The definitions, a script without imports, and handlers of buttons and rows, which are not typed into.
      "components/actions/keys.ts",
      "components/chat/approval/approval-choices.ts",
      "components/chat/composer/composer-keys.ts",
      "components/settings/shortcuts/shortcut-row.tsx",
      "components/shell/boot/first-field.ts",
      "components/chat/tree/tree-dialog.tsx",
      "components/ui/layout/divider.tsx",
    ],
    rules: { "no-restricted-syntax": ["error", noDefaultExport, ...inputMethodKeys, ...absoluteAddresses] },
  },
  { files: ["app/**", "*.config.ts"], rules: { "no-restricted-syntax": "off" } },
);
