import { countText, thousands } from '../../base/count-text.js';
import type { ScopeStatus } from '../../view/status.js';
import { visible, visibleName } from '../../view/visible-text.js';
import { badness } from '../../view/worst-first.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Listing } from './listing.js';

const MAX_NAMES = 3;

/** The last word on stderr: why the exit code is not 0. */
export function sayWhy(
  code: ExitCode,
  scopes: readonly ScopeStatus[],
  listing: Listing,
  args: Arguments,
  env: CliEnvironment,
): void {
  if (code === EXIT.ok || args.quiet === true) return;
  const why = {
    [EXIT.interrupted]: () => 'interrupted',
    [EXIT.unavailable]: () => lostText(scopes),
    [EXIT.timedOut]: () => `the time was over ${openText(scopes)}`,
    [EXIT.findings]: () => findingsText(scopes, listing),
  }[code as 79];
  if (why !== undefined) env.stderr.write(`exit ${code}: ${why()}\n`);
}

/** `3 findings (1 NACKED, 1 RECEIVED_ERROR, 1 XI203), 1 target fails` */
function findingsText(scopes: readonly ScopeStatus[], { failing, isFailing }: Listing): string {
  const states = scopes
    .flatMap(({ resources }) => resources.map(({ status }) => status))
    .filter((status) => failing.has(status))
    .sort((a, b) => badness(a) - badness(b));
  const codes = scopes.flatMap(({ findings }) => findings.filter(isFailing).map(({ code }) => code)).sort();
  const found = [...states, ...codes];
  const numbers = new Map<string, number>();
  for (const one of found) numbers.set(one, (numbers.get(one) ?? 0) + 1);
  const counts = [...numbers].map(([one, count]) => `${thousands(count)} ${one}`);
  const failed = scopes.flatMap(({ channels }) => channels).filter(({ config }) => config === 'error').length;
  const targets = failed === 0 ? [] : [failed === 1 ? '1 target fails' : `${failed} targets fail`];
  const all = found.length === 0 ? [] : [`${countText(found.length, 'finding')} (${counts.join(', ')})`];
  return [...all, ...targets].join(', ');
}

function lostText(scopes: readonly ScopeStatus[]): string {
  const lost = scopes.filter(({ authorities }) =>
    authorities.some(({ servers }) => servers.length > 0 && servers.every(({ error }) => error !== null)),
  );
  return `no server could be reached for ${listed(lost.map(({ scope }) => visible(scope)))}`;
}

function openText(scopes: readonly ScopeStatus[]): string {
  const open = scopes.flatMap(({ resources }) => resources).filter(({ status }) => status === 'REQUESTED');
  if (open.length === 0) return 'while things were still changing';
  return `while waiting for ${listed(open.map(({ type, name }) => `${type} ${visibleName(name)}`))}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${thousands(more)} more` : ''}`;
}
