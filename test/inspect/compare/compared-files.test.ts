import { describe, expect, it } from 'vitest';
import type { Preset } from '../../../src/bootstrap/preset-names.js';
import { compareFiles } from '../../../src/inspect/compare/compared-files.js';
import { contextOf } from '../../../src/inspect/validate/context.js';
import { type FilesReport, validateFile } from '../../../src/inspect/validate/files.js';
import { readResourceSwitches } from '../../../src/resources/context.js';
import { resourceReasons } from '../../../src/view/compare-text.js';

const BLUE = '{ "@type": CDS, name: blue, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }';
const GREEN = '{ "@type": CDS, name: green, type: EDS, eds_cluster_config: { eds_config: { ads: {} } } }';
const STATIC = '{ "@type": CDS, name: green, type: STATIC }';

function reportOn(text: string): FilesReport {
  const context = contextOf(undefined, {
    preset: 'c-core',
    switches: readResourceSwitches({}, false),
    interfaces: new Map(),
  });
  return validateFile('clusters.yaml', new TextEncoder().encode(text), context);
}

describe('a comparison of files', () => {
  it('has a row per resource, with its position, and what differs first', () => {
    const reports = new Map<Preset, FilesReport>([
      ['c-core', reportOn(`[${BLUE},\n${GREEN}]`)],
      ['grpc-java', reportOn(`[${BLUE},\n${STATIC}]`)],
    ]);
    const { resources, implementations } = compareFiles(reports, undefined);
    expect(resources.map(({ name, differs, place }) => [name, differs, place?.line])).toEqual([
      ['green', true, 2],
      ['blue', false, 1],
    ]);
    expect(resources.flatMap((row) => resourceReasons(row))).toEqual([
      'grpc-java rejects it: type: unknown discovery type',
    ]);
    expect(resources[0]?.cells.get('grpc-java')?.nack).toContain('resource index 1: green');
    expect(implementations.map(({ outcome }) => outcome)).toEqual(['ok', 'fails']);
  });

  it('keeps several resources with the same name apart', () => {
    const same = reportOn(`[${BLUE},\n${BLUE}]`);
    const { resources } = compareFiles(new Map<Preset, FilesReport>([['c-core', same]]), undefined);
    expect(resources).toHaveLength(2);
  });
});
