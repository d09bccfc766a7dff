import { z } from "zod";

const configSchema = z.object({
  license: z.string(),
  workspace: z.array(z.string()),
  unstable: z.array(z.string()),
  nodeModulesDir: z.string(),
  imports: z.record(z.string(), z.string()),
  compilerOptions: z.object({ jsx: z.string(), jsxImportSource: z.string() }).loose(),
});

/**
 * The `deno.json` of the assembled program: that of the repository without its tasks, its checks, and the imports of what
 * only development needs.
 *
 * @param packages The npm packages that it imports, as `hono@4.13.19`.
 * @throws {z.ZodError} if the repository's is not as expected
 */
export function programConfig(repositoryConfig: unknown, packages: ReadonlySet<string>): unknown {
  const config = configSchema.parse(repositoryConfig);
  const needed = Object.entries(config.imports).filter(([, target]) =>
    target.startsWith("./") ? !/\/dev\//.test(target) : packages.has(target.replace(/^npm:/, ""))
  );
  return { ...config, imports: Object.fromEntries(needed) };
}
