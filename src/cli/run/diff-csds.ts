import { countText } from '../../base/count-text.js';
import { EXIT } from '../../base/exit-codes.js';
import { kubeText } from '../../bootstrap/kube-target.js';
import { csdsFailure } from '../../csds/csds-failure.js';
import type { ProcessAddress } from '../../csds/process-address.js';
import { readClientStatus } from '../../csds/read-client-status.js';
import { recognizedClient } from '../../csds/recognized-client.js';
import { statusRequest } from '../../csds/status-request.js';
import { dumpPart } from '../../inspect/diff-sides/cached-resources.js';
import { csdsClients } from '../../io/csds-client.js';
import type { DiffInput } from '../commands/diff.js';
import { tunnelOpener } from './csds.js';
import { failedSide, type Reading, type ReadSide, readSide } from './diff-side.js';

const DEFAULT_TIMEOUT_MS = 20_000;

/** Reads the resources of the clients in another process. */
export async function readProcess(
  process: ProcessAddress,
  input: DiffInput,
  { interrupt, out }: Pick<Reading, 'interrupt' | 'out'>,
): Promise<ReadSide> {
  const { address } = process;
  const timeoutMs = input.timeout ?? DEFAULT_TIMEOUT_MS;
  const openTunnel = kubeText(process.target) === undefined ? undefined : await tunnelOpener(input, [process], out);
  const clients = csdsClients([process], { ...input, connectTimeoutMs: input.connectTimeout, timeoutMs, openTunnel });
  const close = (): void => {
    for (const client of clients.values()) client.close();
  };
  interrupt.addEventListener('abort', close);
  try {
    const [client] = clients.values();
    const answer = await client?.fetch(statusRequest(input.nodeMatch));
    if (interrupt.aborted || answer === undefined) return failedSide(EXIT.interrupted);
    if ('bytes' in answer) return ofStatus(address, answer.bytes);
    const call = { plaintext: input.plaintext, hasNodeMatchers: input.nodeMatch.length > 0 };
    return failedSide(EXIT.unavailable, `csds:${address}: ${csdsFailure(answer.failure, call)}`);
  } finally {
    interrupt.removeEventListener('abort', close);
    close();
  }
}

function ofStatus(address: string, bytes: Uint8Array): ReadSide {
  const { clients, problems } = readClientStatus(bytes);
  const messages = problems.map((problem) => `csds:${address}: ${problem}`);
  if (clients.length === 0 && problems.length > 0) return failedSide(EXIT.unavailable, ...messages);
  const implementations = clients.map(({ node }) => recognizedClient(node)).filter((one) => one !== undefined);
  const names = new Set(implementations.map(({ implementation, version }) => `${implementation} ${version}`.trim()));
  const facts = [...names, ...(clients.length > 1 ? [countText(clients.length, 'client')] : [])];
  const label = `csds:${address}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  const notes = clients.length === 0 ? ['no xDS client runs in this process'] : [];
  const side = readSide(label, clients.map(dumpPart), notes);
  return { ...side, problems: messages, outcome: { isLost: problems.length > 0 } } as ReadSide;
}
