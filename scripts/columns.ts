/**
 * Puts the cells of rows below each other, as lines of text: words to the left of their column, numbers to the right.
 *
 * @param isText Whether a column, counted from 0, holds words.
 */
export function alignColumns(rows: readonly (readonly string[])[], isText: (column: number) => boolean): string[] {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from(
    { length: columns },
    (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isText(column) ? cell.padEnd(width) : cell.padStart(width);
    }).join("  ").trimEnd()
  );
}
