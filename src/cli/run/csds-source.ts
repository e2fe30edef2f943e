import { formatMillis } from '../../base/duration.js';
import type { Preset } from '../../bootstrap/switches.js';
import type { Resolution } from '../../core/input.js';
import { POLICIES } from '../../core/policies.js';
import { type FollowedDump, followDump, hostsIn } from '../../csds/follow-dump.js';
import { type JudgedDump, judgeDump } from '../../csds/judge-dump.js';
import { readClientStatus } from '../../csds/read-client-status.js';
import { statusRequest } from '../../csds/status-request.js';
import { type CsdsAnswer, type CsdsClient, csdsClient } from '../../io/csds-client.js';
import { systemDns } from '../../io/system-dns.js';
import { joinHostPort } from '../../resources/common/ip-address.js';
import { csdsFailure } from '../../view/csds-failure.js';
import type { Arguments } from '../command.js';
import type { CliEnvironment } from '../environment.js';
import { EXIT } from '../exit-codes.js';
import { Failure } from '../failure.js';

/** A client of another process. */
interface RemoteClient {
  judged: JudgedDump;
  snapshot: FollowedDump;
}

/** What one address had to say. */
export interface RemoteAnswer {
  address: string;
  clients: RemoteClient[];
  /** Why there is nothing, or not everything, in sentences. */
  problems: string[];
  /** Nothing could be read. */
  isDead: boolean;
  bytes: Uint8Array | undefined;
}

/** Processes that are asked for their CSDS, all at the same time: one that does not answer keeps nobody waiting. */
export class CsdsSources {
  readonly #args: Arguments;
  readonly #env: CliEnvironment;
  readonly #request: Uint8Array;
  readonly #clients: Map<string, CsdsClient>;

  constructor(args: Arguments, env: CliEnvironment) {
    this.#args = args;
    this.#env = env;
    this.#request = statusRequest((args.nodeMatch as string[] | undefined) ?? []);
    checkTls(args);
    const addresses = [...new Set(args.addresses as string[])];
    for (const address of addresses) checkAddress(address);
    this.#clients = new Map(addresses.map((address) => [address, this.#connect(address)]));
  }

  get addresses(): string[] {
    return [...this.#clients.keys()];
  }

  /** FetchClientStatus. */
  fetch(address: string): Promise<RemoteAnswer> {
    return this.#ask(address, (client) => client.fetch(this.#request));
  }

  /** StreamClientStatus. */
  poll(address: string): Promise<RemoteAnswer> {
    return this.#ask(address, (client) => client.poll(this.#request));
  }

  close(): void {
    for (const client of this.#clients.values()) client.close();
  }

  #connect(address: string): CsdsClient {
    const { args } = { args: this.#args };
    try {
      return csdsClient(address, {
        plaintext: args.plaintext === true,
        insecure: args.insecure === true,
        cacert: args.cacert as string | undefined,
        cert: args.cert as string | undefined,
        key: args.key as string | undefined,
        authority: args.authority as string | undefined,
        connectTimeoutMs: args.connectTimeout as number,
        timeoutMs: args.timeout as number,
      });
    } catch (error) {
      throw new Failure(EXIT.badInput, `the connection to ${address} cannot be set up: ${(error as Error).message}`);
    }
  }

  async #ask(address: string, ask: (client: CsdsClient) => Promise<CsdsAnswer>): Promise<RemoteAnswer> {
    const answer = await ask(this.#clients.get(address) as CsdsClient);
    if ('failure' in answer) {
      const asked = { plaintext: this.#args.plaintext === true, hasNodeMatchers: this.#args.nodeMatch !== undefined };
      return { address, clients: [], problems: [csdsFailure(answer.failure, asked)], isDead: true, bytes: undefined };
    }
    const { clients, problems } = readClientStatus(answer.bytes);
    if (clients.length === 0 && problems.length > 0) {
      return { address, clients: [], problems, isDead: true, bytes: undefined };
    }
    const policies = POLICIES[this.#args.as as Preset];
    const judged = clients.map((dump) => judgeDump(dump, policies));
    const resolutions = await this.#resolve(judged);
    const options = {
      policies,
      now: this.#env.clock.now(),
      defaultAuthority: this.#args.defaultAuthority as string | undefined,
      resolutions,
    };
    return {
      address,
      clients: judged.map((one) => ({ judged: one, snapshot: followDump(one, options) })),
      problems,
      isDead: false,
      bytes: answer.bytes,
    };
  }

  /** CSDS does not tell which addresses a client has found by DNS, so they are looked up here. */
  async #resolve(dumps: readonly JudgedDump[]): Promise<Map<string, Resolution>> {
    const hosts = new Map(dumps.flatMap(hostsIn).map((one) => [joinHostPort(one.host, one.port), one]));
    const limit = this.#args.connectTimeout as number;
    const found = [...hosts].map(async ([key, { host, port }]): Promise<[string, Resolution]> => {
      let cancel: () => void = () => {};
      const late = new Promise<Resolution>((resolve) => {
        cancel = this.#env.clock.wakeAt(this.#env.clock.now() + limit, () =>
          resolve({ failure: `no answer within ${formatMillis(limit)}` }),
        );
      });
      const result = await Promise.race([systemDns.resolve(host, port), late]);
      cancel();
      return [key, result];
    });
    return new Map(await Promise.all(found));
  }
}

function checkTls(args: Arguments): void {
  if ((args.cert === undefined) !== (args.key === undefined))
    throw new Failure(EXIT.usage, '--cert and --key go together');
  const useless = ['insecure', 'cacert', 'cert'].find((flag) => args[flag] !== undefined && args[flag] !== false);
  if (args.plaintext === true && useless !== undefined)
    throw new Failure(EXIT.usage, `--plaintext goes without --${useless}`);
}

function checkAddress(address: string): void {
  if (/^[^/]*[^/:]:\d+$/.test(address) || /^(dns|ipv[46]|unix):/.test(address)) return;
  throw new Failure(EXIT.usage, `an address is host:port, or unix:/path, not "${address}"`);
}
