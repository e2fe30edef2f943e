import { statusCode } from '../../base/status.js';
import type { Dial } from '../../bootstrap/dial.js';
import type { CsdsClient, CsdsResponse } from '../../csds/csds-client.js';

/** The connection to a server in Kubernetes. */
export type TunnelDial = Pick<Dial, 'tunnel' | 'authority'>;

interface Opened {
  dial: TunnelDial;
  client: CsdsClient;
}

const UNAVAILABLE = statusCode('UNAVAILABLE');

/** A client of a process in Kubernetes: the first call opens the tunnel. */
export class TunnelClient implements CsdsClient {
  readonly #open: () => Promise<Opened>;
  #opened: Promise<Opened> | undefined;

  constructor(
    openTunnel: (kube: string) => Promise<TunnelDial>,
    kube: string,
    clientOf: (dial: TunnelDial) => CsdsClient,
  ) {
    this.#open = async () => {
      const dial = await openTunnel(kube);
      return { dial, client: clientOf(dial) };
    };
  }

  fetch(request: Uint8Array): Promise<CsdsResponse> {
    return this.#call((client) => client.fetch(request));
  }

  poll(request: Uint8Array): Promise<CsdsResponse> {
    return this.#call((client) => client.poll(request));
  }

  close(): void {
    this.#opened?.then(({ client }) => client.close()).catch(() => {});
  }

  async #call(send: (client: CsdsClient) => Promise<CsdsResponse>): Promise<CsdsResponse> {
    this.#opened ??= this.#open();
    let opened: Opened;
    try {
      opened = await this.#opened;
    } catch (error) {
      // The next poll tries again.
      this.#opened = undefined;
      return { failure: { code: UNAVAILABLE, message: (error as Error).message } };
    }
    const response = await send(opened.client);
    const why = 'failure' in response ? opened.dial.tunnel?.failure : undefined;
    return why === undefined ? response : { failure: { code: UNAVAILABLE, message: why } };
  }
}
