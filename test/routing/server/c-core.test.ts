import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { statusName } from '../../../src/base/status.js';
import { predictServed } from '../../../src/routing/server/predict.js';
import { acceptedJson } from '../../resources/validate.js';
import { ROOT } from '../../support/root.js';

interface Recording {
  path: string;
  nodeId: string;
  cases: {
    id: string;
    listener: object;
    metadata: [string, string][];
    status: { code: string; message: string };
  }[];
}

const { path, nodeId, cases }: Recording = JSON.parse(
  readFileSync(join(ROOT, 'fixtures/routing/server-c-core.json'), 'utf8'),
);

it.each(cases)(
  'the predicted status of a gRPC server equals the one of C-core: $id',
  ({ listener, metadata, status }) => {
    const resource = acceptedJson('LDS', listener);
    if (resource.type !== 'LDS' || resource.value.kind !== 'server') throw new Error('not a server listener');
    const local = { address: { family: 4 as const, v4: 0x7f000001, port: 23_456 }, port: 23_456 };
    const call = { path, metadata, authority: '127.0.0.1:23456', local };
    const gone = () => ({ error: `does not exist (node ID:${nodeId})` });
    const [only, ...others] = predictServed(resource.value, gone, call);
    expect(others).toEqual([]);
    const outcome = only?.outcome;
    const predicted =
      outcome?.kind === 'fails'
        ? { code: statusName(outcome.status.code), message: outcome.status.message }
        : { code: outcome?.kind === 'accepts' ? 'OK' : outcome?.kind, message: '' };
    expect(predicted).toEqual(status);
  },
);
