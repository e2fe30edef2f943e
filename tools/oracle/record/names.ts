import { ClientStatusResponse } from '../../../src/proto/generated/envoy.service.status.v3.js';
import { decode } from '../../../src/proto/message-type.js';
import type { Command } from '../../peers/peers.js';
import type { Ended } from '../c-core.js';
import type { NameRecording } from '../conformance/names.js';
import { CoreSession } from '../core-session.js';
import { bootstrapOf } from '../resources/core-validator.js';
import type { ScriptedStream } from '../scripted-server.js';
import { groupsOf } from './groups.js';
import { listenerWith } from './routes.js';

type Case = NameRecording['cases'][number];
type ClusterNameCase = Extract<Case, { kind: 'cluster-name' }>;
type TargetCase = Extract<Case, { kind: 'target' }>;

const SOON_MS = 500;
const CALL_S = 5;
const GONE_MS = 5000;
const METHOD = '/oracle.Echo/Echo';

/** Lets C-core take cluster names and targets apart anew. */
export async function recordNames(recording: NameRecording, command: Command): Promise<NameRecording> {
  const authorities = Object.fromEntries(recording.authorities.map((name) => [name, {}]));
  const results = new Map<Case, Case>();
  const groups = groupsOf(recording.cases, (one) => JSON.stringify(one.kind === 'target' ? one.bootstrap : ''));
  for (const cases of groups) {
    const [first] = cases;
    const { case: _case, ...fields } = first.kind === 'target' ? first.bootstrap : { case: '', authorities };
    const lab = await CoreSession.start(command, {}, (port) => ({
      ...bootstrapOf(fields, port),
      node: { id: 'node-1' },
    }));
    for (const [index, one] of cases.entries()) {
      const isCluster = one.kind === 'cluster-name';
      results.set(one, await (isCluster ? recordClusterName(lab, one, index) : recordTarget(lab, one)));
    }
    await lab.stop();
  }
  return { ...recording, cases: recording.cases.map((one) => results.get(one) as Case) };
}

async function recordClusterName(
  lab: CoreSession,
  { kind, name }: ClusterNameCase,
  index: number,
): Promise<ClusterNameCase> {
  const target = `xds:///case-${index}`;
  const stream = await lab.open(target);
  if (stream === undefined) throw new Error(`${name}: the client opens no stream`);
  const routes = [{ match: { prefix: '' }, route: { cluster: name } }];
  await lab.lead(stream, { LDS: listenerWith(`case-${index}`, [{ name: 'v', domains: ['*'], routes }]) });
  const asked = await askedOrRefused(lab, stream, target);
  await lab.core.close(target);
  if (typeof asked === 'string') return { kind, name, wire: asked };
  return { kind, name, wire: null, rpc: `${asked.code}: ${asked.message}` };
}

/** The name of a cluster that is asked for, or how a call fails at once. */
async function askedOrRefused(lab: CoreSession, stream: ScriptedStream, channel: string): Promise<string | Ended> {
  const request = await lab.request(stream, 'CDS', 300);
  if (request !== undefined) return request.resourceNames[0] ?? '';
  const ended = await lab.core.call({ channel, method: METHOD, timeout: 2 });
  const late = await lab.request(stream, 'CDS', 0);
  return late?.resourceNames[0] ?? ended;
}

async function recordTarget(lab: CoreSession, one: TargetCase): Promise<TargetCase> {
  const { listener: _listener, client_scope: _scope, authority: _authority, rpc: _rpc, ...given } = one;
  const options = (one.options ?? []) as [string, unknown][];
  const opened = await lab.open(one.target, { options, timeoutMs: SOON_MS });
  try {
    // A call on a target that leads nowhere fails at once; any other waits.
    const failed = opened ? undefined : await lab.core.call({ channel: one.target, method: METHOD, timeout: CALL_S });
    const stream = opened ?? lab.server.streams.findLast(({ isOver }) => !isOver);
    if (stream === undefined || (failed !== undefined && failed.code !== 'DEADLINE_EXCEEDED')) {
      return { ...given, rpc: `${failed?.code}: ${failed?.message}` };
    }
    const listener = (await lab.request(stream, 'LDS'))?.resourceNames[0] ?? '';
    const scope = scopesOf(await lab.core.csds())[0] ?? '';
    // Without a virtual host for it, a call fails with the authority that was looked for.
    await lab.lead(stream, { LDS: listenerWith(listener, [{ name: 'v', domains: ['other.than.any'], routes: [] }]) });
    const { message = '' } = await lab.core.call({ channel: one.target, method: METHOD });
    const authority = /could not find VirtualHost for (.*) in RouteConfiguration/.exec(message)?.[1];
    return { ...given, listener, client_scope: scope, ...(authority !== undefined && { authority }) };
  } finally {
    await lab.core.close(one.target);
    // Another spelling of the same target would get the same client as long as it is there.
    await lab.server.until(() => lab.server.streams.every(({ isOver }) => isOver), GONE_MS);
  }
}

function scopesOf(bytes: Buffer): string[] {
  const decoded = decode(ClientStatusResponse, bytes);
  if (!decoded.ok) throw new Error(`a CSDS response cannot be read: ${decoded.reason}`);
  return decoded.value.config.map(({ clientScope }) => clientScope);
}
