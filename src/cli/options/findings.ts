import { UsageError } from '../../base/failure.js';
import { SEVERITIES } from '../../base/finding.js';
import { choice, joined, type Option } from '../option.js';

const suppress = joined('Codes of findings to leave out, joined by commas: XI205,…', (parts) => {
  return new Set(parts.map((code) => code.trim().toUpperCase()).filter((code) => code !== ''));
});

/** `--suppress`: the codes are those of the catalogue, whose texts only this flag needs. */
export const suppressOption = {
  suppress: {
    ...suppress,
    check: async (typed, flag) => {
      const codes = suppress.read(typed, flag);
      if (codes.size === 0) return;
      const problem = (await import('../../findings/suppress.js')).unknownCodes(codes);
      if (problem !== undefined) throw new UsageError(`--${flag}: ${problem}`);
    },
  } satisfies Option<ReadonlySet<string>>,
};

/** Every command that reports findings: which to leave out, and which make the exit code 79. */
export const findingOptions = {
  ...suppressOption,
  'failure-threshold': choice(
    'The least severe finding that makes the exit code 79 (default: error; with --fail-on none, no finding does)',
    SEVERITIES,
  ),
};

/** Every command that validates files. */
export const validatingOptions = {
  'failure-threshold': choice('The least severe finding that makes the exit code 79', SEVERITIES, {
    default: 'error',
  }),
  ...suppressOption,
};
