/** A term of the glossary. */
export interface Term {
  term: string;
  /** Other words for it. */
  aliases: readonly string[];
  /** The first paragraph: the definition. */
  meaning: string;
  /** Everything below the heading, in Markdown. */
  text: string;
}

/** Starts a line with other words that lead to a term. */
const ALIASES = /^(?:Also|Kinds|Values|Related): /;

/** Terms are the second-level headings of the page. */
export function readGlossary(markdown: string): Term[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...rest] = section.split('\n');
      const paragraphs = rest.join('\n').trim().split(/\n\n+/);
      const others = paragraphs.filter((paragraph) => ALIASES.test(paragraph));
      return {
        term: heading.trim(),
        aliases: others.flatMap((line) => line.replace(ALIASES, '').split(/,\s+/)),
        meaning: (paragraphs[0] ?? '').replaceAll('\n', ' '),
        text: paragraphs.join('\n\n'),
      };
    });
}
