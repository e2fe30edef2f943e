import { argument, command, type Input } from '../command.js';

const declared = {
  name: 'docs',
  describe: 'Print a page of the manual, offline: a finding, a term, a gRFC, a command',
  arguments: {
    word: argument.any('XI204, tear, A74, report, glossary, …; without one, the list of pages', { completes: 'page' }),
  },
  options: {},
  examples: {
    '$0 docs XI204': 'What a finding means, and what to do',
    '$0 docs tear': 'A term of the glossary',
    '$0 docs A74': 'Where the manual cites a gRFC',
    '$0 docs report': 'The page of a command',
    '$0 docs': 'Every page',
  },
};
export type DocsInput = Input<typeof declared>;

export const docsCommand = command(declared, async () => (await import('../run/docs.js')).docs);
