import { readFileSync } from 'node:fs';

const PAGE = 'docs/mutation-survivors.md';

/** Names a mutant of a file by its change, `original → replacement`. */
interface Named {
  file: string;
  change: string;
}

/** The mutants that docs/mutation-survivors.md does not list below the heading of their file, once for each mutant. */
export function unlisted(survivors: readonly Named[]): Named[] {
  const listed = listedChanges();
  return survivors.filter(({ file, change }) => {
    const at = listed.indexOf(`${file} ${change}`);
    if (at >= 0) listed.splice(at, 1);
    return at < 0;
  });
}

function listedChanges(): string[] {
  let file = '';
  return readFileSync(PAGE, 'utf8')
    .split('\n')
    .flatMap((line) => {
      file = /^### `(\S+)`$/.exec(line)?.[1] ?? file;
      const change = /^- (`+) ?(.+?) ?\1: /.exec(line)?.[2];
      return change === undefined ? [] : [`${file} ${change}`];
    });
}
