import { ClientStatusResponse } from '../../../src/proto/generated/envoy.service.status.v3.js';
import { decode } from '../../../src/proto/message-type.js';
import type { Command } from '../../peers/peers.js';
import type { NameRecording } from '../conformance/names.js';
import { CoreSession } from '../core-session.js';
import type { CallResult } from '../oracle-program.js';
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

/** Records how C-core parses cluster names and targets. */
export async function recordNames(recording: NameRecording, command: Command): Promise<NameRecording> {
  const authorities = Object.fromEntries(recording.authorities.map((name) => [name, {}]));
  const results = new Map<Case, Case>();
  const groups = groupsOf(recording.cases, (one) => JSON.stringify(one.kind === 'target' ? one.bootstrap : ''));
  for (const cases of groups) {
    const [first] = cases;
    const { case: _case, ...fields } = first.kind === 'target' ? first.bootstrap : { case: '', authorities };
    const session = await CoreSession.start(command, {}, (port) => ({
      ...bootstrapOf(fields, port),
      node: { id: 'node-1' },
    }));
    for (const [index, one] of cases.entries()) {
      const isCluster = one.kind === 'cluster-name';
      results.set(one, await (isCluster ? recordClusterName(session, one, index) : recordTarget(session, one)));
    }
    await session.stop();
  }
  return { ...recording, cases: recording.cases.map((one) => results.get(one) as Case) };
}

async function recordClusterName(
  session: CoreSession,
  { kind, name }: ClusterNameCase,
  index: number,
): Promise<ClusterNameCase> {
  const target = `xds:///case-${index}`;
  const stream = await session.open(target);
  if (stream === undefined) throw new Error(`${name}: the client opens no stream`);
  const routes = [{ match: { prefix: '' }, route: { cluster: name } }];
  await session.serveInOrder(stream, { LDS: listenerWith(`case-${index}`, [{ name: 'v', domains: ['*'], routes }]) });
  const result = await requestedNameOrFailure(session, stream, target);
  await session.core.close(target);
  if (typeof result === 'string') return { kind, name, wire: result };
  return { kind, name, wire: null, rpc: `${result.code}: ${result.message}` };
}

/** The name of the requested cluster, or the result of a call that fails at once. */
async function requestedNameOrFailure(
  session: CoreSession,
  stream: ScriptedStream,
  channel: string,
): Promise<string | CallResult> {
  const request = await session.firstRequest(stream, 'CDS', 300);
  if (request !== undefined) return request.resourceNames[0] ?? '';
  const ended = await session.core.call({ channel, method: METHOD, timeout: 2 });
  const late = await session.firstRequest(stream, 'CDS', 0);
  return late?.resourceNames[0] ?? ended;
}

async function recordTarget(session: CoreSession, one: TargetCase): Promise<TargetCase> {
  const { listener: _listener, client_scope: _scope, authority: _authority, rpc: _rpc, ...given } = one;
  const options = (one.options ?? []) as [string, unknown][];
  const opened = await session.open(one.target, { options, timeoutMs: SOON_MS });
  try {
    // A call to a target that cannot be resolved fails at once; others are queued.
    const failed = opened
      ? undefined
      : await session.core.call({ channel: one.target, method: METHOD, timeout: CALL_S });
    const stream = opened ?? session.server.streams.findLast(({ isOver }) => !isOver);
    if (stream === undefined || (failed !== undefined && failed.code !== 'DEADLINE_EXCEEDED')) {
      return { ...given, rpc: `${failed?.code}: ${failed?.message}` };
    }
    const listener = (await session.firstRequest(stream, 'LDS'))?.resourceNames[0] ?? '';
    const scope = scopesOf(await session.core.csds())[0] ?? '';
    // Without a matching virtual host, a call fails with a message that contains the authority.
    await session.serveInOrder(stream, {
      LDS: listenerWith(listener, [{ name: 'v', domains: ['other.than.any'], routes: [] }]),
    });
    const { message = '' } = await session.core.call({ channel: one.target, method: METHOD });
    const authority = /could not find VirtualHost for (.*) in RouteConfiguration/.exec(message)?.[1];
    return { ...given, listener, client_scope: scope, ...(authority !== undefined && { authority }) };
  } finally {
    await session.core.close(one.target);
    // Another spelling of the same target would share the client while it exists.
    await session.server.until(() => session.server.streams.every(({ isOver }) => isOver), GONE_MS);
  }
}

function scopesOf(bytes: Buffer): string[] {
  const decoded = decode(ClientStatusResponse, bytes);
  if (!decoded.ok) throw new Error(`a CSDS response cannot be read: ${decoded.reason}`);
  return decoded.value.config.map(({ clientScope }) => clientScope);
}
