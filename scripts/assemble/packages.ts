/** As deno.lock names packages: name, version, and the versions of peers that it was resolved with. */
const LOCKED = /^(?<name>(?:@[^/]+\/)?[^@]+)@(?<version>[^_]+)/;

/**
 * What packages ship and nothing imports. `deno compile` reads it all the same, and overflows its stack over the tests of
 * `bintrees`, which prom-client brings (Deno 2.9.6).
 */
const NEEDLESS_FOLDERS = new Set(["test", "tests"]);

/**
 * Copies npm packages from one of Deno's caches to another, short of their tests: nothing is downloaded that is there
 * already.
 *
 * @param locked The packages, as deno.lock names them.
 * @param from The cache: a folder for each registry, with one for each package and version below.
 * @throws {Error} if a package is in none of the registries' folders
 */
export async function copyPackages(locked: readonly string[], from: string, to: string): Promise<void> {
  const registries = (await Array.fromAsync(Deno.readDir(from))).filter(({ isDirectory }) => isDirectory);
  for (const key of locked) {
    const { name, version } = LOCKED.exec(key)?.groups ?? {};
    const holders = registries.map((registry) => `${registry.name}/${name}`);
    const copied = await Promise.all(
      holders.map((holder) => copyVersion(`${from}/${holder}`, `${to}/${holder}`, version)),
    );
    if (!copied.includes(true)) throw new Error(`Cannot assemble: ${key} is not in Deno's cache ${from}`);
  }
}

async function copyVersion(from: string, to: string, version: string | undefined): Promise<boolean> {
  if (!await Deno.stat(`${from}/${version}`).then(() => true, () => false)) return false;
  await copyFolder(`${from}/${version}`, `${to}/${version}`, NEEDLESS_FOLDERS);
  return true;
}

async function copyFolder(from: string, to: string, except: ReadonlySet<string> = new Set()): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory && except.has(name)) continue;
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
