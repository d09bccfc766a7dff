/** Looking at other processes. */
import assert from "node:assert/strict";

/** How often it is looked whether what is to go is gone, on a machine as slow as may be, and the pause between, in milliseconds. */
const LOOKS = 2400;
const PAUSE_MS = 50;

async function listFromProc(): Promise<string[]> {
  const pids = (await Array.fromAsync(Deno.readDir("/proc"))).map(({ name }) => name).filter((name) =>
    /^\d+$/.test(name)
  );
  return await Promise.all(pids.map(async (pid) => {
    // A process that ends while we look gives nothing.
    const read = (file: string) => Deno.readTextFile(`/proc/${pid}/${file}`).catch(() => "");
    return `${pid} ${await read("cmdline")} ${await read("environ")}`.replaceAll("\0", " ");
  }));
}

async function listFromPs(): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["axeww", "-o", "pid=,args="] }).output();
  return new TextDecoder().decode(stdout).split("\n");
}

/** Lists the processes that have `text` in their command line or environment: process id, command line, environment. */
export async function processesUsing(text: string): Promise<string[]> {
  const lines = Deno.build.os === "linux" ? await listFromProc() : await listFromPs();
  return lines.filter((line) => line.includes(text));
}

/** Waits until no process uses a temporary folder, or another name, and there is none; fails if that does not come. */
export async function assertNothingLeft(folder: string): Promise<void> {
  const look = async () => {
    const exists = await Deno.stat(folder).then(() => true, () => false);
    return [...await processesUsing(folder), ...(exists ? [folder] : [])];
  };
  let left = await look();
  for (let looks = 1; looks < LOOKS && left.length > 0; looks++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    left = await look();
  }
  assert.deepEqual(left, []);
}

/**
 * The most memory, in bytes, that the process which has both texts in its command line or environment ever held at once;
 * what it holds now where the system does not tell.
 */
export async function peakMemoryBytes(...texts: readonly [string, string]): Promise<number> {
  const lines = (await processesUsing(texts[0])).filter((line) => line.includes(texts[1]));
  const [pid] = lines.map((line) => Number.parseInt(line.trim(), 10));
  if (pid === undefined) throw new Error(`Cannot measure: no process has ${texts.join(" and ")}`);
  if (Deno.build.os === "linux") {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  }
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "rss=", "-p", String(pid)] }).output();
  return Number(new TextDecoder().decode(stdout)) * 1024;
}
