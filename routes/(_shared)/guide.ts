import { Marked } from "marked";

/** A connector's set-up steps as HTML, and what else its README says. */
export interface GuideParts {
  readonly steps: string;
  readonly more: string;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/**
 * READMEs are written to be read in the repository: their title is the page's own here, headings go one level down, and
 * links to other files lead nowhere, so that their text is all that is left of them.
 */
const marked = new Marked({
  renderer: {
    heading({ depth, tokens }) {
      const level = Math.min(depth + 1, 6);
      return depth === 1 ? "" : `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return /^https?:\/\//.test(href) ? `<a href="${escaped(href)}" rel="noreferrer">${text}</a>` : text;
    },
    // Whoever has no pointer scrolls with the keys.
    code: ({ text }) => `<pre class="scroll" tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    image: ({ text }) => escaped(text),
    html: ({ text }) => escaped(text),
    table({ header, rows }) {
      const line = (cells: typeof header, tag: string) =>
        `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
      const body = rows.map((cells) => line(cells, "td")).join("");
      const table = `<table class="table"><thead>${line(header, "th")}</thead><tbody>${body}</tbody></table>`;
      // No landmark: a README may have several tables, with nothing to tell them from each other.
      return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>\n`;
    },
  },
});

/**
 * Renders a README: the steps are its sections that are headed "Set-up", or what stands before the first section where none
 * is. The heading of a single one is the page's.
 */
export function renderGuide(markdown: string): GuideParts {
  const [intro = "", ...sections] = markdown.split(/^(?=## )/m);
  const isSetUp = (section: string) => section.startsWith("## Set-up");
  const [first = intro, ...others] = sections.filter(isSetUp);
  const steps = others.length === 0 ? first.replace(/^## .*\n/, "") : [first, ...others].join("");
  return { steps: html(steps), more: html(sections.filter((section) => !isSetUp(section)).join("")) };
}

function html(markdown: string): string {
  return marked.parse(markdown, { async: false });
}
