import type { Preset } from '../bootstrap/preset-names.js';
import { PRESETS } from '../bootstrap/presets.js';
import {
  type ComparedImplementation,
  type Comparison,
  REFERENCE,
  type ResourceRow,
  type TargetRow,
} from '../inspect/compare/comparison.js';
import type { FilesReport } from '../inspect/validate/files.js';
import { resourceReasons, targetReasons, targetSummary } from './compare-text.js';
import { problemDocument } from './validate.js';

/** What several implementations do with the same control plane, the same recording or the same files. */
export interface CompareDocument {
  /** The bootstrap or the recording; null for files. */
  source: string | null;
  /** The client of the recording; null for a live session and for files. */
  recordedAs: Preset | null;
  comparison: Comparison;
  /** Only for files. */
  files?: Pick<FilesReport, 'unreadable' | 'empty'>;
}

function hasDifferences({ targets, resources }: Comparison): boolean {
  return [...targets, ...resources].some(({ differs }) => differs);
}

/** The document of `compare -o json`. */
export function compareData({ source, recordedAs, comparison, files }: CompareDocument): object {
  const { implementations, targets, resources } = comparison;
  return {
    schema: 'xds-inspect/compare/v1',
    source,
    recordedAs,
    differs: hasDifferences(comparison),
    implementations: implementations.map(implementationData),
    targets: targets.map(targetData),
    resources: resources.map((row) => resourceData(row, targets)),
    ...(files && {
      unreadable: files.unreadable.map((one) => ({ ...one, problems: one.problems.map(problemDocument) })),
      empty: files.empty,
    }),
  };
}

function implementationData({ preset, isRequired, outcome, failures }: ComparedImplementation): object {
  const version = PRESETS[preset].version ?? null;
  return { name: preset, version, reference: preset === REFERENCE, required: isRequired, outcome, failures };
}

function targetData(row: TargetRow): object {
  const { target, differs, cells } = row;
  return {
    target,
    differs,
    summary: targetSummary(row),
    reasons: targetReasons(row),
    results: Object.fromEntries(cells),
  };
}

function resourceData(row: ResourceRow, targets: readonly TargetRow[]): object {
  const { target, place, type, name, differs, cells } = row;
  return {
    target,
    source: place?.source ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    type,
    name,
    differs,
    reasons: resourceReasons(row, targets),
    results: Object.fromEntries(cells),
  };
}
