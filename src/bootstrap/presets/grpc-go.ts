import { C_CORE } from './c-core.js';
import type { PresetDefinition } from './definition.js';

/** grpc-go 1.85.0, described by its differences from C-core. */
export const GRPC_GO: PresetDefinition = {
  description: 'the behaviour of grpc-go 1.85',
  version: 'grpc-go 1.85.0',
  policies: { ...C_CORE.policies, statusTexts: 'grpc-go' },
  switches: { dataErrorHandling: false, canDisableFallback: false },
};
