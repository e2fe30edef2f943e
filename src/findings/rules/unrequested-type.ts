import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

const KNOWN: ReadonlySet<string> = new Set(Object.values(RESOURCE_TYPES));

/** R1.24, D1: messages after which C-core and Go read nothing more on the stream. */
export function unrequestedType(report: Report): Rule {
  return {
    ignoredResponse({ at, scope, server, typeUrl, bytes, ignored }) {
      if (typeUrl === '') {
        const message = `A message of ${bytes} bytes is ${ignored}`;
        report({ code: 'XI217', at, scope, server, message });
        return;
      }
      // One finding for all unknown types, of which a server may make up any number.
      const what = KNOWN.has(typeUrl)
        ? `${shortType(typeUrl)} was sent before anything of that type was asked for`
        : `A response is of the type ${typeUrl}, which was never asked for`;
      report({ code: 'XI216', at, scope, server, ...(KNOWN.has(typeUrl) && { typeUrl }), message: what });
    },
  };
}
