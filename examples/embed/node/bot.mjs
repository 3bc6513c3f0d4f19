// A bot outside of druidai, in any language that can read and write lines. This one plays at random:
//
//     druidai play waltz --seat human --seat "exec:node examples/embed/node/bot.mjs"
//
// It is asked `hello` and `choose`; everything it needs to know is in the line (docs/protocol.md).
import { createInterface } from "node:readline";

const send = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, request, view, legal } = JSON.parse(line);
  if (request === "hello") {
    send({ id, name: "random in JavaScript", protocol: 1 });
  } else if (request === "choose") {
    console.error(`seat ${view.seat} may do ${legal.length} things`); // stderr is kept for you
    send({ id, action: legal[Math.floor(Math.random() * legal.length)].action });
  } else if (request === "quit") {
    send({ id });
    process.exit(0);
  } else {
    send({ id, error: "unknown request", field: "request" });
  }
});
