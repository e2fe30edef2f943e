import { getOrAdd } from '../../base/get-or-add.js';
import type { Preset } from '../../bootstrap/preset-names.js';
import type { FilesReport } from '../validate/files.js';
import type { ResourceReport, ResponseReport } from '../validate/report.js';
import { differencesFirst, isRequired } from './compare-implementations.js';
import type { Comparison, ResourceCell, ResourceRow } from './comparison.js';
import { hasDifferentResources } from './difference.js';
import { implementationOf } from './implementation-outcome.js';

interface OpenRow extends Omit<ResourceRow, 'cells' | 'differs'> {
  cells: Map<Preset, ResourceCell>;
}

/** Compares the reports of implementations on the same files. */
export function compareFiles(
  reports: ReadonlyMap<Preset, FilesReport>,
  required: ReadonlySet<Preset> | undefined,
): Comparison {
  const rows = new Map<string, OpenRow>();
  for (const [preset, { responses }] of reports) {
    for (const [index, response] of responses.entries()) {
      const seen = new Map<string, number>();
      for (const resource of response.resources) {
        const { name, place } = resource;
        const position = JSON.stringify([index, place.path, place.line, place.column, name]);
        // The resources of a binary file have no position, and two of them may have the same name.
        const count = (seen.get(position) ?? 0) + 1;
        seen.set(position, count);
        const row = getOrAdd(rows, `${position} ${count}`, () => ({
          target: null,
          place,
          type: response.type,
          name,
          cells: new Map(),
        }));
        row.cells.set(preset, fileCell(resource, response));
      }
    }
  }
  const presets = [...reports.keys()];
  const resources = [...rows.values()].map(({ cells, ...row }): ResourceRow => {
    const whole = new Map(presets.map((preset) => [preset, cells.get(preset) ?? NOT_LISTED]));
    return { ...row, cells: whole, differs: hasDifferentResources(whole) };
  });
  return {
    implementations: presets.map((preset) =>
      implementationOf(preset, isRequired(preset, required), { targets: [], resources }, false),
    ),
    targets: [],
    resources: differencesFirst(resources),
  };
}

const NONE = { status: null, version: null, nack: null, ignored: [] };

/** Of many resources of a few bytes each, only some are listed. */
const NOT_LISTED: ResourceCell = { ...NONE, verdict: 'not-measured', reason: 'one of many small resources' };

function fileCell({ verdict, findings }: ResourceReport, { nack }: ResponseReport): ResourceCell {
  const problems = findings.filter(({ code }) => code === 'XI100').map(({ place, message }) => textAt(place, message));
  const [first = null] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const ignored = findings.flatMap(({ code, place, message }) =>
    code === 'XI101' ? [{ path: place.path, reason: message }] : [],
  );
  const rejected = verdict === 'rejected' ? { nack, reason: first && `${first}${more}` } : { reason: null };
  return { ...NONE, verdict, ignored, ...rejected };
}

function textAt({ path }: { path: string }, message: string): string {
  return path === '' ? message : `${path}: ${message}`;
}
