// A program with MCP's TypeScript SDK, version 1 or 2, for e2e/clients_test.go.
//
//   node sdk.mjs 1|2 FILE
//
// It starts the server berth as FILE says, in the form of .mcp.json, and then
// does what each line of its input says:
//
//   {"tool": "…", "args": {…}}   calls a tool and prints {"result": {…}} or {"error": "…"}
//   {"cancel": true}             gives the running call up
//
// A question to a person is printed as {"question": "…"} and approved.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [version, file] = process.argv.slice(2);
const print = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const answer = async ({ params }) => {
  print({ question: params.message });
  return { action: "accept", content: { decision: "approve" } };
};

async function connect(transportOf, Client, schema, options) {
  const { command, args } = JSON.parse(readFileSync(file, "utf8")).mcpServers.berth;
  const client = new Client({ name: "berth-e2e", version: "1" }, { capabilities: { elicitation: {} }, ...options });
  client.setRequestHandler(schema, answer);
  await client.connect(new transportOf({ command, args, env: process.env }));
  return client;
}

async function first() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const client = await connect(StdioClientTransport, Client, ElicitRequestSchema, {});
  return (call, signal) => client.callTool(call, undefined, { signal });
}

async function second() {
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const client = await connect(StdioClientTransport, Client, "elicitation/create", { versionNegotiation: { mode: "auto" } });
  return (call, signal) => client.callTool(call, { signal });
}

const callTool = await (version === "1" ? first() : second());
let running = new AbortController();
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, args, cancel } = JSON.parse(line);
  if (cancel) {
    running.abort(new Error("given up"));
    continue;
  }
  running = new AbortController();
  callTool({ name: tool, arguments: args }, running.signal).then(
    (result) => print({ result }),
    (error) => print({ error: String(error) }),
  );
}
process.exit(0);
