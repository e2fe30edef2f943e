import { formatMillis } from '../../base/duration.js';
import { shownValue } from '../../base/secret-name.js';
import type { ExpectedFact, ResourceKey } from './expectations.js';
import { formatFieldPath } from './field-path.js';

const NAMES: { [K in ExpectedFact['kind']]: (what: Extract<ExpectedFact, { kind: K }>) => string } = {
  verdict: () => 'verdict',
  configured: () => 'configuration',
  acked: () => 'acked',
  stable: ({ forMs }) => `stable for ${formatMillis(forMs)}`,
  active: ({ server }) => `active server: ${server}`,
  settled: ({ within }) => `settled within ${formatMillis(within)}`,
  tears: ({ longest }) => (longest === 0 ? 'no tear' : `no tear longer than ${formatMillis(longest)}`),
  never: ({ status }) => `never ${status}`,
  findings: () => 'no forbidden findings',
  field: ({ resource, path }) => `${keyText(resource)} ${formatFieldPath(path)}`,
  endpoints: ({ resource, health }) => `${keyText(resource)} ${health} endpoints`,
  status: ({ resource }) => `${keyText(resource)} status`,
  version: ({ resource }) => `${keyText(resource)} version`,
  error: ({ resource }) => `${keyText(resource)} error`,
  rpc: ({ call: { path, metadata } }) => {
    const headers = metadata.map(([name, value]) => `${name}: ${shownValue(name, value)}`).join(', ');
    return `rpc ${path === '/' ? 'of any method' : path}${headers === '' ? '' : ` (${headers})`}`;
  },
};

/** The name of an expectation in all reports. */
export function expectationName(what: ExpectedFact): string {
  const nameOf = NAMES[what.kind] as (what: ExpectedFact) => string;
  return nameOf(what);
}

/** `CDS/blue` */
export function keyText({ type, name }: ResourceKey): string {
  return `${type}/${name}`;
}
