import { quotedStatus, type StatusName } from '../base/status.js';

/** What a server requires that ends a stream before any response. */
interface StreamRefusal {
  requires: 'incremental' | 'node' | 'unknown';
  /** A predicate that follows the server: the finding XI226 and the verdict use the same words. */
  text: string;
  advice: string;
}

const REQUIREMENTS: Record<StreamRefusal['requires'], { likely: string; advice: string }> = {
  incremental: {
    likely: 'it probably supports only the incremental xDS protocol',
    advice:
      'Use a control plane that implements StreamAggregatedResources: gRPC clients do not support the incremental protocol.',
  },
  node: {
    likely: 'it probably requires another node id',
    advice: 'Set node.id in the bootstrap (--node-id) to an id that the control plane knows.',
  },
  unknown: {
    likely: 'it probably requires another node id, or supports only the incremental xDS protocol',
    advice:
      'Check node.id in the bootstrap (--node-id), and that the control plane implements StreamAggregatedResources: gRPC clients do not support the incremental protocol.',
  },
};

/** Statuses that a client makes itself, or that an HTTP server without gRPC causes. */
const NOT_FROM_SERVER = /content-type|HTTP status code|Stream removed|Failed to create channel/i;

/**
 * Recognizes servers that refuse the state-of-the-world stream or the node. A Go server that returns a plain error ends
 * the stream with UNKNOWN: Consul does so because it implements only DeltaAggregatedResources ("not implemented"), Envoy
 * Gateway because the node has no id. With UNIMPLEMENTED, the message must show that the server has the service: a
 * server without ADS is XI220.
 */
export function streamRefusal(code: string, message: string): StreamRefusal | undefined {
  if (NOT_FROM_SERVER.test(message)) return undefined;
  const requires = requirementOf(code as StatusName, message);
  if (requires === undefined) return undefined;
  const { likely, advice } = REQUIREMENTS[requires];
  return { requires, text: `refuses the stream: ${quotedStatus(code, message)}; ${likely}`, advice };
}

function requirementOf(code: StatusName, message: string): StreamRefusal['requires'] | undefined {
  const isAboutProtocol = /\b(delta|incremental|state.of.the.world|sotw)\b/i.test(message);
  if (code === 'UNIMPLEMENTED') {
    const hasService = /\bmethod "?StreamAggregatedResources\b/i.test(message);
    return hasService || isAboutProtocol ? 'incremental' : undefined;
  }
  if (code !== 'UNKNOWN') return undefined;
  if (isAboutProtocol || /not (yet )?(implemented|supported)|unimplemented|unsupported/i.test(message))
    return 'incremental';
  return /\bnode( ?id)?\b/i.test(message) ? 'node' : 'unknown';
}
