import type { DiscoveryRequest, DiscoveryResponse } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { DiscoveryResponse as Response } from '../../../src/proto/generated/envoy.service.discovery.v3.js';
import { encode } from '../../../src/proto/message-type.js';
import { type Call, LiveServer } from '../../support/live-server.js';
import type { LiveVerdict } from './live-verdict.js';

interface Question {
  response: DiscoveryResponse;
  silence?: NodeJS.Timeout;
  settle: (verdict: LiveVerdict) => void;
}

/** Clients answer within milliseconds; what takes longer than this on a busy machine was ignored. */
const SILENCE_MS = 10_000;
const NONCE = 'n1';

/** A control plane with one response for each client. Clients are told apart by their node ids. */
export class VerdictServer {
  readonly port: number;
  readonly #live: LiveServer;
  readonly #questions = new Map<string, Question>();
  /** By stream, since only its first request carries the node. */
  readonly #askers = new WeakMap<Call, string>();

  private constructor(live: LiveServer) {
    this.#live = live;
    this.port = live.port;
  }

  static async start(): Promise<VerdictServer> {
    const live = await LiveServer.start(() => {});
    const server = new VerdictServer(live);
    live.respond = (request, call) => server.#hear(request, call);
    return server;
  }

  /** What the client with this node id says to this response. */
  verdictOf(nodeId: string, response: DiscoveryResponse): Promise<LiveVerdict> {
    return new Promise((resolve) => {
      const question: Question = {
        response: { ...response, versionInfo: '1', nonce: NONCE },
        settle: (verdict) => {
          clearTimeout(question.silence);
          this.#questions.delete(nodeId);
          resolve(verdict);
        },
      };
      this.#questions.set(nodeId, question);
    });
  }

  close(): void {
    this.#live.close();
  }

  #hear(request: DiscoveryRequest, call: Call): void {
    const nodeId = this.#askers.get(call) ?? request.node?.id ?? '';
    const question = this.#questions.get(nodeId);
    if (question === undefined) return;
    if (!this.#askers.has(call)) {
      this.#askers.set(call, nodeId);
      const ignored = (): void => question.settle({ verdict: 'NONE' });
      question.silence = setTimeout(ignored, SILENCE_MS);
      call.on('cancelled', ignored);
      call.write(Buffer.from(encode(Response, question.response)));
    } else if (request.responseNonce === NONCE) {
      const { errorDetail } = request;
      question.settle(
        errorDetail === undefined ? { verdict: 'ACK' } : { verdict: 'NACK', message: errorDetail.message },
      );
    }
  }
}
