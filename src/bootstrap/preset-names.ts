/** The clients that `--as` can select, with the release that was recorded; undefined for the gRFCs. */
export const RELEASES = {
  spec: undefined,
  'c-core': 'C-core 1.85.1',
  'grpc-go': 'grpc-go 1.85.0',
  'grpc-java': 'grpc-java 1.85.1',
  'grpc-node': '@grpc/grpc-js-xds 1.14.1',
} as const;

/** The implementation whose behaviour a client reproduces. */
export type Preset = keyof typeof RELEASES;

export const DEFAULT_PRESET: Preset = 'spec';

export function isPreset(name: unknown): name is Preset {
  return typeof name === 'string' && Object.hasOwn(RELEASES, name);
}

/** Whether a preset validates responses as C-core does: others need the code of their own validators. */
export function validatesAsCCore(preset: Preset): boolean {
  return preset === 'spec' || preset === 'c-core';
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
export const PRESET_WORDS: readonly string[] = [...Object.keys(RELEASES), ...Object.keys(PRESET_ALIASES)];

/** The choices of `--as`. */
export const PRESET_NAMES: readonly Preset[] = Object.keys(RELEASES).filter(isPreset);
