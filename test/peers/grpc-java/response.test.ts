import { describe, expect, it } from 'vitest';
import { Problems } from '../../../src/base/problem.js';
import { newGrpcJavaValidator } from '../../../src/peers/grpc-java/response.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { CONTEXT } from '../../resources/context.js';

function clusterNamed(name: string, fields: object = {}): Any {
  return parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES.CDS, name, ...fields }, new Problems()) as Any;
}

const ERROR = (name: string): string =>
  `CDS response Cluster '${name}' validation error: Cluster ${name}: unspecified cluster discovery type`;

describe('the validator of grpc-java', () => {
  it('reports all errors of a response to every watcher', () => {
    const validator = newGrpcJavaValidator(RESOURCE_TYPES.CDS, CONTEXT);
    validator.validate(clusterNamed('a'), 0);
    validator.validate(clusterNamed('b'), 1);
    expect(validator.nack).toBe(`${ERROR('a')}\n${ERROR('b')}`);
    expect(validator.watcherMessage).toBe(validator.nack);
  });

  it('does not validate clusters without a watcher', () => {
    const validator = newGrpcJavaValidator(RESOURCE_TYPES.CDS, CONTEXT, undefined, (name) => name === 'b');
    validator.validate(clusterNamed('a'), 0);
    expect(validator.verdict).toBe('ACK');
    validator.validate(clusterNamed('b'), 1);
    expect(validator.nack).toBe(ERROR('b'));
  });

  it('locates the part that is invalid', () => {
    const cluster = clusterNamed('a', { type: 'EDS', edsClusterConfig: {} });
    const validator = newGrpcJavaValidator(RESOURCE_TYPES.CDS, CONTEXT);
    const result = validator.validate(cluster, 0)?.result;
    expect(result?.ok === false && result.problems.map(({ path }) => path)).toEqual(['eds_cluster_config']);
  });

  it('ignores additional addresses unless their variable is set', () => {
    const address = (port: number): object => ({ socketAddress: { address: '10.0.0.1', portValue: port } });
    const endpoint = { address: address(1), additionalAddresses: [{ address: address(2) }] };
    const endpoints = [{ loadBalancingWeight: 1, locality: {}, lbEndpoints: [{ endpoint }] }];
    const any = parseAny(xdsCatalogue, { '@type': RESOURCE_TYPES.EDS, endpoints }, new Problems()) as Any;
    const addressesWith = (variables: Record<string, string>): string => {
      const validator = newGrpcJavaValidator(RESOURCE_TYPES.EDS, { ...CONTEXT, variables });
      const result = validator.validate(any, 0)?.result;
      return JSON.stringify(result?.ok === true && result.resource);
    };
    expect(addressesWith({})).not.toContain('"port":2');
    expect(addressesWith({ GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS: 'true' })).toContain('"port":2');
  });
});
