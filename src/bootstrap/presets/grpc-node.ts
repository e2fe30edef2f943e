import { C_CORE } from './c-core.js';
import type { PresetDefinition } from './definition.js';

/** grpc-js-xds 1.14.1, described by its differences from C-core. */
export const GRPC_NODE: PresetDefinition = {
  description: 'the behaviour of grpc-js-xds 1.14',
  version: '@grpc/grpc-js-xds 1.14.1',
  policies: { ...C_CORE.policies, statusTexts: 'grpc-node' },
  switches: { dataErrorHandling: false, canHandleDataErrors: true, canDisableFallback: false },
};
