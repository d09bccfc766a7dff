/** Finding files that import each other in a circle. */

import type { Import } from "./imports.ts";
import { isTest, type Violation } from "./source.ts";

/**
 * Checks that no files outside the tests import each other in a circle, be it for types: none of them can be read without
 * the others. One circle is one violation.
 */
export function checkCycles(imports: readonly Import[]): Violation[] {
  const own = imports.filter(({ from, to }) => !isTest(from) && !isTest(to));
  const bySource = Map.groupBy(own, ({ from }) => from);
  const violations: Violation[] = [];
  const done = new Set<string>();
  const way: string[] = [];

  const visit = (file: string): void => {
    way.push(file);
    for (const { line, to } of bySource.get(file) ?? []) {
      const start = way.indexOf(to);
      if (start >= 0) violations.push(circle([...way.slice(start), to], file, line));
      else if (!done.has(to)) visit(to);
    }
    way.pop();
    done.add(file);
  };

  for (const file of bySource.keys()) if (!done.has(file)) visit(file);
  return violations;
}

function circle(files: readonly string[], file: string, line: number): Violation {
  const instead = "Move what they share to a file of its own";
  return { file, line, wrong: `The imports go in a circle: ${files.join(" -> ")}`, instead };
}
