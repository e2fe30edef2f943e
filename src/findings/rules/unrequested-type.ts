import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

const KNOWN: ReadonlySet<string> = new Set(Object.values(RESOURCE_TYPES));

/** R1.24, D1: detects messages after which C-core and Go stop reading the stream. */
export function unrequestedType(report: Report): Rule {
  return {
    ignoredResponse({ at, scope, server, typeUrl, bytes, ignored }) {
      if (typeUrl === '') {
        const message = `A message of ${bytes} bytes is ${ignored}`;
        report({ code: 'XI217', at, scope, server, message });
        return;
      }
      // One finding for all unknown types, because their number is unbounded.
      const what = KNOWN.has(typeUrl)
        ? `${shortType(typeUrl)} arrived before the client requested that type`
        : `A response has the type ${typeUrl}, which the client never requested`;
      report({ code: 'XI216', at, scope, server, ...(KNOWN.has(typeUrl) && { typeUrl }), message: what });
    },
  };
}
