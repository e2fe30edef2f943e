import { shortType } from '../../proto/resource-types.js';
import { PerStreamState } from '../per-stream-state.js';
import type { Report, Rule } from '../rule.js';

/** So many responses are remembered. */
const MAX_NONCES = 16;

/** A nonce says which response of a type a request answers; each is good for one. */
export function nonces(report: Report): Rule {
  const seen = new PerStreamState<string[]>(() => []);
  return {
    response({ at, scope, server, stream, typeUrl, version, nonce }) {
      const who = { at, scope, server, typeUrl };
      if (nonce === '') {
        report({ ...who, code: 'XI207', message: `${shortType(typeUrl)} version ${version} has no nonce` });
        return;
      }
      const before = seen.of(stream, typeUrl);
      if (before.includes(nonce)) {
        const message = `${shortType(typeUrl)} version ${version} has the nonce ${nonce} of an earlier response on its stream`;
        report({ ...who, code: 'XI206', message });
        return;
      }
      before.push(nonce);
      if (before.length > MAX_NONCES) before.shift();
    },
    forget: (stream) => seen.forget(stream),
  };
}
