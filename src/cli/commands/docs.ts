import { argument, command, type Input } from '../command.js';

const declared = {
  arguments: {
    word: argument.any(
      'Term, finding, gRFC, command or page: tear, XI204, A74, report, glossary, …; without one, the list of pages',
      { completes: 'page' },
    ),
  },
  options: {},
  examples: {
    '$0 docs XI204': 'What a finding means and how to fix it',
    '$0 docs tear': 'A term of the glossary',
    '$0 docs A74': 'Where the manual cites a gRFC',
    '$0 docs report': 'The page for a command',
    '$0 docs': 'The list of pages',
  },
};
export type DocsInput = Input<typeof declared>;

export const docsCommand = command(declared, async () => (await import('../run/docs.js')).docs);
