import { spawnSync } from 'node:child_process';

const CLIENT = '198.18.0.1';
const SERVER = '198.18.0.2';
const MASK = 30;

/**
 * Two network namespaces of this machine with a link between them, apart from all other networks. The server can vanish:
 * its link goes down, and no packet tells the client.
 */
export class VanishingHost {
  readonly address = SERVER;
  readonly #client: string;
  readonly #server: string;

  private constructor() {
    this.#client = `xds-faults-client-${process.pid}`;
    this.#server = `xds-faults-server-${process.pid}`;
  }

  /** Returns the reason if this machine does not permit it. */
  static create(): VanishingHost | string {
    const host = new VanishingHost();
    try {
      ip('netns', 'add', host.#client);
      ip('netns', 'add', host.#server);
      ip('-n', host.#client, 'link', 'add', LINK, 'type', 'veth', 'peer', 'name', LINK, 'netns', host.#server);
      ip('-n', host.#client, 'address', 'add', `${CLIENT}/${MASK}`, 'dev', LINK);
      ip('-n', host.#server, 'address', 'add', `${SERVER}/${MASK}`, 'dev', LINK);
      ip('-n', host.#client, 'link', 'set', LINK, 'up');
      host.comeBack();
      return host;
    } catch (error) {
      host.remove();
      return (error as Error).message;
    }
  }

  /** The commands that run another one in the namespace of the client or of the server. */
  get clientRunner(): string[] {
    return ['ip', 'netns', 'exec', this.#client];
  }

  get serverRunner(): string[] {
    return ['ip', 'netns', 'exec', this.#server];
  }

  vanish(): void {
    ip('-n', this.#server, 'link', 'set', LINK, 'down');
  }

  comeBack(): void {
    ip('-n', this.#server, 'link', 'set', LINK, 'up');
  }

  /** The link goes with its namespaces. */
  remove(): void {
    for (const namespace of [this.#client, this.#server]) spawnSync('ip', ['netns', 'delete', namespace]);
  }
}

/** The name of the link at both ends. */
const LINK = 'faults0';

function ip(...args: string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (error !== undefined) throw new Error('the command ip (iproute2) is not installed');
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr.trim()}`);
}
