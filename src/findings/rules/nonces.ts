import { shortType } from '../../proto/resource-types.js';
import { PerStreamState } from '../per-stream-state.js';
import type { Report, Rule } from '../rule.js';

/** Number of nonces remembered per type and stream. */
const MAX_NONCES = 16;

/** Detects missing and reused nonces: a nonce must identify one response of a type on a stream. */
export function nonces(report: Report): Rule {
  const noncesByStream = new PerStreamState<string[]>(() => []);
  return {
    response({ at, scope, server, stream, typeUrl, version, nonce }) {
      const who = { at, scope, server, typeUrl };
      if (nonce === '') {
        report({ ...who, code: 'XI207', message: `${shortType(typeUrl)} version ${version} has no nonce` });
        return;
      }
      const earlier = noncesByStream.of(stream, typeUrl);
      if (earlier.includes(nonce)) {
        const message = `${shortType(typeUrl)} version ${version} reuses the nonce ${nonce} of an earlier response on the stream`;
        report({ ...who, code: 'XI206', message });
        return;
      }
      earlier.push(nonce);
      if (earlier.length > MAX_NONCES) earlier.shift();
    },
    forget: (stream) => noncesByStream.forget(stream),
  };
}
