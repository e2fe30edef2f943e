import { C_CORE } from './c-core.js';
import type { PresetDefinition } from './definition.js';

/** grpc-java 1.85.1, described by its differences from C-core. */
export const GRPC_JAVA: PresetDefinition = {
  description: 'the behaviour of grpc-java 1.85',
  version: 'grpc-java 1.85.1',
  policies: { ...C_CORE.policies, transientTimerMs: 30_000 },
  switches: { dataErrorHandling: false, canDisableFallback: false },
};
