import { ClientResourceStatus } from '../../../src/proto/generated/envoy.admin.v3.js';
import { ClientStatusResponse } from '../../../src/proto/generated/envoy.service.status.v3.js';
import { decode } from '../../../src/proto/message-type.js';
import { RESOURCE_TYPES } from '../../../src/proto/resource-types.js';
import type { Command } from '../../peers/peers.js';
import type { ResourceRecording } from '../conformance/resources.js';
import { CoreSession, type ShortType } from '../core-session.js';
import { responseOf } from '../recorded-case.js';
import { bootstrapOf, variablesOf } from '../resources/core-validator.js';
import { type Any, usableResources } from '../resources/usable-resources.js';
import { groupsOf } from './groups.js';

type Case = ResourceRecording['cases'][number];

const ORDER: ShortType[] = ['LDS', 'RDS', 'CDS', 'EDS'];
const SHORT: Record<string, ShortType> = {
  Listener: 'LDS',
  RouteConfiguration: 'RDS',
  Cluster: 'CDS',
  ClusterLoadAssignment: 'EDS',
};
const NO_ANSWER_MS = 4000;

/** Records how C-core validates each response, with a new client that is subscribed to one name. */
export async function recordResources(recording: ResourceRecording, command: Command): Promise<ResourceRecording> {
  const groups = groupsOf(recording.cases, ({ env, bootstrap }) => JSON.stringify([env, bootstrap]));
  const expectations = new Map<Case, Case['expect']>();
  for (const cases of groups) {
    const [{ env, bootstrap = {} }] = cases;
    const template = { client_default_listener_resource_name_template: recording.subscribed_name };
    const variables = variablesOf({ env: { ...recording.env, ...env } });
    const session = await CoreSession.start(command, variables, (port) =>
      bootstrapOf({ ...bootstrap, ...template }, port),
    );
    for (const [index, one] of cases.entries()) {
      expectations.set(one, await expectationOf(session, one, recording, `xds:///case-${index}`));
    }
    await session.stop();
  }
  const cases = recording.cases.map((one) => ({ ...one, expect: expectations.get(one) as Case['expect'] }));
  return { ...recording, cases };
}

async function expectationOf(
  session: CoreSession,
  one: Case,
  { subscribed_name: name, response_version_info: version }: ResourceRecording,
  target: string,
): Promise<Case['expect']> {
  const type = SHORT[one.type] as ShortType;
  const stream = await session.open(target);
  if (stream === undefined) throw new Error(`${one.id}: the client opens no stream`);
  const usable = usableResources({ listener: name, routes: name, cluster: name, endpoints: name });
  const before = ORDER.slice(0, ORDER.indexOf(type)).map((each): [ShortType, Any] => [each, usable[each]]);
  await session.serveInOrder(stream, Object.fromEntries(before));
  await session.firstRequest(stream, type);
  const { resources, resourceErrors } = responseOf(one);
  const { response_type_url: typeUrl } = one;
  const reply = await session.sendResponse(stream, {
    type,
    resources: [...resources],
    resourceErrors: [...resourceErrors],
    version,
    typeUrl,
    timeoutMs: NO_ANSWER_MS,
  });
  const csds = csdsEntries(await session.core.csds(), target, RESOURCE_TYPES[type], name);
  await session.core.close(target);
  if (reply === undefined) return { verdict: 'NONE', csds };
  const { errorDetail, versionInfo } = reply;
  return {
    verdict: errorDetail === undefined ? 'ACK' : 'NACK',
    ...(errorDetail && { error_detail: { code: errorDetail.code, message: errorDetail.message } }),
    version_info: versionInfo,
    csds,
  };
}

const STATUS_NAMES = new Map<number, string>(
  Object.entries(ClientResourceStatus).map(([name, number]) => [number, name]),
);

function csdsEntries(
  bytes: Buffer,
  target: string,
  typeUrl: string,
  name: string,
): NonNullable<Case['expect']['csds']> {
  const decoded = decode(ClientStatusResponse, bytes);
  if (!decoded.ok) throw new Error(`a CSDS response cannot be read: ${decoded.reason}`);
  return [...decoded.value.config]
    .filter(({ clientScope }) => clientScope === target.replace('xds:///', 'xds:/'))
    .flatMap(({ genericXdsConfigs }) => [...genericXdsConfigs])
    .filter((config) => config.typeUrl === typeUrl && config.name === name)
    .map(({ clientStatus, versionInfo, xdsConfig, errorState }) => ({
      name,
      client_status: STATUS_NAMES.get(clientStatus) ?? '',
      ...(versionInfo !== '' && { version_info: versionInfo }),
      has_config: xdsConfig !== undefined,
      ...(errorState && {
        error_state: {
          details: errorState.details,
          ...(errorState.versionInfo !== '' && { version_info: errorState.versionInfo }),
        },
      }),
    }));
}
