import { run } from "../cli/run.ts";

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["es2024", "esnext"],
    types: ["node"],
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    skipLibCheck: true,
    rootDir: "src",
    outDir: "types",
    paths: { "@inlet/*": ["./src/*/mod.ts"] },
  },
  include: ["src"],
} as const;

/** Of the compiler, and of the types of the oldest Node that the packages run on. */
export const COMPILER = { typescript: "7.0.2", "@types/node": "20.19.43" } as const;

/**
 * Writes the declarations of packages with the TypeScript compiler: `types/<package>/*.d.ts` below `folder`, from
 * `src/<package>/*.ts` there. What the packages import is installed from npm, at the versions that the repository uses.
 *
 * @throws {Error} if npm or the compiler fails
 */
export async function writeTypes(folder: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const manifest = { private: true, type: "module", dependencies: { ...dependencies, ...COMPILER } };
  await Deno.writeTextFile(`${folder}/package.json`, JSON.stringify(manifest));
  await Deno.writeTextFile(`${folder}/tsconfig.json`, JSON.stringify(TSCONFIG));
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder });
  await run("node_modules/.bin/tsc", ["-p", "."], { cwd: folder });
}

/** The text of a declaration with the specifiers that Node resolves: of `./event.ts` it is `./event.js`. */
export function withNodeSpecifiers(declaration: string): string {
  return declaration.replaceAll(/((?:from|import)\s*\(?\s*"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"');
}
