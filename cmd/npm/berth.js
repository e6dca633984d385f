#!/usr/bin/env node
// Becomes the program that npm installed for this system, which is a package of
// its own: npm keeps one file name for all systems. Where Node can, it is
// replaced and no Node stays beside the program.
"use strict";
const { platform, arch, argv, env } = process;
const name = `@berth-dev/${platform}-${arch}`;
const args = argv.slice(2);

function fail(text, hint) {
  process.stderr.write(`berth: ${text}\nhint: ${hint}\n`);
  process.exit(1);
}

let program;
try {
  program = require.resolve(`${name}/bin/${platform === "win32" ? "berth.exe" : "berth"}`);
} catch {
  fail(`the package ${name}, which holds the program for this system, is not installed`,
    "install again without --omit=optional, and with node_modules made on this system; there are linux, darwin and win32 for x64 and arm64");
}

if (process.execve && platform !== "win32") {
  process.execve(program, ["berth", ...args], env); // does not return
}
const child = require("node:child_process").spawn(program, args, { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("error", (err) => fail(`start ${program}: ${err.message}`, "install it again"));
child.on("exit", (code, signal) => {
  for (const s of signals) process.removeAllListeners(s);
  if (signal) process.kill(process.pid, signal);
  else process.exit(code);
});
