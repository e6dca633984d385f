// A chat that shows views, for e2e/chat_test.go. The host's half of MCP Apps is
// the library's bridge; what it asks for goes to the test. The view is a frame in
// a sandbox on another origin, as in the chats that people use.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const capabilities = { openLinks: {}, serverTools: {}, updateModelContext: { text: {} } };
const looks = new Map();
let frame, asked = 0;

async function called(params) {
  const response = await fetch("/call", { method: "POST", body: JSON.stringify(params) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

// heard is what the view has asked of the chat beside calls.
window.heard = { opened: [], contexts: [], height: 0 };

// show draws a view beside a reply; it returns once the view has been told.
window.show = async ({ html, width, theme, sandbox, input, result }) => {
  frame?.remove();
  window.heard = { opened: [], contexts: [], height: 0 };
  document.body.style.background = theme === "dark" ? "#111418" : "#ffffff";
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin");
  Object.assign(frame.style, { width: `${width}px`, height: "120px", border: "0", display: "block" });
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "e2e chat", version: "1" }, capabilities, { hostContext: { theme } });
  bridge.oncalltool = called;
  bridge.onopenlink = async ({ url }) => (window.heard.opened.push(url), {});
  bridge.onupdatemodelcontext = async ({ content }) => (window.heard.contexts.push(content[0].text), {});
  bridge.addEventListener("sizechange", ({ height }) => {
    window.heard.height = height;
    frame.style.height = `${height}px`;
  });
  bridge.addEventListener("sandboxready", () => bridge.sendSandboxResourceReady({ html }));
  const told = new Promise((done, failed) => {
    bridge.addEventListener("initialized", () =>
      bridge.sendToolInput({ arguments: input }).then(() => bridge.sendToolResult(result)).then(() => done(true), failed));
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = sandbox;
  return told;
};

// look runs the text of a function in the sandbox, on the document of the view.
window.look = (source) => new Promise((done) => {
  looks.set(++asked, done);
  frame.contentWindow.postMessage({ look: asked, source }, "*");
});
addEventListener("message", ({ data }) => {
  looks.get(data.looked)?.(data.found);
  looks.delete(data.looked);
});

// place is where the middle of an element of the view is in this window.
window.place = async (source) => {
  const [x, y] = await window.look(source);
  const box = frame.getBoundingClientRect();
  return [box.x + x, box.y + y];
};
