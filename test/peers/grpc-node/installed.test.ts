import { describe, expect, it } from 'vitest';
import { Problems } from '../../../src/base/problem.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { xdsCatalogue } from '../../../src/proto/json/catalogue.js';
import { parseAny } from '../../../src/proto/json/parse.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import { responseOf } from '../../../tools/oracle/recorded-case.js';
import { CONTEXT } from '../../resources/context.js';
import { recordedVerdicts } from '../../resources/recorded-results.js';
import { validateWithInstalled } from './installed.js';
import { LB_POLICIES } from './lb-policies.js';
import { randomEdits } from './random-edits.js';
import { validateAsNode } from './validate-as-node.js';

const RESOURCES = recordedVerdicts('grpc-js-xds').flatMap(({ one }) => {
  const [any, ...others] = responseOf(one).resources;
  return any !== undefined && others.length === 0 && any.typeUrl === responseOf(one).typeUrl ? [any] : [];
});

const ALL_ON = {
  GRPC_XDS_EXPERIMENTAL_RBAC: 'true',
  GRPC_EXPERIMENTAL_XDS_WRR_LB: 'true',
  GRPC_EXPERIMENTAL_PICKFIRST_LB_CONFIG: 'true',
};
const ALL_OFF = {
  GRPC_XDS_EXPERIMENTAL_FAULT_INJECTION: 'false',
  GRPC_EXPERIMENTAL_ENABLE_OUTLIER_DETECTION: 'false',
  GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY: '1',
  GRPC_EXPERIMENTAL_XDS_FEDERATION: 'TRUE',
  GRPC_EXPERIMENTAL_XDS_CUSTOM_LB_CONFIG: 'false',
  GRPC_XDS_EXPERIMENTAL_ENABLE_RING_HASH: 'no',
  GRPC_EXPERIMENTAL_XDS_DUALSTACK_ENDPOINTS: 'false',
};

/** Checks the error and the name of each resource against the installed package. */
function expectAgreement(resources: readonly Any[], variables: Readonly<Record<string, string>> = {}): void {
  const installed = validateWithInstalled(resources, { providers: ['provider1'], variables });
  const different = resources.flatMap((any, i) => {
    const response = { typeUrl: any.typeUrl, resources: [any], resourceErrors: [] };
    const {
      nack,
      resources: [validated],
    } = validateAsNode({ ...NO_RESPONSE, ...response }, { ...CONTEXT, variables });
    const { name, error } = installed[i] ?? {};
    const expected = error && `xDS response validation errors: [resource index 0: ${error}]`;
    const isSame = nack === expected && validated?.name === name;
    return isSame ? [] : [{ expected, nack, name, validated: validated?.name }];
  });
  expect(different).toEqual([]);
}

const NO_RESPONSE = { versionInfo: '', nonce: '', controlPlane: undefined };

function clusterWith(policy: object): Any {
  const problems = new Problems();
  const cluster = {
    '@type': RESOURCE_TYPES.CDS,
    name: 'foo',
    type: 'EDS',
    eds_cluster_config: { eds_config: { ads: {} } },
    load_balancing_policy: policy,
  };
  const any = parseAny(xdsCatalogue, cluster, problems);
  expect(problems.list).toEqual([]);
  return any as Any;
}

/** A third of the corpus, which has several resources of each kind. */
const SOME_RESOURCES = RESOURCES.filter((_, i) => i % 3 === 0);

describe('the validator of grpc-js-xds agrees with the installed package', () => {
  it('on LB policies, and on bytes with random edits', () => {
    expectAgreement([...LB_POLICIES.map(clusterWith), ...randomEdits(RESOURCES, { seed: 1, count: 800 })]);
  });

  it('with all switches on', () => {
    expectAgreement([...LB_POLICIES.map(clusterWith), ...SOME_RESOURCES], ALL_ON);
  });

  it('with all switches off', () => {
    expectAgreement([...LB_POLICIES.map(clusterWith), ...SOME_RESOURCES], ALL_OFF);
  });
});
