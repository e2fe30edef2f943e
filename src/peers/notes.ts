import { type Decision, IMPLEMENTATIONS, type Implementation, type Note } from './note.js';
import { type AppliedRule, appliedRules, predict } from './predict.js';
import type { Rule, RulePlace } from './rule.js';
import { NOTE_TITLES } from './rules/titles.js';
import { problemsOf, type Subject } from './subject.js';

/** A note is repeated for at most this many places in a resource. */
const MAX_PLACES = 5;

const NAMES: Record<Implementation, string> = {
  'grpc-go': 'grpc-go 1.85',
  'grpc-java': 'grpc-java 1.85',
  'grpc-js-xds': '@grpc/grpc-js-xds 1.14',
  envoy: 'Envoy 1.40',
};

const VERBS: Record<Decision, string> = {
  rejects: 'rejects this',
  accepts: 'accepts this, unlike gRPC C-core',
  aborts: 'aborts on this',
};

/** Returns the notes on implementations that validate a resource differently from C-core. */
export function notesOn(subject: Subject): Note[] {
  const applications = appliedRules(subject);
  const isRejected = problemsOf(subject).length > 0;
  return IMPLEMENTATIONS.flatMap((implementation) => {
    const { decision: decides, reasons } = predict(subject, implementation, applications);
    if (decides === undefined || (isRejected && decides === 'rejects')) return [];
    return reasons.flatMap((reason) => notesFrom(reason, implementation, decides));
  });
}

function notesFrom({ rule, places }: AppliedRule, implementation: Implementation, decides: Decision): Note[] {
  return places.slice(0, MAX_PLACES).map((place) => ({
    code: rule.code,
    implementation,
    decides,
    path: place.path,
    text: noteText(rule, place, implementation, decides),
  }));
}

function noteText(rule: Rule, { detail }: RulePlace, implementation: Implementation, decides: Decision): string {
  const suffix = detail === undefined ? '' : ` (${detail})`;
  return `${NAMES[implementation]} ${VERBS[decides]}: ${NOTE_TITLES[rule.code]}${suffix}`;
}
