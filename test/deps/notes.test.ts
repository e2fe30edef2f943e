import { expect, it } from 'vitest';
import { resolutionNote } from '../../src/deps/notes.js';
import { Follow, json } from './follow.js';

it('the resolution note joins the errors of the resources of a cluster, or contains the node ID (R7.16)', () => {
  const run = Follow.complete('a');
  const note = (nodeId?: string): string => resolutionNote(run.config, run.config.clusters.get('a') as never, nodeId);
  expect(note('n')).toBe('xDS node ID:n');
  expect(note()).toBe('');
  run.ambient('LDS', 'l', '1').ambient('RDS', 'r', '2').ambient('CDS', 'a', '3').ambient('EDS', 'a', '4');
  expect(note('n')).toBe('LDS resource l: 1; RDS resource r: 2; CDS resource a: 3; EDS resource a: 4');
  run
    .get('CDS', 'a', json.aggregate('a', 'b', 'c'))
    .get('CDS', 'b', json.eds('b'))
    .get('EDS', 'b', json.endpoints('b'));
  run.fail('CDS', 'c');
  expect(note('n')).toBe('CDS resource c: does not exist');
  run.fail('CDS', 'a', 'gone');
  expect(note('n')).toBe('CDS resource a: gone');
});
