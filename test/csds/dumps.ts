import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problems } from '../../src/base/problem.js';
import { PRESETS } from '../../src/bootstrap/presets.js';
import { followDump } from '../../src/csds/follow-dump.js';
import { readClientStatus } from '../../src/csds/read-client-status.js';
import { validateDump } from '../../src/csds/validate-dump.js';
import { type RemoteClient, remoteVerdicts } from '../../src/inspect/remote-answer.js';
import { xdsCatalogue } from '../../src/proto/json/catalogue.js';
import { parseMessage } from '../../src/proto/json/parse.js';
import { ROOT } from '../support/root.js';

export const dumpJson = (name: string): object =>
  JSON.parse(readFileSync(join(ROOT, `fixtures/csds/${name}.json`), 'utf8'));

/** Encodes a ClientStatusResponse from the proto JSON in fixtures/csds. */
export const dumpBytes = (name: string): Uint8Array => bytesOf(dumpJson(name));

export function bytesOf(response: object): Uint8Array {
  const problems = new Problems();
  const bytes = parseMessage(xdsCatalogue, 'envoy.service.status.v3.ClientStatusResponse', response, problems);
  if (bytes === undefined) throw new Error(JSON.stringify(problems.list));
  return bytes;
}

/** Reads the clients of a response and follows their targets. */
export function followed(bytes: Uint8Array, now = 0): RemoteClient[] {
  const { clients, problems } = readClientStatus(bytes);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return clients.map((dump) => {
    const validated = validateDump(dump, PRESETS.spec.policies);
    const snapshot = followDump(validated, { policies: PRESETS.spec.policies, now, resolutions: new Map() });
    return { client: undefined, validated, snapshot, verdicts: remoteVerdicts(validated, snapshot, now) };
  });
}
