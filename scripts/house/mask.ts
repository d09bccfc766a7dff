/** Telling code from comments and literals, so that rules do not stumble over words in them. */

/** A text taken apart. Both parts are as long as the text, line for line, with spaces for what is not theirs. */
export interface Masked {
  /** The code without comments and without the contents of strings, templates and regular expressions. */
  readonly code: string;
  /** The comments. */
  readonly comments: string;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;
// Strings end with their line, so that an apostrophe in the text between two tags hides no more than a line.
const STRING = /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y;
const PLAIN = /[^"'`/{}]+|[\s\S]/y;

// What stands before a slash that begins a regular expression and does not divide.
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{;+\-*%~^]|=>|\b(?:return|typeof|case|in|of|await|yield))\s*$/;

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

function blankInside(literal: string): string {
  return literal.length < 2 ? literal : literal.slice(0, 1) + blank(literal.slice(1, -1)) + literal.slice(-1);
}

/**
 * Takes a text apart. It knows TypeScript's comments, strings, templates (also nested) and regular expressions; the text
 * of JSX it takes for code.
 */
export function mask(text: string): Masked {
  let code = "";
  let comments = "";
  let at = 0;
  const braces: number[] = []; // How many braces are open in each `${` around us.

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found) at += found.length;
    return found;
  };
  const add = (shown: string, comment = blank(shown)) => {
    code += shown;
    comments += comment;
  };
  const addTemplate = () => {
    const part = take(TEMPLATE) ?? "";
    const opens = part.endsWith("${");
    if (opens) braces.push(0);
    add(opens ? `${blank(part.slice(0, -2))}\${` : blank(part.slice(0, -1)) + part.slice(-1));
  };
  const addPlain = () => {
    const plain = take(PLAIN) ?? "";
    add(plain);
    if (plain === "`") return addTemplate();
    const open = braces.at(-1);
    if (open === undefined) return;
    if (plain === "{") braces[braces.length - 1] = open + 1;
    if (plain === "}" && open > 0) braces[braces.length - 1] = open - 1;
    if (plain === "}" && open === 0) {
      braces.pop();
      addTemplate();
    }
  };

  while (at < text.length) {
    const comment = take(COMMENT);
    if (comment !== undefined) {
      add(blank(comment), comment);
      continue;
    }
    const literal = take(STRING) ?? (BEFORE_REGEX.test(code.slice(-40)) ? take(REGEX) : undefined);
    if (literal === undefined) addPlain();
    else add(blankInside(literal));
  }
  return { code, comments };
}
