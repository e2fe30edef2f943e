import type { Finding } from './finding.js';

interface Kind {
  severity: Finding['severity'];
  /** One sentence of what to do. */
  advice: string;
}

/**
 * What there is to find. An error is what breaks real clients, a warning what is against the protocol and does no harm
 * yet, a note what is worth knowing.
 */
export const PROTOCOL_FINDINGS = {
  XI201: {
    severity: 'warning',
    advice:
      'Check that the control plane has it for this node id, which gRPC sends only in the first request of a stream; go-control-plane with ads=true answers only who names its whole snapshot.',
  },
  XI202: {
    severity: 'error',
    advice:
      'Look for a name that the control plane does not have: java-control-plane then answers for none of them, and go-control-plane with ads=true answers only who names its whole snapshot.',
  },
  XI203: {
    severity: 'error',
    advice:
      'Correct the resource, and let the server wait for a new version after a NACK; go-control-plane and java-control-plane answer each NACK at once.',
  },
  XI204: {
    severity: 'warning',
    advice:
      'Send all listeners or clusters that are asked for in every response: gRPC takes those left out for deleted, or waits 15 seconds for those it never had.',
  },
  XI205: {
    severity: 'note',
    advice: 'Send what was asked for: gRPC checks the rest, refuses the response if it is bad, and throws it away.',
  },
  XI206: {
    severity: 'warning',
    advice: 'Give every response of a stream its own nonce, or the server cannot tell which one a client has accepted.',
  },
  XI207: {
    severity: 'warning',
    advice: 'Set a nonce: an ACK without one looks like a first request, and many servers answer it again.',
  },
  XI208: {
    severity: 'warning',
    advice: 'Change the version whenever the contents change; who compares versions misses this update.',
  },
  XI209: {
    severity: 'warning',
    advice: 'Let all replicas derive versions from the contents, or put something of their own into them.',
  },
  XI210: {
    severity: 'error',
    advice: 'Put resources only into responses of their own type: gRPC refuses these, and cannot tell whose they are.',
  },
  XI211: {
    severity: 'warning',
    advice: 'Send either the resource or the error: gRPC applies both, so that the error is what stays.',
  },
  XI212: {
    severity: 'warning',
    advice: 'Report errors only for names that are asked for; gRPC ignores the others.',
  },
  XI213: {
    severity: 'warning',
    advice: 'Send a cluster before its endpoints: gRPC has thrown them away and now waits for them once more.',
  },
  XI214: {
    severity: 'error',
    advice:
      'Answer a request once and push only what has changed; go-control-plane does this to whoever asks for "*", java-control-plane with EDS while a cluster is refused.',
  },
  XI215: {
    severity: 'error',
    advice:
      'Split the response or serve less to this node: C-core, Go and grpc-js refuse it, reconnect for ever and show nothing.',
  },
  XI216: {
    severity: 'error',
    advice: 'Send a type only on streams that have asked for it: C-core and Go read nothing more on this stream.',
  },
  XI217: {
    severity: 'error',
    advice: 'Look at what encodes the responses: C-core and Go read nothing more on this stream.',
  },
  XI218: {
    severity: 'error',
    advice: 'Send no TTL heartbeats to gRPC: it refuses them, and C-core takes a listener or cluster for deleted.',
  },
  XI219: {
    severity: 'warning',
    advice:
      'Restart what waits: in C-core, an RPC with wait-for-ready that begins now stays queued until its deadline, also when this is repaired.',
  },
  XI220: {
    severity: 'error',
    advice: 'Check the address and the port: whatever listens there does not offer ADS.',
  },
  XI221: {
    severity: 'error',
    advice: 'Look into the log of the control plane, or of a proxy in between, for why it ends them.',
  },
  XI222: {
    severity: 'note',
    advice:
      'Nothing to repair: control planes such as Istio, or with one version for all types, push all of them when one has changed.',
  },
  XI223: {
    severity: 'note',
    advice: 'Compare with --as c-core; a server that says of every name what holds for it is read alike by all.',
  },
  XI224: {
    severity: 'warning',
    advice:
      'Compare with what a new stream gets, as status does: java-control-plane says nothing more of a type on a stream once a name in use is deleted, not even that it is back.',
  },
  XI225: {
    severity: 'error',
    advice:
      'Check who the client says it is: its node id (--node-id) and its credentials; Istio wants an id such as sidecar~10.0.0.1~app.default~default.svc.cluster.local.',
  },
} as const satisfies Record<string, Kind>;

export type FindingCode = keyof typeof PROTOCOL_FINDINGS;
