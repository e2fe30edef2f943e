import { SEVERITIES } from '../../base/finding.js';
import { parseCodes } from '../../findings/suppress.js';
import { choice, joined, Misuse } from '../option.js';

/** `--suppress`: the codes are those of the catalogue. */
export const suppressOption = {
  suppress: joined('Codes of findings to leave out, joined by commas: XI205,…', (parts, name) => {
    const parsed = parseCodes(parts.join(','));
    if (!parsed.ok) throw new Misuse(`--${name}: ${parsed.message}`);
    return parsed.codes;
  }),
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
