/** A README as a registry shows it, without the repository: a link to a file that is not in the package is its text. */
export function standingAlone(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\(\.\.?\/[^)]*\)/g, "$1");
}

/**
 * A README's first paragraph in one line, which is what registries show of a package in a list.
 *
 * @throws {Error} if there is none
 */
export function descriptionOf(markdown: string): string {
  const [title, paragraph] = standingAlone(markdown).split(/\n{2,}/, 2);
  if (!title?.startsWith("# ") || !paragraph) {
    throw new Error("Cannot describe a package: its README does not begin with a title and a paragraph");
  }
  return paragraph.replaceAll(/\s+/g, " ").replaceAll("`", "").trim();
}
