/**
 * `npm run soak [-- kills [seed]]`: runs the harness of kills.test.ts at length. Prints counts; exits with 1 when
 * anything was lost or done twice. `npm run soak -- --openapi FILE` adds a real OpenAPI document instead.
 */
import { cutConnections, emptyCutReport } from "./cuts";
import { emptyReport, killHome } from "./kills";
import { exerciseServers } from "./mcp-servers";
import { addDocument, describeReport } from "./openapi-document";

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const [option, file] = process.argv.slice(2);
if (option === "--openapi") {
  if (file === undefined) {
    process.stderr.write("soak: no file\nUse: npm run soak -- --openapi FILE\n");
    process.exit(2);
  }
  for (const line of describeReport(await addDocument(file))) printLine(line);
  process.exit(0);
}

const homes = 2;
const [kills = 1_000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const report = emptyReport();
const startedAt = performance.now();

printLine(`seed ${seed}`);
await Promise.all(
  Array.from({ length: homes }, (_, index) =>
    killHome(Math.floor(kills / homes) + (index < kills % homes ? 1 : 0), seed + index, report),
  ),
);
const network = emptyCutReport();
await cutConnections({ cuts: Math.ceil(kills / 3), runs: 3 }, seed, network);
report.losses.push(...network.wrong);
const serverRounds = { stops: 100, kills: 20 };
report.losses.push(...(await exerciseServers(serverRounds)));
const total = Object.values(report.kills).reduce((sum, count) => sum + count, 0);
printLine(
  `kills ${total}: ${Object.entries(report.kills)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ")}`,
);
printLine(
  `audited: ${report.messages} acknowledged messages, ${report.events} events; at most ${Math.round(report.lostTextMs)} ms of text lost`,
);
printLine(
  `network cuts ${network.cuts}, server restarts between them ${network.restarts}, views compared ${network.compared}`,
);
printLine(`MCP servers: ${serverRounds.stops} stops, ${serverRounds.kills} kills of the product with three at work`);
for (const words of [...report.losses, ...report.duplicates]) printLine(`  ${words}`);
printLine(
  `losses ${report.losses.length}, doubles ${report.duplicates.length}; ${Math.round((performance.now() - startedAt) / 1000)} s`,
);
// Text that a kill may lose: the interval of the checkpoints plus the delay of a slow machine.
const lostTextMaxMs = 1_000;
const isShort = report.lostTextMs <= lostTextMaxMs;
if (!isShort) printLine(`more than ${lostTextMaxMs} ms of text lost`);
process.exitCode = isShort && report.losses.length + report.duplicates.length === 0 && total >= kills ? 0 : 1;
