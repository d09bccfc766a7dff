import { z } from "zod";
import { run } from "../cli/run.ts";
import { descriptionOf, standingAlone } from "./readme.ts";
import { withNodeSpecifiers, writeTypes } from "./types.ts";

const ROOT = new URL("../../", import.meta.url);
const NPM = /^npm:(?:@[^/]+\/)?[^@]+@(.+)$/;

const importsSchema = z.object({ imports: z.record(z.string(), z.string()) });
const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** The folders of all packages, sorted. */
async function packageFolders(): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL("packages/", ROOT)));
  return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name).sort();
}

/**
 * Packs every package into an npm tarball in `target`; gives their names, sorted by package. Older tarballs there are
 * removed, and nothing else: what `deno task assemble` wrote may be there too, with the store of a service that was started
 * in it.
 *
 * @param onStep Told what is being done, for people.
 * @throws {Error} if one cannot be packed
 */
export async function packAll(target: URL, onStep: (step: string) => void = () => {}): Promise<string[]> {
  const folders = await packageFolders();
  const work = await Deno.makeTempDir({ prefix: "inlet-pack-" });
  try {
    for (const folder of folders) await copySources(folder, `${work}/src/${folder}`);
    onStep("writing the declarations of types");
    await writeTypes(work, await dependencies());
    await Deno.mkdir(target, { recursive: true });
    const there = await Array.fromAsync(Deno.readDir(target), ({ name }) => name);
    for (const name of there.filter((name) => name.endsWith(".tgz"))) await Deno.remove(new URL(name, target));
    const tarballs: string[] = [];
    for (const [index, folder] of folders.entries()) {
      onStep(`packing ${folder}, ${index + 1} of ${folders.length}`);
      tarballs.push(await packOne(folder, work, target));
    }
    return tarballs;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function copySources(folder: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  const from = new URL(`packages/${folder}/`, ROOT);
  for await (const { name } of Deno.readDir(from)) {
    if (name.endsWith(".ts") && !name.endsWith("_test.ts")) await Deno.copyFile(new URL(name, from), `${to}/${name}`);
  }
}

/** The exact versions of what packages may import. */
async function dependencies(): Promise<Record<string, string>> {
  const { imports } = importsSchema.parse(JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))));
  return Object.fromEntries(["zod", "rabbitmq-client"].map((name) => {
    const [, version] = NPM.exec(imports[name] ?? "") ?? [];
    if (version === undefined) throw new Error(`Cannot pack: deno.json has no exact version of ${name}`);
    return [name, version];
  }));
}

async function packOne(folder: string, work: string, target: URL): Promise<string> {
  const from = new URL(`packages/${folder}/`, ROOT).pathname;
  const made = `${work}/made/${folder}`;
  await Deno.mkdir(made, { recursive: true });
  const options = ["--allow-slow-types", "--allow-dirty", "--no-source-maps", "--ignore=*_test.ts"];
  await run(Deno.execPath(), ["pack", ...options, "-o", `${made}/code.tgz`], { cwd: from });
  await run("tar", ["xzf", "code.tgz"], { cwd: made });
  const unpacked = `${made}/package`;
  for await (const { name } of Deno.readDir(`${work}/types/${folder}`)) {
    const declaration = await Deno.readTextFile(`${work}/types/${folder}/${name}`);
    await Deno.writeTextFile(`${unpacked}/${name}`, withNodeSpecifiers(declaration));
  }
  await Deno.copyFile(new URL("LICENSE", ROOT), `${unpacked}/LICENSE`);
  const readme = await Deno.readTextFile(`${from}README.md`);
  await Deno.writeTextFile(`${unpacked}/README.md`, standingAlone(readme));
  const { name, version } = await completeManifest(unpacked, descriptionOf(readme));
  const tarball = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
  const asAnybody = ["--sort=name", "--owner=0", "--group=0"];
  await run("tar", ["czf", `${target.pathname}${tarball}`, ...asAnybody, "package"], { cwd: made });
  return tarball;
}

/** Adds what `deno pack` leaves out: a description, the types, and the packages of this repository that are imported. */
async function completeManifest(folder: string, description: string): Promise<z.output<typeof manifestSchema>> {
  const path = `${folder}/package.json`;
  const manifest = manifestSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  const completed = {
    ...manifest,
    description,
    types: "./mod.d.ts",
    exports: { ".": { types: "./mod.d.ts", default: "./mod.js" } },
    // A bundler leaves out the sources that nobody imports.
    sideEffects: false,
    dependencies: { ...await siblingsOf(folder), ...manifest.dependencies },
    engines: { node: ">=20" },
    publishConfig: { access: "public" },
  };
  await Deno.writeTextFile(path, `${JSON.stringify(completed, null, 2)}\n`);
  return completed;
}

/** The packages of this repository that the code or the types in a folder import, with the versions they have now. */
async function siblingsOf(folder: string): Promise<Record<string, string>> {
  const found = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) {
    if (!/\.(?:js|d\.ts)$/.test(name)) continue;
    const code = await Deno.readTextFile(`${folder}/${name}`);
    for (const [, sibling] of code.matchAll(/^(?:import|export|\})[^"\n]*"@inlet\/([^"]+)";$/gm)) {
      if (sibling !== undefined) found.add(sibling);
    }
  }
  const versions = [...found].sort().map(async (sibling) => {
    const manifest = await Deno.readTextFile(new URL(`packages/${sibling}/deno.json`, ROOT));
    return [`@inlet/${sibling}`, `^${manifestSchema.parse(JSON.parse(manifest)).version}`];
  });
  return Object.fromEntries(await Promise.all(versions));
}
