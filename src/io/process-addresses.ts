import { countText, firstFew } from '../base/count-text.js';
import { UsageError } from '../base/failure.js';
import { InputProblem } from '../base/input-problem.js';
import { dnsName, type ProcessAddress, readProcessAddress } from '../csds/process-address.js';
import type { Clock, Dns } from '../engine/ports.js';
import type { CliEnvironment } from './environment.js';
import { readText } from './file-problem.js';
import { MAX_SETTINGS_BYTES } from './input-file.js';

/** The processes that a command reads, each once. */
export interface ProcessAddresses {
  addresses: ProcessAddress[];
  /** Sentences about names with several addresses and about duplicates. */
  remarks: string[];
}

/** A name that DNS does not resolve by then is connected to as it is, and reported if that fails, too. */
const DNS_LIMIT_MS = 2000;

/** Reads addresses from the command line: `@file` and `-` are lists, and a DNS name may have many addresses. */
export async function processAddresses(
  given: readonly string[],
  env: Pick<CliEnvironment, 'readStdin' | 'clock'>,
  dns: Dns,
): Promise<ProcessAddresses> {
  const typed = await typedAddresses(given, env);
  const resolved = await Promise.all(typed.map((one) => resolve(one, dns, env.clock)));
  const unique = new Map<string, ProcessAddress>();
  const repeated = new Set<string>();
  for (const one of resolved.flat()) {
    const key = `${one.kind} ${one.target}`;
    if (unique.has(key)) repeated.add(one.address);
    else unique.set(key, one);
  }
  const remarks = typed.flatMap(({ address }, i) => {
    const found = resolved[i] ?? [];
    return found.length > 1 ? [`${address} has ${countText(found.length, 'address', 'addresses')}: each is read`] : [];
  });
  if (repeated.size > 0) {
    const names = firstFew([...repeated], 3, (address) => address);
    remarks.push(
      `${countText(repeated.size, 'address is', 'addresses are')} given more than once and read once: ${names}`,
    );
  }
  return { addresses: [...unique.values()], remarks: [...new Set(remarks)] };
}

/** Throws an error with every invalid address. */
async function typedAddresses(
  given: readonly string[],
  env: Pick<CliEnvironment, 'readStdin'>,
): Promise<ProcessAddress[]> {
  const addresses: ProcessAddress[] = [];
  const wrong: string[] = [];
  const wrongLines: string[] = [];
  const take = (text: string, problems: string[], place = ''): void => {
    const read = readProcessAddress(text);
    if ('problem' in read) problems.push(`${place}${read.problem}`);
    else addresses.push(read);
  };
  for (const one of given) {
    const path = one === '-' ? '-' : one.startsWith('@') ? one.slice(1) : undefined;
    if (path === undefined) {
      take(one, wrong);
      continue;
    }
    if (path === '') throw new UsageError('@ requires a file: @addresses.txt, or @- for stdin');
    const lines = await readLines(path, env);
    for (const { text, line } of lines) take(text, wrongLines, `${path}:${line}: `);
    if (lines.length === 0) wrongLines.push(`${path}: it contains no address`);
  }
  const all = [...wrong, ...wrongLines].join('\n');
  if (wrong.length > 0) throw new UsageError(all);
  if (wrongLines.length > 0) throw new InputProblem(all);
  return addresses;
}

/** One address per line. `#` starts a comment. */
async function readLines(
  path: string,
  { readStdin }: Pick<CliEnvironment, 'readStdin'>,
): Promise<{ text: string; line: number }[]> {
  const text =
    path === '-' ? new TextDecoder().decode(await readStdin(MAX_SETTINGS_BYTES)) : (await readText(path)).toString();
  return text.split('\n').flatMap((whole, i) => {
    const address = whole.replace(/(^|\s)#.*$/, '').trim();
    return address === '' ? [] : [{ text: address, line: i + 1 }];
  });
}

/** Every address of a name that has several, as a headless service has; otherwise the name itself. */
async function resolve(one: ProcessAddress, dns: Dns, clock: Clock): Promise<ProcessAddress[]> {
  const name = dnsName(one);
  if (name === undefined) return [one];
  let cancel: () => void = () => {};
  const late = new Promise<undefined>((done) => {
    cancel = clock.wakeAt(clock.now() + DNS_LIMIT_MS, () => done(undefined));
  });
  const found = await Promise.race([dns.resolve(name.host, name.port), late]);
  cancel();
  if (found === undefined || 'failure' in found) return [one];
  // A process with an IPv4 and an IPv6 address is still one process.
  const [v6, v4] = [true, false].map((isV6) => found.addresses.filter((each) => each.startsWith('[') === isV6));
  const targets = [...new Set((v6?.length ?? 0) > (v4?.length ?? 0) ? v6 : v4)].sort();
  if (targets.length < 2) return [one];
  const prefix = one.kind === 'istio' ? 'istio:' : '';
  return targets.map((target) => ({
    ...one,
    address: `${prefix}${target}`,
    target,
    name: `${name.host}:${name.port}`,
  }));
}
