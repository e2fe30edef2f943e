import type { Command } from '../../peers/peers.js';
import { CoreSession } from '../core-session.js';
import { bootstrapOf } from '../resources/core-validator.js';

/** The user agent of a client in its first request: `gRPC C-core 58.0.0 (grpcio 1.85.1)`. */
export async function coreName(command: Command): Promise<string> {
  const session = await CoreSession.start(command, {}, (port) => bootstrapOf({}, port));
  const stream = await session.open('xds:///name');
  const version = stream?.requests[0]?.request.node?.userAgentVersionType;
  await session.stop();
  const [, core, grpcio] = /^C-core (\S+) Python (\S+)$/.exec(version?.value as string) ?? [];
  if (core === undefined) throw new Error('the client sent no known form of user agent version');
  return `gRPC C-core ${core} (grpcio ${grpcio})`;
}
