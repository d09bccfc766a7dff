/** Looking at other processes. */

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
