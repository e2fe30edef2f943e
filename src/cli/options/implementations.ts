import { DEFAULT_PRESET, PRESET_NAMES, PRESET_WORDS, type Preset, presetNamed } from '../../bootstrap/preset-names.js';
import { aliasedChoice, type Option, words } from '../option.js';

const required = words(
  'Only these implementations cause exit code 79 or 75, joined by commas (default: all)',
  PRESET_WORDS,
);

/** The implementations that a command line requires to work. */
export const requireOption = {
  require: {
    ...required,
    placeholder: 'grpc-go,…',
    read: (typed, flag) => {
      const found = required.read(typed, flag)?.flatMap((word) => presetNamed(word) ?? []);
      return found === undefined ? undefined : new Set(found);
    },
  } satisfies Option<ReadonlySet<Preset> | undefined>,
};

/** One implementation, or all of them. */
export const asOrAllOption = {
  as: aliasedChoice(
    'Client behaviour: that of the gRFCs (spec), or of an implementation; all: compare the implementations',
    [...PRESET_NAMES, 'all'] as const,
    { words: [...PRESET_WORDS, 'all'], read: (word) => (word === 'all' ? word : presetNamed(word)) },
    { default: DEFAULT_PRESET },
  ),
};
