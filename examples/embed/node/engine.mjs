// Talks to `druidai engine` over its line protocol (docs/protocol.md). No dependencies: copy this
// file into your own front end.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class Engine {
  #process;
  #waiting = new Map(); // id -> { resolve, reject, onPartial }
  #lastId = 0;
  #gone = null;

  // `command` is the program and its arguments, e.g. ["druidai", "engine", "--threads", "2"].
  constructor(command = ["druidai", "engine"]) {
    const [program, ...args] = command;
    this.#process = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.on("error", (error) => this.#end(error));
    this.#process.on("close", (code) => this.#end(new Error(`the engine ended with code ${code}`)));
    this.#process.stdin.on("error", () => {}); // "close" tells why
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#hear(line));
  }

  // Sends a request and promises its last answer. Requests may be under way side by side.
  // `onPartial` gets the answers before the last one (`report_every` of an analysis).
  ask(request, fields = {}, onPartial = () => {}) {
    if (this.#gone) return Promise.reject(this.#gone);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, onPartial });
      this.#process.stdin.write(JSON.stringify({ ...fields, id, request }) + "\n");
    });
  }

  async quit() {
    await this.ask("quit");
    this.#process.stdin.end();
  }

  #hear(line) {
    const answer = JSON.parse(line);
    const call = this.#waiting.get(answer.id);
    if (!call) return;
    if (answer.partial) return call.onPartial(answer);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) call.resolve(answer);
    else call.reject(new Error(`${answer.field}: ${answer.error}`));
  }

  #end(error) {
    this.#gone ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}
