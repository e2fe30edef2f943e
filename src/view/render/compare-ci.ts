import type { Severity } from '../../base/finding.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import {
  type ComparedImplementation,
  REFERENCE,
  type ResourceCell,
  type ResourceRow,
  type TargetCell,
} from '../../inspect/compare/comparison.js';
import type { CompareDocument } from '../compare.js';
import { cellWord, resourceTitle } from '../compare-text.js';
import { type Annotation, githubAnnotations } from './annotation.js';
import { type JunitSuite, junit } from './junit.js';

/** What an implementation does with a target or a resource. */
interface Fact {
  name: string;
  place: Annotation['place'];
  kind: 'good' | 'bad' | 'unknown' | 'unused';
  text: string;
  /** Ignored parts. */
  remarks: string[];
}

/** One suite per implementation, and one case per target and per resource. */
export function compareJunit(document: CompareDocument): string {
  return junit([...implementationsIn(document).map((one) => suiteOf(one, document)), ...unreadableSuites(document)]);
}

function suiteOf({ preset, isRequired }: ComparedImplementation, document: CompareDocument): JunitSuite {
  return {
    name: preset,
    cases: factsOf(preset, document).map(({ name, kind, text, remarks }) => {
      const isSkipped = kind === 'unknown' || kind === 'unused' || (kind === 'bad' && !isRequired);
      const skipped = kind === 'bad' ? `not required, and ${text}` : text;
      return {
        name,
        failures: kind === 'bad' && isRequired ? [text] : [],
        remarks,
        skipped: isSkipped ? skipped : undefined,
      };
    }),
  };
}

function unreadableSuites({ files }: CompareDocument): JunitSuite[] {
  return (files?.unreadable ?? []).map(({ source, problems }) => {
    const failures = problems.map(({ place: { line, column }, message }) => `${line}:${column} ${message}`);
    return { name: source, cases: [{ name: 'readable', failures, remarks: [] }] };
  });
}

/** Errors for required implementations, warnings for others, notices for what is not measured. */
export function compareAnnotations(document: CompareDocument): string {
  return githubAnnotations([
    ...(document.files?.unreadable ?? []).flatMap(({ problems }) => problems),
    ...implementationsIn(document).flatMap(({ preset, isRequired }) =>
      factsOf(preset, document).flatMap((fact) => annotationOf(fact, preset, isRequired)),
    ),
  ]);
}

function annotationOf({ name, place, kind, text }: Fact, preset: Preset, isRequired: boolean): Annotation[] {
  if (kind === 'good' || kind === 'unused') return [];
  const severity: Severity = kind === 'unknown' ? 'note' : isRequired ? 'error' : 'warning';
  return [{ code: `${preset}: ${name}`, severity, place, message: text }];
}

function implementationsIn({ comparison }: CompareDocument): ComparedImplementation[] {
  return comparison.implementations.filter(({ preset, isRequired }) => preset !== REFERENCE || isRequired);
}

function factsOf(preset: Preset, { comparison: { targets, resources } }: CompareDocument): Fact[] {
  return [
    ...targets.flatMap(({ target, cells }) => {
      const cell = cells.get(preset);
      return cell === undefined ? [] : [targetFact(target, cell)];
    }),
    ...resources.flatMap((row) => {
      const cell = row.cells.get(preset);
      return cell === undefined ? [] : [resourceFact(row, cell)];
    }),
  ];
}

function targetFact(target: string, cell: TargetCell): Fact {
  const { verdict, status, reason } = cell;
  const code = status === null || status.code === 'OK' ? '' : ` (${status.code})`;
  const text = `${cellWord(cell)}${code}${reason === null ? '' : `: ${reason}`}`;
  const kind = verdict === 'not-measured' || verdict === 'unknown' ? 'unknown' : verdict === 'ok' ? 'good' : 'bad';
  return { name: target, place: null, kind, text, remarks: verdict === 'ok' && reason !== null ? [reason] : [] };
}

const KINDS: Record<ResourceCell['verdict'], Fact['kind']> = {
  accepted: 'good',
  rejected: 'bad',
  // The verdict of the target says whether this is a problem.
  missing: 'unused',
  waiting: 'unused',
  ignored: 'unused',
  'not-requested': 'unused',
  'not-measured': 'unknown',
};

function resourceFact(row: ResourceRow, { verdict, reason, ignored }: ResourceCell): Fact {
  const text = `${verdict.replace('-', ' ')}${reason === null ? '' : `: ${reason}`}`;
  const remarks = ignored.map((part) => `ignored: ${part.path === '' ? '' : `${part.path}: `}${part.reason}`);
  const prefix = row.target === null ? '' : `${row.target}: `;
  return { name: `${prefix}${resourceTitle(row)}`, place: row.place, kind: KINDS[verdict], text, remarks };
}
