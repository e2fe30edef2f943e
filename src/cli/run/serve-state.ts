import type { Status } from '../../base/status.js';
import { PRESETS } from '../../bootstrap/presets.js';
import type { Preset } from '../../bootstrap/switches.js';
import { answerStatusRequest } from '../../csds/answer.js';
import type { ShownClient } from '../../csds/client-status.js';
import type { CsdsServer } from '../../io/csds-server.js';
import { BindFailure } from '../../io/listening-socket.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

const LOOPBACK = '127.0.0.1';

/**
 * `--csds-port`: lets others look at these clients as long as they run. The function returned ends that, and calls `close`,
 * which is also called where nothing can be served.
 */
export async function serveState(
  clients: () => readonly ShownClient[],
  args: Arguments,
  env: CliEnvironment,
  close: () => void,
): Promise<() => void> {
  const policies = PRESETS[args.as as Preset].policies;
  try {
    const served = await serve(args, env, (request) => answerStatusRequest(request, clients(), policies));
    return () => {
      served?.close();
      close();
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function serve(
  args: Arguments,
  env: CliEnvironment,
  answer: (request: Uint8Array) => Uint8Array | Status,
): Promise<CsdsServer | undefined> {
  if (args.csdsPort === undefined) return undefined;
  const { host, port } = readAddress(String(args.csdsPort));
  const { serveCsds } = await import('../../io/csds-server.js');
  try {
    const server = await serveCsds(host, port, answer);
    env.stderr.write(`CSDS on ${server.address}\n`);
    return server;
  } catch (error) {
    if (error instanceof BindFailure) throw new Failure(EXIT.unavailable, error.message);
    throw error;
  }
}

/** `50051`, `0.0.0.0:50051`, `[::1]:50051` */
function readAddress(text: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? Number.NaN);
  if (!(port <= 65_535)) throw new Failure(EXIT.usage, `--csds-port takes a port, or host:port, not "${text}"`);
  return { host: bracketed ?? plain ?? LOOPBACK, port };
}
