/** Bun, which is nothing that Inlet needs, to try the packages and examples with. */

const PACKAGE = "bun@1.4.5";

/** Path of a Bun that runs: the one in PATH, else npm's, which npx keeps; or why there is none. */
export async function findBun(): Promise<{ path: string } | { why: string }> {
  const whys: string[] = [];
  for (const [command, ...args] of [["sh"], ["npx", "-y", "-p", PACKAGE]] as const) {
    const path = await output(command, ...args, "-c", "command -v bun");
    const version = path.success ? await output(path.said, "--version") : path;
    if (version.success) return { path: path.said };
    whys.push(version.said);
  }
  return { why: whys.filter((why) => why !== "").join("; ") };
}

async function output(command: string, ...args: string[]): Promise<{ success: boolean; said: string }> {
  try {
    const { success, stdout, stderr } = await new Deno.Command(command, { args }).output();
    return { success, said: new TextDecoder().decode(success ? stdout : stderr).trim() };
  } catch (error) {
    return { success: false, said: `${error}` };
  }
}
