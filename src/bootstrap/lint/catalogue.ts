import type { FindingKind } from '../../base/finding.js';

/** Findings about a bootstrap. */
export const BOOTSTRAP_FINDINGS = {
  XI001: {
    severity: 'error',
    title: 'The bootstrap cannot be read or is not valid JSON',
    what: "gRPC's JSON parser rejects the text, or there is no bootstrap.",
    advice:
      'Correct the JSON at the marked position, or set `GRPC_XDS_BOOTSTRAP` to a file name or `GRPC_XDS_BOOTSTRAP_CONFIG` to the JSON text.',
    isGrpcError: true,
  },
  XI002: {
    severity: 'error',
    title: 'gRPC rejects this field',
    what: 'A required field is missing, a value has the wrong type, or `channel_creds` has no entry of a known type.',
    advice: 'Correct the named field.',
    isGrpcError: true,
  },
  XI010: {
    severity: 'warning',
    title: 'Both environment variables are set',
    what: 'gRPC reads `GRPC_XDS_BOOTSTRAP` and ignores `GRPC_XDS_BOOTSTRAP_CONFIG`, even if the file cannot be read.',
    advice: 'Unset the variable that you do not need.',
  },
  XI011: {
    severity: 'warning',
    title: 'An environment variable contains the value of the other one',
    what: '`GRPC_XDS_BOOTSTRAP` takes a file name, and `GRPC_XDS_BOOTSTRAP_CONFIG` takes the JSON text.',
    advice: 'Move the value to the other variable.',
  },
  XI012: {
    severity: 'warning',
    title: 'gRPC ignores a misspelt key',
    what: 'gRPC silently ignores unknown keys at every level, so a typo such as `server_url`, or camel case, disables a setting.',
    advice: 'Rename the key as suggested, or suppress this finding if the key is for another program.',
  },
  XI013: {
    severity: 'error',
    title: 'The server address has an unknown scheme',
    what: 'gRPC looks up an address with an unknown scheme, such as `http://`, in DNS as if all of it were a host name.',
    advice: 'Write `host:port` or `dns:///host:port`.',
  },
  XI014: {
    severity: 'note',
    title: 'The server address has no port or is empty',
    what: 'Without a port, gRPC connects to port 443.',
    advice: 'Add the port, unless the server uses 443.',
  },
  XI015: {
    severity: 'warning',
    title: 'Insecure credentials for a remote server',
    what: 'The connection is neither encrypted nor authenticated: anyone on the network path can read or replace the configuration.',
    advice: 'Use `tls`, or a server on this machine.',
  },
  XI016: {
    severity: 'warning',
    title: 'Google credentials for a local server',
    what: '`google_default` expects a certificate for a Google host name, which a loopback address or a Unix socket does not have.',
    advice: 'Use `insecure` for a local server.',
  },
  XI017: {
    severity: 'note',
    title: 'gRPC never uses this credentials entry',
    what: 'gRPC uses the first entry of a known type and ignores the others.',
    advice: 'Remove the types that none of your clients support.',
  },
  XI018: {
    severity: 'warning',
    title: 'The credentials type is misspelt',
    what: 'gRPC compares types exactly, including case: `TLS` and `Insecure` are unknown.',
    advice: 'Use the suggested spelling.',
  },
  XI019: {
    severity: 'warning',
    title: 'gRPC ignores the call credentials',
    what: 'gRPC reads `call_creds` only if `GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS` is true.',
    advice: 'Set the variable in the environment of the program, or remove the field.',
  },
  XI020: {
    severity: 'error',
    title: 'Call credentials for an insecure channel',
    what: 'Call credentials send a token on every stream, and gRPC does not send tokens over an unencrypted channel.',
    advice: 'Use `tls` for the channel, or remove `call_creds`.',
  },
  XI021: {
    severity: 'note',
    title: '`xds_v3` has no effect',
    what: 'The feature selected version 3 of the xDS protocol, which is now the only version.',
    advice: 'Remove it when convenient.',
  },
  XI022: {
    severity: 'warning',
    title: 'Unknown server feature',
    what: 'gRPC ignores unknown server features.',
    advice: 'Use the suggested spelling, or remove the feature.',
  },
  XI023: {
    severity: 'warning',
    title: 'The server feature requires A88, which is disabled',
    what: '`fail_on_data_errors` and `resource_timer_is_transient_error` have no effect unless `GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING` is true.',
    advice: 'Set the variable in the environment of the program.',
  },
  XI024: {
    severity: 'note',
    title: '`ignore_resource_deletion` is deprecated',
    what: 'With A88, gRPC keeps deleted resources by default and ignores this feature.',
    advice: 'Remove it, or set `fail_on_data_errors` if gRPC should drop deleted resources.',
  },
  XI025: {
    severity: 'note',
    title: 'An expired resource timer does not mean "does not exist"',
    what: 'With `resource_timer_is_transient_error`, gRPC attributes an expired resource timer to a slow server, not to a missing resource.',
    advice: 'Make sure that the control plane sends `resource_errors` for missing resources.',
  },
  XI026: {
    severity: 'warning',
    title: 'The node has no id',
    what: 'Control planes select resources by the node, and gRPC includes the node id in its error messages.',
    advice: 'Set `node.id` to a value that identifies this client.',
  },
  XI027: {
    severity: 'note',
    title: 'gRPC ignores node fields that the client sets itself',
    what: 'gRPC sends its own values of `user_agent_name`, `client_features` and similar fields.',
    advice: 'Remove them.',
  },
  XI028: {
    severity: 'warning',
    title: 'A number in the node metadata loses precision',
    what: 'Numbers in `node.metadata` are doubles, which cannot represent every integer above 2^53.',
    advice: 'Write the number as a string, if the control plane accepts one.',
  },
  XI029: {
    severity: 'warning',
    title: 'A listener name template has no `%s`',
    what: 'gRPC requests the same listener for every target.',
    advice: 'Put `%s` where the name of the target belongs.',
  },
  XI030: {
    severity: 'warning',
    title: 'A listener name template has another resource type',
    what: 'The first path segment of an `xdstp:` name is the resource type, and this template does not have the listener type there.',
    advice: 'Use `envoy.config.listener.v3.Listener`.',
  },
  XI031: {
    severity: 'warning',
    title: 'A listener name template has an unknown authority',
    what: 'gRPC looks up the servers of an `xdstp:` name in `authorities`, which has no entry for this authority.',
    advice: 'Add the authority; its entry may be empty (`{}`).',
  },
  XI032: {
    severity: 'warning',
    title: 'gRPC percent-encodes the name of an authority',
    what: 'In resource names, gRPC percent-encodes the characters that a host name cannot contain.',
    advice: 'Choose a name that is a valid host name.',
  },
  XI033: {
    severity: 'note',
    title: 'An authority repeats the top-level servers',
    what: 'An authority without `xds_servers` uses the top-level list.',
    advice: 'Remove the list from the authority.',
  },
  XI034: {
    severity: 'warning',
    title: 'Authorities are configured, but federation is disabled',
    what: '`GRPC_EXPERIMENTAL_XDS_FEDERATION` is false, so gRPC ignores `authorities` and `client_default_listener_resource_name_template`.',
    advice: 'Unset the variable.',
  },
  XI035: {
    severity: 'warning',
    title: 'A file cannot be used',
    what: 'The file is missing or unreadable, or its certificate has expired.',
    advice: 'Check the path and the permissions as the user that runs the program.',
  },
  XI036: {
    severity: 'warning',
    title: 'Certificate and key are in different directories',
    what: 'grpc-go requires both files in the same directory; other languages do not.',
    advice: 'Put both files into one directory if Go programs use this bootstrap.',
  },
  XI037: {
    severity: 'warning',
    title: 'C-core has another key for the SPIFFE bundle map',
    what: 'C-core reads `spiffe_bundle_map_file`; Go and Java read `spiffe_trust_bundle_map_file`.',
    advice: 'Use the key that your language reads, or set both.',
  },
  XI038: {
    severity: 'note',
    title: 'The refresh interval is missing or too short',
    what: 'With an interval below one second gRPC reads the files continuously; without one gRPC uses 600 s, but grpc-js-xds rejects the provider.',
    advice: 'Set `refresh_interval` to a few minutes.',
  },
  XI039: {
    severity: 'warning',
    title: 'A fallback server has the address of an earlier server',
    what: 'gRPC uses a fallback server when the servers before it are unreachable, and a server at the same address is unreachable too.',
    advice: 'Use a different address, or remove the entry.',
  },
  XI040: {
    severity: 'warning',
    title: 'Two entries for one server have different features',
    what: 'gRPC identifies a server by address, credentials and features, so it opens one connection for each of the two entries.',
    advice: 'Use the same features in both entries.',
  },
  XI042: {
    severity: 'warning',
    title: 'Fallback servers are configured, but fallback is disabled',
    what: '`GRPC_EXPERIMENTAL_XDS_FALLBACK` is false, so clients that read the variable (Java) use only the first server of each list.',
    advice: 'Unset the variable.',
  },
  XI043: {
    severity: 'error',
    title: 'No channel can connect to the server address',
    what: 'gRPC accepts any text as `server_uri`, and fails when it connects: the address, port, path or host name is invalid.',
    advice:
      'Correct `server_uri`: `host:port`, `dns:///host:port`, `ipv4:address:port`, `ipv6:[address]:port` or `unix:///path`.',
  },
  XI044: {
    severity: 'note',
    title: 'grpc-js-xds rejects a node without a locality',
    what: '@grpc/grpc-js-xds requires `node.locality`; other implementations do not.',
    advice: 'Add `"locality": {}` to `node` if Node.js programs use this bootstrap.',
  },
} as const satisfies Record<string, FindingKind>;

export type BootstrapCode = keyof typeof BOOTSTRAP_FINDINGS;
