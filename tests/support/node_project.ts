/** A project of Node's own, outside of the workspace, as somebody has who installs the packages. */

import { COMPILER } from "../../scripts/pack/types.ts";

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: "es2022",
    erasableSyntaxOnly: true,
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
  },
} as const;

/** A program that runs. */
export interface Running {
  /** Resolves when it has printed `text`; fails with all that it printed if it ends before. */
  printed(text: string): Promise<void>;
  /** Resolves when it has ended by itself, with its exit code and all that it printed. */
  ended(): Promise<{ code: number; said: string }>;
  /** Sends a signal, and resolves when the program is gone, with its exit code. */
  end(signal: Deno.Signal): Promise<number>;
}

/** An empty project with the compiler; removed with all in it, and its programs ended. */
export interface NodeProject extends AsyncDisposable {
  readonly folder: string;
  /** Installs packages from tarballs, and what they depend on from the npm registry. */
  install(tarballs: readonly string[]): Promise<void>;
  write(name: string, text: string): Promise<void>;
  /** Compiles files beside themselves, and gives the compiler's complaints, line by line. */
  compile(names: readonly string[]): Promise<readonly string[]>;
  /** Starts a command in the project's folder. */
  start(command: readonly [string, ...string[]], env: Readonly<Record<string, string>>): Running;
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
    async compile(names) {
      await write("tsconfig.json", JSON.stringify({ ...TSCONFIG, files: names }));
      const { said } = await output(folder, "node_modules/.bin/tsc", "-p", ".");
      return said.split("\n").filter((line) => line !== "");
    },
    start(command, env) {
      const program = run(folder, command, env);
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

function run(
  cwd: string,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Running {
  const process = new Deno.Command(command, { args, cwd, env: { ...env }, stdout: "piped", stderr: "piped" }).spawn();
  let said = "";
  let isOver = false;
  const read = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) said += text;
  };
  const ended = (async () => {
    const [{ code }] = await Promise.all([process.status, read(process.stdout), read(process.stderr)]);
    isOver = true;
    return { code, said };
  })();
  return {
    async printed(text) {
      while (!said.includes(text)) {
        if (isOver) throw new Error(`Cannot test: ${[command, ...args].join(" ")} has ended\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    ended: () => ended,
    async end(signal) {
      try {
        process.kill(signal);
      } catch {
        // It has ended already.
      }
      return (await ended).code;
    },
  };
}
