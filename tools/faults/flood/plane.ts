import { Helper } from './helper.ts';
import type { Flood } from './messages.ts';

/** What a flooding control plane has sent. */
export interface FloodCounts {
  sent: number;
  /** Responses that flow control of the client delayed beyond their time. */
  late: number;
}

/** A flooding control plane in its own process, so that it does not compete with the measuring program. */
export class FloodPlane {
  readonly port: number;
  readonly #helper: Helper;

  private constructor(helper: Helper, port: number) {
    this.#helper = helper;
    this.port = port;
  }

  static async start(bundle: string, kind: Flood, { perSecond = 0, clusters = 1 } = {}): Promise<FloodPlane> {
    const helper = new Helper(bundle, [kind, String(perSecond), String(clusters)]);
    const { port } = (await helper.next()) as { port: number };
    return new FloodPlane(helper, port);
  }

  async counts(): Promise<FloodCounts> {
    return (await this.#helper.ask('counts')) as FloodCounts;
  }

  /** Waits until the flood has begun, or the client has ended. */
  async untilSent(count: number, hasEnded = () => false): Promise<void> {
    while (!hasEnded() && (await this.counts()).sent < count) await new Promise((wake) => setTimeout(wake, 50));
  }

  end(): Promise<void> {
    return this.#helper.end();
  }
}
