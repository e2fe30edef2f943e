import { GRPC_MESSAGE_LIMIT_BYTES, MAX_RESPONSE_BYTES } from '../base/limits.js';
import type { Policies } from './policies.js';

/** All differences between the clients that `--as` can select. To add a client, add an object to `PRESETS`. */
interface PresetDefinition {
  description: string;
  policies: Policies;
  switches: {
    /** D13: whether A88 is on by default. */
    dataErrorHandling: boolean;
    /** D23: whether the environment variable can turn A71's fallback off. */
    canDisableFallback: boolean;
  };
}

export const PRESETS = {
  spec: {
    description: 'the gRFCs as interpreted by this tool',
    policies: {
      continueAfterUnknownType: true,
      notifyDataErrorEnd: true,
      keepReportedErrors: true,
      waitForNamedRoutes: true,
      aggregateLeavesPerRoot: true,
      resourceTimerMs: 15_000,
      transientTimerMs: 30_000,
      emptyAuthority: 'xdstp:///',
      keepAddresses: true,
      batchNotifications: true,
      normalizeScope: true,
      maxResponseBytes: MAX_RESPONSE_BYTES,
      resubscribeAllOnFallback: true,
      honorStatusRequests: true,
      showAllFeatures: true,
    },
    switches: { dataErrorHandling: true, canDisableFallback: true },
  },
  'c-core': {
    description: 'the exact behaviour of C-core 1.85',
    policies: {
      continueAfterUnknownType: false,
      notifyDataErrorEnd: false,
      keepReportedErrors: false,
      waitForNamedRoutes: false,
      aggregateLeavesPerRoot: false,
      resourceTimerMs: 15_000,
      transientTimerMs: 15_000,
      emptyAuthority: 'xdstp:/',
      keepAddresses: false,
      batchNotifications: false,
      normalizeScope: false,
      maxResponseBytes: GRPC_MESSAGE_LIMIT_BYTES,
      resubscribeAllOnFallback: false,
      honorStatusRequests: false,
      showAllFeatures: false,
    },
    switches: { dataErrorHandling: false, canDisableFallback: false },
  },
} as const satisfies Record<string, PresetDefinition>;

/** The implementation whose behaviour a client reproduces. */
export type Preset = keyof typeof PRESETS;

export const DEFAULT_PRESET: Preset = 'spec';

export function isPreset(name: unknown): name is Preset {
  return typeof name === 'string' && Object.hasOwn(PRESETS, name);
}

/** The choices of `--as`. */
export const PRESET_NAMES: readonly Preset[] = Object.keys(PRESETS).filter(isPreset);

export function policiesOf(preset: Preset): Policies {
  return PRESETS[preset].policies;
}
