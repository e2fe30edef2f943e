import { JAVA_TARGETS } from '../target-rules.js';
import { C_CORE } from './c-core.js';
import { BOTH_FEATURES, type PresetDefinition } from './definition.js';

/** grpc-java 1.85.1, described by its differences from C-core. */
export const GRPC_JAVA: PresetDefinition = {
  description: 'the behaviour of grpc-java 1.85',
  version: 'grpc-java 1.85.1',
  identity: { userAgentName: 'gRPC Java', userAgentVersion: '1.85.1', clientFeatures: BOTH_FEATURES },
  policies: { ...C_CORE.policies, targetRules: JAVA_TARGETS, transientTimerMs: 30_000, statusTexts: 'grpc-java' },
  switches: {
    dataErrorHandling: false,
    canHandleDataErrors: true,
    canDisableFederation: true,
    canDisableFallback: false,
  },
};
