import { shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

/** One version, two contents: as gRPC reads them, so that bytes in another order are no difference. */
export function changedContents(report: Report): Rule {
  return {
    resource({ at, scope, server, typeUrl, name, version, replaces }) {
      if (replaces === undefined || replaces.version !== version) return;
      const who = { at, scope, server, typeUrl, names: [name] };
      const what = `${shortType(typeUrl)} ${name} has other contents than before under the same version ${version}`;
      if (replaces.sameStream) report({ ...who, code: 'XI208', message: what });
      else report({ ...who, code: 'XI209', message: `${what}, on another stream` });
    },
  };
}
