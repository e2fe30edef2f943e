import { GRPC_MESSAGE_LIMIT_BYTES, MAX_RESPONSE_BYTES } from '../base/limits.js';
import type { Policies } from './policies.js';

/** All differences between the clients that `--as` can select. To add a client, add an object to `PRESETS`. */
interface PresetDefinition {
  description: string;
  /** The release whose behaviour was recorded; undefined for the gRFCs. */
  version: string | undefined;
  policies: Policies;
  switches: {
    /** D13: whether A88 is on by default. */
    dataErrorHandling: boolean;
    /** D23: whether the environment variable can turn A71's fallback off. */
    canDisableFallback: boolean;
  };
}

/** C-core 1.85.1, from whose behaviour the other implementations deviate in parts. */
const C_CORE: Policies = {
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
};

export const PRESETS = {
  spec: {
    description: 'the gRFCs as interpreted by this tool',
    version: undefined,
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
    version: 'C-core 1.85.1',
    policies: C_CORE,
    switches: { dataErrorHandling: false, canDisableFallback: false },
  },
  'grpc-go': {
    description: 'the behaviour of grpc-go 1.85',
    version: 'grpc-go 1.85.0',
    policies: { ...C_CORE },
    switches: { dataErrorHandling: false, canDisableFallback: false },
  },
  'grpc-java': {
    description: 'the behaviour of grpc-java 1.85',
    version: 'grpc-java 1.85.1',
    policies: { ...C_CORE, transientTimerMs: 30_000 },
    switches: { dataErrorHandling: false, canDisableFallback: false },
  },
  'grpc-node': {
    description: 'the behaviour of grpc-js-xds 1.14',
    version: '@grpc/grpc-js-xds 1.14.1',
    policies: { ...C_CORE },
    switches: { dataErrorHandling: false, canDisableFallback: false },
  },
} as const satisfies Record<string, PresetDefinition>;

/** The implementation whose behaviour a client reproduces. */
export type Preset = keyof typeof PRESETS;

export const DEFAULT_PRESET: Preset = 'spec';

export function isPreset(name: unknown): name is Preset {
  return typeof name === 'string' && Object.hasOwn(PRESETS, name);
}

/** Other names of presets: C++, Python and Ruby use C-core. */
const PRESET_ALIASES: Readonly<Record<string, Preset>> = {
  'grpc-js': 'grpc-node',
  'grpc-js-xds': 'grpc-node',
  cpp: 'c-core',
  python: 'c-core',
  ruby: 'c-core',
};

export function presetNamed(name: string): Preset | undefined {
  if (isPreset(name)) return name;
  return Object.hasOwn(PRESET_ALIASES, name) ? PRESET_ALIASES[name] : undefined;
}

/** Every word that `--as` accepts. */
export const PRESET_WORDS: readonly string[] = [...Object.keys(PRESETS), ...Object.keys(PRESET_ALIASES)];

/** The choices of `--as`. */
export const PRESET_NAMES: readonly Preset[] = Object.keys(PRESETS).filter(isPreset);

export function policiesOf(preset: Preset): Policies {
  return PRESETS[preset].policies;
}
