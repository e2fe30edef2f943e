import { formatMillis } from '../../base/duration.js';
import { hasLostAuthority } from '../../engine/lost.js';
import type { ScopeSnapshot } from '../../engine/scope.js';
import { lostServers } from '../../view/lost-server.js';
import { visible } from '../../view/visible-text.js';
import type { CliEnvironment, Output } from '../environment.js';

/** Nobody has said anything about any resource. */
export function isUnanswered(scopes: readonly ScopeSnapshot[]): boolean {
  return scopes.every(({ entries }) => entries.every(({ status }) => status === 'REQUESTED'));
}

/** Nothing was ever received, and nobody is left who could be asked. */
export function isWithoutServer(scopes: readonly ScopeSnapshot[]): boolean {
  return isUnanswered(scopes) && scopes.every(hasLostAuthority);
}

/** Says which servers cannot be talked to, or have sent nothing, each once; and whether there was anything to say. */
export function tellUnanswered(scopes: readonly ScopeSnapshot[], waitedMs: number, env: CliEnvironment): boolean {
  const sentences = new Set(scopes.flatMap(lostServers));
  if (sentences.size === 0 && isUnanswered(scopes)) {
    for (const { authorities } of scopes)
      for (const { servers } of authorities)
        for (const { uri, isActive } of servers)
          if (isActive)
            sentences.add(
              `The control plane ${uri} has sent nothing of what was asked for within ${formatMillis(waitedMs)}: does it speak xDS on this port, and know this node?`,
            );
  }
  for (const sentence of sentences) env.stderr.write(`${visible(sentence)}\n`);
  return sentences.size > 0;
}

/** Formats that are whole documents whatever is in them. */
const DOCUMENTS: ReadonlySet<unknown> = new Set(['json', 'yaml', 'ndjson']);
const FOR_PEOPLE: ReadonlySet<unknown> = new Set(['table', 'wide', 'tree', 'text']);
const NOWHERE: Output = { write: () => {}, isTerminal: false, columns: 80, rows: 24 };

/** Where a report goes: without a server there is no data, and what there is to say is said to people. */
export function reporting(scopes: readonly ScopeSnapshot[], output: unknown, env: CliEnvironment): CliEnvironment {
  if (!isWithoutServer(scopes) || DOCUMENTS.has(output)) return env;
  return { ...env, stdout: FOR_PEOPLE.has(output) ? env.stderr : NOWHERE };
}
