import type { Term } from './glossary.js';
import { GLOSSARY, type Manual, type ManualPage } from './manual.js';

/** The Markdown that a word leads to; undefined if the manual has no such word. An empty word returns the list of pages. */
export function lookUp(manual: Manual, typed: string): string | undefined {
  const word = typed.trim().toLowerCase();
  if (word === '') return contents(manual);
  return (
    pageAt(manual, word) ??
    pageNamed(manual.inFolder('findings'), word) ??
    citations(manual, word) ??
    pageNamed(manual.inFolder('commands'), word.replaceAll(' ', '-')) ??
    entry(manual.terms, word) ??
    pageNamed(manual.pages, word) ??
    pageOfFolder(manual, word)
  );
}

/** File names such as `tears.md` and `commands/tears.md` distinguish a page from a command of the same name. */
function pageAt({ pages }: Manual, word: string): string | undefined {
  if (!word.endsWith('.md')) return undefined;
  const path = word.replace(/^(\.{0,2}\/)*(docs\/)?/, '');
  const page = pages.find((one) => one.path.toLowerCase() === path);
  return page === undefined ? pageNamed(pages, path.replace(/^.*\/|\.md$/g, '')) : page.text;
}

function pageNamed(pages: readonly ManualPage[], name: string): string | undefined {
  return pages.find((page) => page.name.toLowerCase() === name)?.text;
}

/** `monitoring`, `findings`: the page that introduces a folder. */
function pageOfFolder({ pages }: Manual, word: string): string | undefined {
  return pages.find(({ path }) => path.toLowerCase() === `${word}/readme.md`)?.text;
}

function entry(terms: readonly Term[], word: string): string | undefined {
  const found = terms.find(({ term, aliases }) => [term, ...aliases].some((one) => one.toLowerCase() === word));
  return found === undefined ? undefined : `# ${found.term}\n\n${found.text}\n`;
}

/** `A74`, `TP3`: the terms and pages that cite a proposal. */
function citations({ pages, terms }: Manual, word: string): string | undefined {
  const id = word.toUpperCase();
  if (!/^(A|TP)\d+$/.test(id)) return undefined;
  const cites = new RegExp(`\\b${id}\\b`);
  const ofTerms = terms.filter(({ text }) => cites.test(text)).map(({ term, meaning }) => `- **${term}**: ${meaning}`);
  const ofPages = pages.flatMap(({ path, title, text }) => {
    const sentence = path === GLOSSARY ? undefined : sentencesOf(text).find((one) => cites.test(one));
    return sentence === undefined ? [] : [`- [${path}](${path}), ${title}: ${excerpt(sentence)}`];
  });
  if (ofTerms.length + ofPages.length === 0) return undefined;
  const link = new RegExp(`\\[${id}\\]\\((https:[^)]+)\\)`).exec(pages.map(({ text }) => text).join('\n'))?.[1];
  const parts = [
    `# ${id}`,
    ...(link === undefined ? [] : [link]),
    ...list('Terms', ofTerms),
    ...list('Pages', ofPages),
  ];
  return `${parts.join('\n\n')}\n`;
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, items.join('\n')];
}

const MAX_EXCERPT = 100;

/** The sentences of paragraphs, and rows of tables and lists, without code blocks. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\n\n|\n(?=[|#-])/)
    .flatMap((part) => (part.startsWith('|') ? [part] : part.replace(/\s+/g, ' ').split(/(?<=\.) /)));
}

/** A sentence as plain text, cut to about a line of a terminal. */
function excerpt(sentence: string): string {
  const plain = sentence
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[#|>\s-]+|[|\s]+$/g, '')
    .replaceAll(' | ', ': ');
  return plain.length <= MAX_EXCERPT ? plain : `${plain.slice(0, MAX_EXCERPT).replace(/\s+\S*$/, '')} …`;
}

/** Every page with its title; commands, findings, alerts and terms by name. */
function contents(manual: Manual): string {
  const names = (folder: string): string[] =>
    manual.inFolder(folder).flatMap(({ name }) => (name === 'README' ? [] : [name]));
  const pages = manual.pages.filter(isListed).map((page) => `- \`${typedName(page, manual)}\`: ${page.title}`);
  return [
    '# The manual',
    'Print a part of it with `xds-inspect docs <word>`: a page, a command, a finding, an alert, a term, or a gRFC such as A74.',
    '## Pages',
    pages.join('\n'),
    '## Commands',
    names('commands').join(', '),
    '## Findings',
    names('findings').join(', '),
    '## Alerts',
    names('monitoring/alerts').join(', '),
    '## Terms',
    `${manual.terms.map(({ term }) => term).join(', ')}\n`,
  ].join('\n\n');
}

/** Pages directly in docs, and those that introduce a folder. */
function isListed({ path }: ManualPage): boolean {
  return /^[^/]+(\/README\.md)?$/.test(path);
}

/** A page that shares its name with a command or a term is printed by its file name. */
function typedName({ name, path, text }: ManualPage, manual: Manual): string {
  const word = name === 'README' ? path.replace(/\/README\.md$/, '') : name;
  return lookUp(manual, word) === text ? word : path;
}
