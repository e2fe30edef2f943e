import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Node } from '../../../src/proto/generated/envoy.config.core.v3.js';
import type { Command } from '../../peers/peers.js';
import type { BootstrapRecording } from '../conformance/bootstraps.js';
import { type CallResult, OracleProgram, type Variables } from '../oracle-program.js';
import { recordedNode } from '../scenarios/dump.js';
import { inParallel } from '../scenarios/pool.js';
import { ScriptedServer } from '../scripted-server.js';

type Case = BootstrapRecording['cases'][number];

const AT_ONCE = 4;
const RPC_TIMEOUT_S = 3;
const REJECTED = 'Failed to create XdsClient: ';

/** Starts a process with each bootstrap and records its error or its first request. */
export async function recordBootstraps(recording: BootstrapRecording, command: Command): Promise<BootstrapRecording> {
  const expectations = new Map<Case, Case['expect']>();
  const folder = mkdtempSync(join(tmpdir(), 'xds-inspect-bootstraps-'));
  await inParallel(recording.cases, AT_ONCE, async (one) => {
    expectations.set(one, await expectationOf(one, recording, command, join(folder, `${one.id}.json`)));
  });
  rmSync(folder, { recursive: true });
  const cases = recording.cases.map((one) => ({ ...one, expect: expectations.get(one) as Case['expect'] }));
  return { ...recording, cases };
}

async function expectationOf(
  one: Case,
  recording: BootstrapRecording,
  command: Command,
  path: string,
): Promise<Case['expect']> {
  const server = await ScriptedServer.make();
  const withPort = (text: string): string => text.replaceAll('PORT', String(server.port));
  const withoutPort = (text: string): string => text.replaceAll(String(server.port), 'PORT');
  if (one.file !== undefined) writeFileSync(path, withPort(one.file));
  const variables: Variables = { ...recording.env };
  for (const [name, value] of Object.entries(one.env ?? {})) variables[name] = value ?? undefined;
  if (typeof one.config === 'string') variables.GRPC_XDS_BOOTSTRAP_CONFIG = withPort(one.config);
  if (one.file !== undefined) variables.GRPC_XDS_BOOTSTRAP = path;
  if (one.file_path !== undefined) variables.GRPC_XDS_BOOTSTRAP = one.file_path;
  const core = await OracleProgram.start(command, variables);
  try {
    const channel = one.target ?? recording.default_target;
    await core.start('rpc', { channel, method: '/oracle.Echo/Echo', timeout: RPC_TIMEOUT_S });
    const first = () => server.streams[0]?.requests[0]?.request;
    // Waits for the first request or the end of the call.
    let ended: CallResult | undefined;
    const end = core.join('rpc').then((result) => {
      ended = result;
    });
    await Promise.race([end, server.until(() => first() !== undefined, RPC_TIMEOUT_S * 1000)]);
    const request = first();
    if (request !== undefined) {
      return {
        outcome: 'ok',
        first_request: { resource_names: [...request.resourceNames], node: nodeWithUserAgent(request.node) },
      };
    }
    await end;
    const { code = '', message = '' } = (ended as CallResult | undefined) ?? {};
    const details = withoutPort(message);
    const rpc = { rpc_status: { code, details } };
    if (!details.startsWith(REJECTED)) return { outcome: 'ok', ...rpc };
    return { outcome: 'error', message: details.slice(REJECTED.length), ...rpc };
  } finally {
    core.kill();
    await server.stop();
  }
}

/** The node with its real user agent. */
function nodeWithUserAgent(node: Node | undefined): Record<string, unknown> {
  if (node === undefined) return {};
  const version = node.userAgentVersionType;
  return {
    ...recordedNode(node),
    user_agent_name: node.userAgentName,
    user_agent_version: version?.kind === 'userAgentVersion' ? version.value : undefined,
  };
}
