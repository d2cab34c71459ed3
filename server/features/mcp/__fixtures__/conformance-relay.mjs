// The "client" of the conformance suite: passes the address of the scenario's server to the test, which is the client, and
// ends with it. Arguments: port of the test, address.
import { connect } from "node:net";

const [port, url] = process.argv.slice(2);
connect(Number(port), "127.0.0.1", function () {
  this.write(`${JSON.stringify({ url, context: JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "null") })}\n`);
}).resume();
