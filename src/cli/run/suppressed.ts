import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../base/nearest.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** The codes of `--suppress`. Each finding has a page in the package; `others` are codes without one. */
export function readSuppressed(args: Arguments, env: CliEnvironment, others: readonly string[] = []): Set<string> {
  const typed = (args.suppress as string | undefined) ?? '';
  const codes = typed.split(',').flatMap((code) => (code.trim() === '' ? [] : [code.trim().toUpperCase()]));
  if (codes.length === 0) return new Set();
  const pages = readdirSync(join(env.packageRoot, 'docs/findings')).flatMap(
    (file) => /^(XI\d+)\.md$/.exec(file)?.[1] ?? [],
  );
  const known = new Set([...pages, ...others]);
  const wrong = codes.filter((code) => !known.has(code));
  if (wrong.length === 0) return new Set(codes);
  const hints = wrong.map((code) => `"${code}"${didYouMean(code, known)}`).join(', ');
  throw new Failure(EXIT.usage, `--suppress: there is no finding ${hints}`);
}
