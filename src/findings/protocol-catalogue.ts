import type { FindingKind } from '../base/finding.js';

/** What a control plane can do wrong on the wire. */
export const PROTOCOL_FINDINGS = {
  XI201: {
    severity: 'warning',
    title: 'No answer to a request',
    what: 'The client requested a name, and no response of that type arrived before the resource timer expired.',
    advice:
      'Check that the control plane has it for this node id, which gRPC sends only in the first request of a stream; go-control-plane with ads=true answers only who names its whole snapshot.',
  },
  XI202: {
    severity: 'error',
    title: 'No answer for any of several names',
    what: 'The client requested several names of a type, and no response of that type ever arrived on the stream, while the server answers other types on it.',
    advice:
      'Look for a name that the control plane does not have: java-control-plane then answers for none of them, and go-control-plane with ads=true answers only who names its whole snapshot.',
  },
  XI203: {
    severity: 'error',
    title: 'A refused response is sent again at once',
    what: 'The server answers a NACK with the same version again and again, at least five times in a second.',
    advice:
      'Correct the resource, and let the server wait for a new version after a NACK; go-control-plane and java-control-plane answer each NACK at once.',
  },
  XI204: {
    severity: 'warning',
    title: 'A listener or cluster is left out',
    what: 'A response of listeners or clusters has to hold all requested resources that exist, and this one omits a name that the stream has requested.',
    advice:
      'Send all listeners or clusters that are asked for in every response: gRPC takes those left out for deleted, or waits 15 seconds for those it never had.',
  },
  XI205: {
    severity: 'note',
    title: 'A resource that was not asked for',
    what: 'The server sends resources that nobody on this stream has requested within the last seconds.',
    advice: 'Send what was asked for: gRPC checks the rest, refuses the response if it is bad, and throws it away.',
  },
  XI206: {
    severity: 'warning',
    title: 'A nonce is used twice',
    what: 'Two responses of one type have the same nonce on one stream.',
    advice: 'Give every response of a stream its own nonce, or the server cannot tell which one a client has accepted.',
  },
  XI207: {
    severity: 'warning',
    title: 'A response without a nonce',
    what: 'Without a nonce an ACK looks like the first request of a stream, which many servers answer with the same response again.',
    advice: 'Set a nonce: an ACK without one looks like a first request, and many servers answer it again.',
  },
  XI208: {
    severity: 'warning',
    title: 'Other contents under the same version',
    what: 'A resource has changed on this stream, and the version of the response has not.',
    advice: 'Change the version whenever the contents change; who compares versions misses this update.',
  },
  XI209: {
    severity: 'warning',
    title: 'Other contents under the same version on another stream',
    what: 'After a reconnect, the same server address sends a resource with other contents than before under the same version.',
    advice: 'Let all replicas derive versions from the contents, or put something of their own into them.',
  },
  XI210: {
    severity: 'error',
    title: 'A resource of another type',
    what: 'A response names its type, and a resource in it is of another type.',
    advice: 'Put resources only into responses of their own type: gRPC refuses these, and cannot tell whose they are.',
  },
  XI211: {
    severity: 'warning',
    title: 'A name is both a resource and an error',
    what: 'A name is in `resources` and in `resource_errors` of the same response, which xRFC TP3 forbids.',
    advice: 'Send either the resource or the error: gRPC applies both, so that the error is what stays.',
  },
  XI212: {
    severity: 'warning',
    title: 'An error for a name that was not asked for',
    what: '`resource_errors` names a resource that nobody on this stream has requested within the last seconds.',
    advice: 'Report errors only for names that are asked for; gRPC ignores the others.',
  },
  XI213: {
    severity: 'warning',
    title: 'Endpoints before their cluster',
    what: 'Endpoints arrived that nobody had requested yet, and shortly afterwards the cluster that leads to them.',
    advice: 'Send a cluster before its endpoints: gRPC has thrown them away and now waits for them once more.',
  },
  XI214: {
    severity: 'error',
    title: 'A storm of responses',
    what: 'The server sends one type again and again without a new request: twenty times a second without a change, or two hundred times a second with one.',
    advice:
      'Answer a request once and push only what has changed; go-control-plane does this to whoever asks for "*", java-control-plane with EDS while a cluster is refused.',
  },
  XI215: {
    severity: 'error',
    title: 'A response of more than 4 MiB',
    what: "The response is larger than gRPC's default limit for a message, which is 4 MiB.",
    advice:
      'Split the response or serve less to this node: C-core, Go and grpc-js refuse it, reconnect for ever and show nothing.',
  },
  XI216: {
    severity: 'error',
    title: 'A type that was not asked for',
    what: 'A response is of a type that this client has not requested yet, or that gRPC does not know.',
    advice: 'Send a type only on streams that have asked for it: C-core and Go read nothing more on this stream.',
  },
  XI217: {
    severity: 'error',
    title: 'A message that is no response',
    what: 'A message cannot be decoded as a DiscoveryResponse.',
    advice: 'Look at what encodes the responses: C-core and Go read nothing more on this stream.',
  },
  XI218: {
    severity: 'error',
    title: 'A TTL heartbeat',
    what: 'A `Resource` wrapper has a name but no resource, which is a heartbeat of xDS resources with a TTL; gRPC does not implement TTLs.',
    advice: 'Send no TTL heartbeats to gRPC: it refuses them, and C-core takes a listener or cluster for deleted.',
  },
  XI219: {
    severity: 'warning',
    title: 'An error from which RPCs that wait do not recover',
    what: 'The listener or the route configuration has an error: RPCs fail, and those with wait-for-ready are queued.',
    advice:
      'Restart C-core clients (C++, Python, Ruby) that wait for such RPCs after the repair, or give the RPCs deadlines.',
  },
  XI220: {
    severity: 'error',
    title: 'The server has no ADS',
    what: 'The stream ended with UNIMPLEMENTED before any response: the server does not have `AggregatedDiscoveryService/StreamAggregatedResources`.',
    advice: 'Check the address and the port: whatever listens there does not offer ADS.',
  },
  XI221: {
    severity: 'error',
    title: 'One stream after the other ends',
    what: 'The server ended three streams in a row without a response, or five streams within a minute.',
    advice: 'Look into the log of the control plane, or of a proxy in between, for why it ends them.',
  },
  XI222: {
    severity: 'note',
    title: 'Nothing new under new versions',
    what: 'The server sent a type at least three times under new versions, although nothing in it had changed and nothing new was requested.',
    advice:
      'Nothing to repair: control planes such as Istio, or with one version for all types, push all of them when one has changed.',
  },
  XI223: {
    severity: 'note',
    title: 'C-core behaves differently',
    what: 'xds-inspect follows the gRFCs where C-core 1.85 departs from them, and here the two end in different states.',
    advice: 'Compare with --as c-core; a server that says of every name what holds for it is read alike by all.',
  },
  XI224: {
    severity: 'warning',
    title: 'A type stays behind',
    what: 'All types of a stream changed their version together, and now one of them has stayed at the old version for five seconds.',
    advice:
      'Compare with what a new stream gets, as status does: java-control-plane says nothing more of a type on a stream once a name in use is deleted, not even that it is back.',
  },
  XI225: {
    severity: 'error',
    title: 'The server refuses this client',
    what: 'The stream ended with INVALID_ARGUMENT, UNAUTHENTICATED or PERMISSION_DENIED before any response.',
    advice:
      'Check who the client says it is: its node id (--node-id) and its credentials; Istio wants an id such as sidecar~10.0.0.1~app.default~default.svc.cluster.local.',
  },
} as const satisfies Record<string, FindingKind>;

export type ProtocolCode = keyof typeof PROTOCOL_FINDINGS;
