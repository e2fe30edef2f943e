import { UsageError } from '../../base/failure.js';
import { SEVERITIES } from '../../base/finding.js';
import { choice, joined, type Option } from '../option.js';

const suppress = joined('Finding codes to omit, joined by commas (XI205,…)', (parts) => {
  return new Set(parts.map((code) => code.trim().toUpperCase()).filter((code) => code !== ''));
});

/** `--suppress`. The catalogue that contains all codes is loaded only if the flag is given. */
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

/** Options of commands that report findings: the omitted ones, and those that cause exit code 79. */
export const findingOptions = {
  ...suppressOption,
  'failure-threshold': choice(
    'Minimum severity of a finding that causes exit code 79 (default: error; with --fail-on none, no finding does)',
    SEVERITIES,
  ),
};

/** Options of commands that validate files. */
export const validatingOptions = {
  'failure-threshold': choice('Minimum severity of a finding that causes exit code 79', SEVERITIES, {
    default: 'error',
  }),
  ...suppressOption,
};
