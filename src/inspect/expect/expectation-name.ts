import { formatMillis } from '../../base/duration.js';
import type { ResourceKey, What } from './expectations.js';
import { formatFieldPath } from './field-path.js';

/** What an expectation is called in every report. */
export function expectationName(what: What): string {
  switch (what.kind) {
    case 'ready':
      return what.ready ? 'ready' : 'not ready';
    case 'acked':
      return 'acked';
    case 'stable':
      return `stable for ${formatMillis(what.forMs)}`;
    case 'active':
      return `active server: ${what.server}`;
    case 'settled':
      return `settled within ${formatMillis(what.within)}`;
    case 'tears':
      return what.longest === 0 ? 'no tear' : `no tear longer than ${formatMillis(what.longest)}`;
    case 'never':
      return `never ${what.status}`;
    case 'findings':
      return 'no forbidden findings';
    case 'field':
      return `${keyText(what.resource)} ${formatFieldPath(what.path)}`;
    case 'endpoints':
      return `${keyText(what.resource)} ${what.health} endpoints`;
    case 'status':
    case 'version':
    case 'error':
      return `${keyText(what.resource)} ${what.kind}`;
    case 'rpc': {
      const headers = what.call.metadata.map(([name, value]) => `${name}: ${value}`).join(', ');
      return `rpc ${what.call.path === '/' ? 'of any method' : what.call.path}${headers === '' ? '' : ` (${headers})`}`;
    }
  }
}

/** `CDS/blue` */
export function keyText({ type, name }: ResourceKey): string {
  return `${type}/${name}`;
}
