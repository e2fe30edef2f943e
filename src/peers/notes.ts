import { type Decision, IMPLEMENTATIONS, type Implementation, type Note } from './note.js';
import { type AppliedRule, appliedRules, predict } from './predict.js';
import type { Rule, RulePlace } from './rule.js';
import { NOTE_TITLES } from './rules/titles.js';
import { problemsOf, type Subject } from './subject.js';

/** A problem all over a resource is told this often. */
const MAX_PLACES = 5;

const NAMES: Record<Implementation, string> = {
  'grpc-go': 'grpc-go 1.85',
  'grpc-java': 'grpc-java 1.85',
  'grpc-js-xds': '@grpc/grpc-js-xds 1.14',
  envoy: 'Envoy 1.40',
};

const VERBS: Record<Decision, string> = {
  rejects: 'rejects this',
  accepts: 'accepts what gRPC C-core does not',
  aborts: 'aborts on this',
};

/** Where other implementations decide otherwise than C-core about a resource; nothing where they agree with it. */
export function notesOn(subject: Subject): Note[] {
  const applications = appliedRules(subject);
  const refused = problemsOf(subject).length > 0;
  return IMPLEMENTATIONS.flatMap((implementation) => {
    const { decides, applications: reasons } = predict(subject, implementation, applications);
    if (decides === undefined || (refused && decides === 'rejects')) return [];
    return reasons.flatMap((reason) => notesFrom(reason, implementation, decides));
  });
}

function notesFrom({ rule, places }: AppliedRule, implementation: Implementation, decides: Decision): Note[] {
  return places.slice(0, MAX_PLACES).map((place) => ({
    code: rule.code,
    implementation,
    decides,
    path: place.path,
    text: textOf(rule, place, implementation, decides),
  }));
}

function textOf(rule: Rule, { detail }: RulePlace, implementation: Implementation, decides: Decision): string {
  const exactly = detail === undefined ? '' : ` (${detail})`;
  return `${NAMES[implementation]} ${VERBS[decides]}: ${NOTE_TITLES[rule.code]}${exactly}`;
}
