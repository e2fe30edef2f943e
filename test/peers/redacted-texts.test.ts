import { describe, expect, it } from 'vitest';
import { validatorOf } from '../../src/peers/response-validators.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { CONTEXT } from '../resources/context.js';
import { bytesOf } from '../resources/validate.js';

const TLS = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext';

/** A cluster whose TLS has an inline private key, which all clients reject. */
const CLUSTER = {
  name: 'c',
  type: 'EDS',
  edsClusterConfig: { edsConfig: { ads: {} } },
  transportSocket: {
    name: 'envoy.transport_sockets.tls',
    typedConfig: {
      '@type': TLS,
      commonTlsContext: { tlsCertificates: [{ privateKey: { inlineString: 'hunter2' } }] },
    },
  },
  lbPolicy: 'MAGLEV',
};

describe.each(['grpc-go', 'grpc-java'])('the texts of %s about a rejected resource', (preset) => {
  it('contain no secrets', () => {
    const any = { typeUrl: RESOURCE_TYPES.CDS, value: bytesOf('CDS', CLUSTER) };
    const { newValidator } = validatorOf(preset);
    const validator = newValidator?.(RESOURCE_TYPES.CDS, { ...CONTEXT, keepsInvalidParts: true });
    const validated = validator?.validate(any, 0);
    expect(validator?.verdict).toBe('NACK');
    expect(validator?.nack).not.toBe('');
    expect(JSON.stringify([validator?.nack, validated?.errors, validated?.watcherMessage])).not.toContain('hunter2');
    expect(JSON.stringify(validated?.result)).not.toContain('hunter2');
  });
});
