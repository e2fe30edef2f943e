import type { FindingKind } from '../base/finding.js';

/** Findings about the xDS protocol: mistakes of a control plane on the wire. */
export const PROTOCOL_FINDINGS = {
  XI201: {
    severity: 'warning',
    title: 'No response to a request',
    what: 'The client requested a resource, and no response of that type arrived before the resource timer expired.',
    advice:
      'Check that the control plane has the resource for this node id, which gRPC sends only in the first request of a stream; go-control-plane with ads=true responds only if the request names every resource in the snapshot.',
  },
  XI202: {
    severity: 'error',
    title: 'No response for any of several names',
    what: 'The client requested several names of a type, and the server sent no response of that type on the stream, although it responds to requests for other types.',
    advice:
      'Look for a name that the control plane does not have: java-control-plane then does not respond at all, and go-control-plane with ads=true responds only if the request names every resource in the snapshot.',
  },
  XI203: {
    severity: 'error',
    title: 'The server resends a rejected response immediately',
    what: 'The server responds to each NACK with the same version, at least five times per second.',
    advice:
      'Correct the resource, and make the server wait for a new version after a NACK; go-control-plane and java-control-plane respond to each NACK immediately.',
  },
  XI204: {
    severity: 'warning',
    title: 'A response omits a listener or cluster',
    what: 'A response with listeners or clusters must contain all requested resources that exist, and this one omits a name that the client requested on the stream.',
    advice:
      'Send all requested listeners or clusters in every response: gRPC treats an omitted resource as deleted, or waits 15 seconds for it if it was never sent.',
  },
  XI205: {
    severity: 'note',
    title: 'A resource that was not requested',
    what: 'The server sends resources that the client did not request on this stream within the last seconds.',
    advice:
      'Send only requested resources: gRPC never uses the others but validates them, and one invalid resource is a NACK.',
  },
  XI206: {
    severity: 'warning',
    title: 'A nonce is used twice',
    what: 'Two responses of one type have the same nonce on one stream.',
    advice:
      'Use a new nonce for every response on a stream; otherwise the server cannot determine which response the client accepted.',
  },
  XI207: {
    severity: 'warning',
    title: 'A response without a nonce',
    what: 'An ACK without a nonce looks like the first request of a stream, and many servers respond to it with the same response again.',
    advice: 'Set a nonce: an ACK without one looks like a first request, and many servers respond to it again.',
  },
  XI208: {
    severity: 'warning',
    title: 'Different contents under the same version',
    what: 'A resource changed on this stream, but the version of the response did not.',
    advice:
      'Change the version whenever the contents change; a client or tool that compares versions misses this update.',
  },
  XI209: {
    severity: 'warning',
    title: 'Different contents under the same version on another stream',
    what: 'After a reconnect, the same server address sends different contents of a resource under the same version.',
    advice: 'Make all replicas derive versions from the contents, or put a replica id into the version.',
  },
  XI210: {
    severity: 'error',
    title: 'A resource of another type',
    what: 'The type of a resource differs from the type of the response that contains it.',
    advice:
      'Put a resource only into a response of its own type: gRPC rejects any other and cannot determine its name.',
  },
  XI211: {
    severity: 'warning',
    title: 'A name is both a resource and an error',
    what: 'A name is in both `resources` and `resource_errors` of a response, which xRFC TP3 forbids.',
    advice: 'Send either the resource or the error: gRPC applies the resource first and then the error.',
  },
  XI212: {
    severity: 'warning',
    title: 'An error for a name that was not requested',
    what: '`resource_errors` contains a name that the client did not request on this stream within the last seconds.',
    advice: 'Report errors only for requested names; gRPC ignores the others.',
  },
  XI213: {
    severity: 'warning',
    title: 'Endpoints before their cluster',
    what: 'The server sent endpoints before the client requested them, and shortly afterwards the cluster that refers to them.',
    advice: 'Send a cluster before its endpoints: gRPC discarded the endpoints and now waits for them again.',
  },
  XI214: {
    severity: 'error',
    title: 'Response storm',
    what: 'The server sends a type repeatedly without a new request: 20 times per second without a change, or 200 times per second with changes.',
    advice:
      'Respond to a request once and push only changes; go-control-plane causes such a storm if a client subscribes to "*", and java-control-plane with EDS while the client rejects a cluster.',
  },
  XI215: {
    severity: 'error',
    title: 'A response is larger than 4 MiB',
    what: "The response exceeds gRPC's default limit for a message, which is 4 MiB.",
    advice:
      'Split the response or serve fewer resources to this node: C-core, Go and grpc-js reject it and reconnect forever without an error message.',
  },
  XI216: {
    severity: 'error',
    title: 'A type that was not requested',
    what: 'The client has not yet requested the type of a response, or gRPC does not know that type.',
    advice: 'Send a type only on streams that requested it: C-core and Go stop reading this stream.',
  },
  XI217: {
    severity: 'error',
    title: 'A message that is not a DiscoveryResponse',
    what: 'A message cannot be decoded as a DiscoveryResponse.',
    advice: 'Check how the server encodes its responses: C-core and Go stop reading this stream.',
  },
  XI218: {
    severity: 'error',
    title: 'A TTL heartbeat',
    what: 'A `Resource` wrapper has a name but no resource: it is a heartbeat for a resource with a TTL, which gRPC does not support.',
    advice: 'Do not send TTL heartbeats to gRPC: it rejects them, and C-core treats a listener or cluster as deleted.',
  },
  XI219: {
    severity: 'warning',
    title: 'Queued RPCs do not recover from this error',
    what: 'The listener or the route configuration has an error: RPCs fail, and RPCs with wait-for-ready are queued.',
    advice:
      'After the correction, restart C-core clients (C++, Python, Ruby) that have queued RPCs, or give such RPCs a deadline.',
  },
  XI220: {
    severity: 'error',
    title: 'The server does not implement ADS',
    what: 'The stream ended with UNIMPLEMENTED before any response: the server does not implement `AggregatedDiscoveryService/StreamAggregatedResources`.',
    advice:
      'Check the address and the port: the server there does not implement ADS, or only its incremental variant, which gRPC clients do not support.',
  },
  XI221: {
    severity: 'error',
    title: 'The server ends streams repeatedly',
    what: 'The server ended three streams in a row without a response, or five streams within a minute.',
    advice: 'Look for the reason in the log of the control plane, or of a proxy in between.',
  },
  XI222: {
    severity: 'note',
    title: 'New versions without changes',
    what: 'The server sent a type at least three times under new versions, although neither its contents nor the requested names changed.',
    advice:
      'No action needed: Istio, and control planes with one version for all types, push every type when one changes.',
  },
  XI223: {
    severity: 'note',
    title: 'C-core behaves differently',
    what: 'xds-inspect follows the gRFCs where C-core 1.85 deviates from them, and here the two reach different states.',
    advice:
      'Compare with --as c-core; all clients agree if the server sends the resource or its error for every requested name.',
  },
  XI224: {
    severity: 'warning',
    title: 'A type stays at an old version',
    what: 'All types of a stream changed their version together before, and now one of them has stayed at the old version for five seconds.',
    advice:
      'Compare with a new stream, for example with status: after the deletion of a requested name, java-control-plane sends nothing more of that type on the stream, even when the name exists again.',
  },
  XI225: {
    severity: 'error',
    title: 'The server rejects this client',
    what: 'The stream ended with INVALID_ARGUMENT, UNAUTHENTICATED or PERMISSION_DENIED before any response.',
    advice:
      'Check the node id (--node-id) and the credentials of the client; Istio requires an id such as sidecar~10.0.0.1~app.default~default.svc.cluster.local.',
  },
  XI226: {
    severity: 'error',
    title: 'The server refuses the state-of-the-world stream',
    what: 'The stream ended with UNKNOWN, or with UNIMPLEMENTED for this method, before any response: the server probably supports only the incremental xDS protocol (`DeltaAggregatedResources`), or requires a node id.',
    advice:
      'Use a control plane that implements `StreamAggregatedResources` (Consul does not), or set the node id that it requires (--node-id; Envoy Gateway).',
  },
} as const satisfies Record<string, FindingKind>;

export type ProtocolCode = keyof typeof PROTOCOL_FINDINGS;
