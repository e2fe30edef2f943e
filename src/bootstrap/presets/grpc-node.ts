import { NODE_TARGETS } from '../target-rules.js';
import { C_CORE } from './c-core.js';
import { BOTH_FEATURES, type PresetDefinition } from './definition.js';

/** grpc-js-xds 1.14.1, described by its differences from C-core. */
export const GRPC_NODE: PresetDefinition = {
  description: 'the behaviour of grpc-js-xds 1.14',
  version: '@grpc/grpc-js-xds 1.14.1',
  identity: {
    userAgentName: 'gRPC Node Pure JS',
    userAgentVersion: '1.14.1',
    clientFeatures: BOTH_FEATURES.slice(0, 1),
  },
  policies: { ...C_CORE.policies, targetRules: NODE_TARGETS, statusTexts: 'grpc-node' },
  switches: {
    dataErrorHandling: false,
    canHandleDataErrors: true,
    canDisableFederation: true,
    canDisableFallback: false,
  },
};
