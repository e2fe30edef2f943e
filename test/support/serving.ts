import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { later, temporaryFolder } from './clean-up.js';
import { type CliRun, startCli, until } from './cli.js';

export { later } from './clean-up.js';
export { HALF_BROKEN, listener, STEADY, STORY } from './example-scenarios.js';

/** Serves a scenario and returns the environment variables of a client. */
export async function serving(source: string): Promise<{ GRPC_XDS_BOOTSTRAP_CONFIG: string }> {
  return (await startServing(source)).variables;
}

/** Like `serving`, with the run of `serve`, which prints the requests and responses. */
export async function startServing(
  source: string,
): Promise<{ plane: CliRun; variables: { GRPC_XDS_BOOTSTRAP_CONFIG: string } }> {
  const plane = startCli(['serve', source, '--port', '0']);
  later(plane.interrupt);
  await until(() => plane.stderr.includes('Stop with Ctrl-C'), 'serve starts');
  const [, config] = /GRPC_XDS_BOOTSTRAP_CONFIG='(.*)'/.exec(plane.stderr) ?? [];
  if (config === undefined) throw new Error(`serve printed no bootstrap: ${plane.stderr}`);
  return { plane, variables: { GRPC_XDS_BOOTSTRAP_CONFIG: config } };
}

/** Writes a scenario to a temporary file. */
export function scenario(text: string): string {
  const path = join(temporaryFolder(), 's.yaml');
  writeFileSync(path, text);
  return path;
}
