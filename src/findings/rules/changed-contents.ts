import { shortType } from '../../proto/resource-types.js';
import type { Report, Rule } from '../rule.js';

/** Detects different contents under one version. Contents are compared as decoded by gRPC, not byte by byte. */
export function changedContents(report: Report): Rule {
  return {
    resource({ at, scope, server, typeUrl, name, version, replaces }) {
      if (replaces === undefined || replaces.version !== version) return;
      const who = { at, scope, server, typeUrl, names: [name] };
      const what = `${shortType(typeUrl)} ${name} has different contents under the same version ${version}`;
      if (replaces.sameStream) report({ ...who, code: 'XI208', message: what });
      else report({ ...who, code: 'XI209', message: `${what}, on another stream` });
    },
  };
}
