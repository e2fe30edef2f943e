import type { Policies } from './policies.js';
import { C_CORE } from './presets/c-core.js';
import type { PresetDefinition } from './presets/definition.js';
import { GRPC_GO } from './presets/grpc-go.js';
import { GRPC_JAVA } from './presets/grpc-java.js';
import { GRPC_NODE } from './presets/grpc-node.js';
import { SPEC } from './presets/spec.js';

/** The clients that `--as` can select. To add one, add a definition. */
export const PRESETS = {
  spec: SPEC,
  'c-core': C_CORE,
  'grpc-go': GRPC_GO,
  'grpc-java': GRPC_JAVA,
  'grpc-node': GRPC_NODE,
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
