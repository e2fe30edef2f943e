import { readGlossary, type Term } from './glossary.js';

/** A page in Markdown. */
export interface ManualPage {
  /** Below docs: `findings/XI204.md`. */
  path: string;
  /** The last part of the path without its ending: `XI204`. */
  name: string;
  /** The first heading. */
  title: string;
  text: string;
}

/** The page that contains the terms. */
export const GLOSSARY = 'glossary.md';

/** The pages of the manual and the terms of its glossary. */
export class Manual {
  readonly pages: readonly ManualPage[];
  readonly terms: readonly Term[];

  constructor(texts: ReadonlyMap<string, string>) {
    this.pages = [...texts].map(([path, text]) => ({ path, name: nameOf(path), title: titleOf(text), text }));
    this.terms = readGlossary(texts.get(GLOSSARY) ?? '');
  }

  /** Pages in a folder below docs; '' for those directly in it. */
  inFolder(folder: string): ManualPage[] {
    return this.pages.filter(({ path }) => path.split('/').slice(0, -1).join('/') === folder);
  }

  /** Every word that leads to a page. */
  get words(): string[] {
    const ofTerms = this.terms.flatMap(({ term, aliases }) => [term, ...aliases]);
    return [...new Set([...this.pages.map(({ name }) => name).filter((name) => name !== 'README'), ...ofTerms])];
  }
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) as string).replace(/\.md$/, '');
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}
