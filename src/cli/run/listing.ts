import { didYouMean } from '../../base/nearest.js';
import { CACHE_STATUSES } from '../../core/cache-status.js';
import type { Event } from '../../core/event.js';
import { isEveryServerDown } from '../../engine/lost.js';
import type { Finding } from '../../findings/finding.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { re2Error } from '../../resources/regex/re2-syntax.js';
import { partialMatch } from '../../routing/regex.js';
import { isGood, type ScopeStatus } from '../../view/status.js';
import type { Arguments } from '../command.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { Failure } from '../failure.js';
import { readThreshold } from './finding-filter.js';
import type { Ending } from './settling.js';

/** Which resources are shown, and which states count as findings. */
export interface Listing {
  isShown(resource: { type: string; name: string; status: string }): boolean;
  /** Events about other resources are left out; those about none are not, unless a state is asked for. */
  isShownEvent(event: Event): boolean;
  /** Findings about the control plane, by the same filters. */
  isShownFinding(finding: Finding): boolean;
  failing: ReadonlySet<string>;
  isFailing(finding: { severity: string }): boolean;
}

export function readListing(args: Arguments, known: readonly string[] = CACHE_STATUSES): Listing {
  const types = list(args.type, 'type', Object.keys(RESOURCE_TYPES));
  const states = list(args.status, 'status', known);
  const pattern = args.name as string | undefined;
  if (pattern !== undefined && partialMatch(pattern, '') === undefined) {
    throw new Failure(EXIT.usage, `--name: ${re2Error(pattern) ?? `"${pattern}" is not supported`}`);
  }
  const failing = args.failOn === 'none' ? [] : (list(args.failOn, 'fail-on', [...known, 'none']) ?? []);
  const isNamed = (name: string): boolean => pattern === undefined || partialMatch(pattern, name) === true;
  return {
    isShown: ({ type, name, status }) =>
      (types?.includes(type) ?? true) && (states?.includes(status) ?? true) && isNamed(name),
    isShownEvent: (event) => {
      if (types !== undefined && typeOf(event) !== undefined && !types.includes(typeOf(event) ?? '')) return false;
      if (types !== undefined && event.kind === 'tear' && !event.resources.some(({ type }) => types.includes(type)))
        return false;
      if (states !== undefined && !states.includes(stateOf(event))) return false;
      const names = namesOf(event);
      return pattern === undefined || names === undefined || names.some(isNamed);
    },
    isShownFinding: ({ typeUrl, names }) => {
      if (states !== undefined) return false;
      if (types !== undefined && typeUrl !== undefined && !types.includes(shortType(typeUrl))) return false;
      return names.length === 0 || names.some(isNamed);
    },
    failing: new Set(failing),
    isFailing: readThreshold(args),
  };
}

function typeOf(event: Event): string | undefined {
  return 'typeUrl' in event && event.typeUrl !== undefined ? shortType(event.typeUrl) : undefined;
}

function stateOf(event: Event): string {
  if (event.kind === 'resource') return event.status;
  return event.kind === 'error' ? (event.cache ?? '') : '';
}

function namesOf(event: Event): readonly string[] | undefined {
  if (event.kind === 'response') return [...event.names, ...event.errors.map(({ name }) => name)];
  if (event.kind === 'tear') return event.resources.map(({ name }) => name);
  if (event.kind === 'finding' && event.names.length === 0) return undefined;
  if ('names' in event) return event.names;
  return 'name' in event ? [event.name] : undefined;
}

function list(value: unknown, flag: string, known: readonly string[]): string[] | undefined {
  if (value === undefined) return undefined;
  const words = String(value)
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length === 0) throw new Failure(EXIT.usage, `--${flag} takes ${known.join(', ')}, not nothing`);
  return words.map((word) => {
    const found = known.find((one) => one.toLowerCase() === word.toLowerCase());
    if (found === undefined)
      throw new Failure(EXIT.usage, `--${flag} takes ${known.join(', ')}, not "${word}"${didYouMean(word, known)}`);
    return found;
  });
}

/** A target that fails while nothing is wrong with any resource: it needs a name that cannot be asked for. */
function failsByItself({ channels, counts }: ScopeStatus): boolean {
  return channels.some(({ config }) => config === 'error') && Object.keys(counts).every(isGood);
}

/** What a script learns: the worst that is true of what was shown. */
export function exitCodeOf(scopes: readonly ScopeStatus[], end: Ending, { failing, isFailing }: Listing): ExitCode {
  if (end === 'interrupted') return EXIT.interrupted;
  const isLost = scopes.some(({ authorities }) => authorities.some(({ servers }) => isEveryServerDown(servers)));
  const states = scopes.flatMap(({ resources }) => resources.map(({ status }) => status));
  if (isLost && (end === 'settled' || states.includes('REQUESTED'))) return EXIT.unavailable;
  if (end === 'timed out') return EXIT.timedOut;
  if (scopes.some(({ findings }) => findings.some(isFailing))) return EXIT.findings;
  if (failing.size > 0 && scopes.some(failsByItself)) return EXIT.findings;
  return states.some((status) => failing.has(status)) ? EXIT.findings : EXIT.ok;
}
