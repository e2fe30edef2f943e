import type { DiscoveryRequest, DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { DiscoveryResponse as Response } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { type Call, LiveServer } from '../../support/live-server.js';
import type { LiveVerdict } from './live-verdict.js';

interface PendingCase {
  response: DiscoveryResponse;
  timer?: NodeJS.Timeout;
  settle: (verdict: LiveVerdict) => void;
}

/** Clients reply within milliseconds; a client that takes longer than this has ignored the response. */
const NO_REPLY_MS = 10_000;
const NONCE = 'n1';

/** A control plane with one response for each client, selected by its node id. */
export class VerdictServer {
  readonly port: number;
  readonly #live: LiveServer;
  readonly #pending = new Map<string, PendingCase>();
  /** By stream, since only its first request contains the node. */
  readonly #nodeIds = new WeakMap<Call, string>();

  private constructor(live: LiveServer) {
    this.#live = live;
    this.port = live.port;
  }

  static async start(): Promise<VerdictServer> {
    const live = await LiveServer.start(() => {});
    const server = new VerdictServer(live);
    live.respond = (request, call) => server.#receive(request, call);
    return server;
  }

  /** The ACK or NACK of the client with this node id. */
  verdictOf(nodeId: string, response: DiscoveryResponse): Promise<LiveVerdict> {
    return new Promise((resolve) => {
      const pending: PendingCase = {
        response: { ...response, versionInfo: '1', nonce: NONCE },
        settle: (verdict) => {
          clearTimeout(pending.timer);
          this.#pending.delete(nodeId);
          resolve(verdict);
        },
      };
      this.#pending.set(nodeId, pending);
    });
  }

  close(): void {
    this.#live.close();
  }

  #receive(request: DiscoveryRequest, call: Call): void {
    const nodeId = this.#nodeIds.get(call) ?? request.node?.id ?? '';
    const pending = this.#pending.get(nodeId);
    if (pending === undefined) return;
    if (!this.#nodeIds.has(call)) {
      this.#nodeIds.set(call, nodeId);
      const ignored = (): void => pending.settle({ verdict: 'NONE' });
      pending.timer = setTimeout(ignored, NO_REPLY_MS);
      call.on('cancelled', ignored);
      call.write(Buffer.from(encode(Response, pending.response)));
    } else if (request.responseNonce === NONCE) {
      const { errorDetail } = request;
      pending.settle(
        errorDetail === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message: errorDetail.message },
      );
    }
  }
}
