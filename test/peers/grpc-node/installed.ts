import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { toBase64 } from '../../../src/base/base64.js';
import type { Any } from '../../../src/proto/generated/google.protobuf.js';
import { ROOT } from '../../support/root.js';

interface Decoded {
  /** Undefined if grpc-js-xds throws an error. */
  name?: string;
  error?: string;
}

/** What the installed @grpc/grpc-js-xds makes of resources. It runs in its own process: it registers itself in grpc-js. */
export function validateWithInstalled(
  resources: readonly Any[],
  { providers, variables }: { providers: readonly string[]; variables: Readonly<Record<string, string>> },
): Decoded[] {
  const input = resources.map(({ typeUrl, value }) => JSON.stringify({ typeUrl, bytes: toBase64(value), providers }));
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/peers/node/decode.mjs')], {
    input: input.map((line) => `${line}\n`).join(''),
    env: { PATH: process.env.PATH, ...variables },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (lines.length !== resources.length) throw new Error(stderr);
  return lines.map((line) => JSON.parse(line) as Decoded);
}
