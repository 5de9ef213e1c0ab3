// Stands between the suite, which knows of no tokens, and `mnemic serve`, which lets nobody in
// without: adds the token, and gives the server's own name where the suite gives this one's.
// Usage: node with-token.mjs URL TOKEN; prints its own address.

import http from "node:http";

const [target, token] = [new URL(process.argv[2]), process.argv[3]];
const proxy = http.createServer((asked, answer) => {
    const port = proxy.address().port;
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const ours = (name) => ["127.0.0.1", "localhost"].some((host) => name === `${host}:${port}`);
    // A foreign name stays foreign: whether it is refused is what the suite wants to know.
    if (ours(headers.host)) headers.host = target.host;
    if (headers.origin && ours(headers.origin.replace(/^http:\/\//, ""))) headers.origin = target.origin;
    const passed = http.request(
        {
            host: target.hostname, port: target.port, path: asked.url, method: asked.method,
            headers, setHost: false,
        },
        (got) => {
            answer.writeHead(got.statusCode, got.headers);
            got.pipe(answer);
        },
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
});
proxy.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${proxy.address().port}/mcp`));
