/** A project of Node's own, outside of the workspace, as somebody has who installs the packages. */

import { COMPILER } from "../../scripts/pack/types.ts";

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
  },
} as const;

/** A program that runs. */
export interface Running {
  /** Resolves when it has printed `text`; fails with all that it printed if it ends before. */
  printed(text: string): Promise<void>;
  /** Sends a signal, and resolves when the program is gone. */
  end(signal: Deno.Signal): Promise<void>;
}

/** An empty project with the compiler; removed with all in it, and its programs ended. */
export interface NodeProject extends AsyncDisposable {
  readonly folder: string;
  /** Installs packages from tarballs, and what they depend on from the npm registry. */
  install(tarballs: readonly string[]): Promise<void>;
  write(name: string, text: string): Promise<void>;
  /** Compiles a file beside itself, and gives the compiler's complaints: none if it is well. */
  compile(name: string): Promise<string>;
  start(script: string, env: Readonly<Record<string, string>>): Running;
}

/** Makes a project in a folder of its own. */
export async function nodeProject(): Promise<NodeProject> {
  const folder = await Deno.makeTempDir({ prefix: "inlet-node-" });
  const programs: Running[] = [];
  const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);
  await write("package.json", JSON.stringify({ private: true, type: "module", devDependencies: COMPILER }));
  return {
    folder,
    write,
    async install(tarballs) {
      const options = ["--no-audit", "--no-fund", "--prefer-offline"];
      const { success, said } = await output(folder, "npm", "install", ...options, ...tarballs);
      if (!success) throw new Error(`Cannot install the tarballs: ${said}`);
    },
    async compile(name) {
      await write("tsconfig.json", JSON.stringify({ ...TSCONFIG, files: [name] }));
      return (await output(folder, "node_modules/.bin/tsc", "-p", ".")).said.trim();
    },
    start(script, env) {
      const program = runningNode(folder, script, env);
      programs.push(program);
      return program;
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program.end("SIGKILL");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

async function output(cwd: string, command: string, ...args: string[]): Promise<{ success: boolean; said: string }> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, cwd, env: { NO_COLOR: "1" } }).output();
  const text = new TextDecoder();
  return { success, said: text.decode(stdout) + (success ? "" : text.decode(stderr)) };
}

function runningNode(cwd: string, script: string, env: Readonly<Record<string, string>>): Running {
  const process = new Deno.Command("node", { args: [script], cwd, env: { ...env }, stdout: "piped", stderr: "piped" })
    .spawn();
  let said = "";
  let ended = false;
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) said += text;
  };
  const end = Promise.all([process.status, read(process.stdout), read(process.stderr)]).then(() => {
    ended = true;
  });
  return {
    async printed(text) {
      while (!said.includes(text)) {
        if (ended) throw new Error(`Cannot test: ${script} has ended\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async end(signal) {
      if (!ended) process.kill(signal);
      await end;
    },
  };
}
