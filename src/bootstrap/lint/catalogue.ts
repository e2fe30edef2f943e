import type { FindingKind } from '../../base/finding.js';

/** What can be found in a bootstrap. */
export const BOOTSTRAP_FINDINGS = {
  XI001: {
    severity: 'error',
    title: 'The bootstrap is not JSON, or cannot be read',
    what: "The text is not JSON as gRPC's own parser accepts it, or there is no bootstrap at all.",
    advice:
      'Correct the marked place, or set `GRPC_XDS_BOOTSTRAP` to a file or `GRPC_XDS_BOOTSTRAP_CONFIG` to the text.',
    isVerdict: true,
  },
  XI002: {
    severity: 'error',
    title: 'gRPC rejects this field',
    what: 'A required field is missing, a value has the wrong type, or no channel credentials of a known type are listed.',
    advice: 'Correct the named field.',
    isVerdict: true,
  },
  XI010: {
    severity: 'warning',
    title: 'Both environment variables are set',
    what: 'gRPC reads `GRPC_XDS_BOOTSTRAP` and never `GRPC_XDS_BOOTSTRAP_CONFIG`, not even when the file cannot be read.',
    advice: 'Unset the variable that is not meant.',
  },
  XI011: {
    severity: 'warning',
    title: "An environment variable holds the other's value",
    what: '`GRPC_XDS_BOOTSTRAP` is the name of a file, `GRPC_XDS_BOOTSTRAP_CONFIG` is JSON text.',
    advice: 'Swap them.',
  },
  XI012: {
    severity: 'warning',
    title: 'A key that gRPC ignores looks like one that it reads',
    what: 'gRPC ignores unknown keys silently at every level, so a slip such as `server_url`, or camel case, switches a setting off.',
    advice: 'Rename the key as suggested, or suppress this finding if the key is meant for another reader.',
  },
  XI013: {
    severity: 'error',
    title: 'The server address has a scheme that gRPC does not know',
    what: 'gRPC looks up an address with an unknown scheme, `http://` included, in DNS as one long host name.',
    advice: 'Write `host:port` or `dns:///host:port`.',
  },
  XI014: {
    severity: 'warning',
    title: 'The server address has no port, or is empty',
    what: 'Without a port gRPC connects to 443.',
    advice: 'Add the port.',
  },
  XI015: {
    severity: 'warning',
    title: 'Insecure credentials to another machine',
    what: 'Nothing is encrypted or authenticated: anyone on the path can read the configuration and send another.',
    advice: 'Use `tls`, or an address on this machine.',
  },
  XI016: {
    severity: 'warning',
    title: 'Google credentials to this machine',
    what: '`google_default` expects a certificate for a Google host name, which an address on loopback or a unix socket does not have.',
    advice: 'Use `insecure` for local sockets.',
  },
  XI017: {
    severity: 'note',
    title: 'A credentials entry that is never used',
    what: 'gRPC uses the first entry of a known type and skips the others.',
    advice: 'Remove the types that none of your clients know.',
  },
  XI018: {
    severity: 'warning',
    title: 'A credentials type that is nearly right',
    what: 'gRPC compares types letter by letter: `TLS` and `Insecure` are unknown.',
    advice: 'Spell it as suggested.',
  },
  XI019: {
    severity: 'warning',
    title: 'Call credentials that are ignored',
    what: 'gRPC reads `call_creds` only while `GRPC_EXPERIMENTAL_XDS_BOOTSTRAP_CALL_CREDS` is true.',
    advice: 'Set the variable where the program runs, or remove the field.',
  },
  XI020: {
    severity: 'error',
    title: 'A token for an insecure channel',
    what: 'Call credentials send a token with every stream, and gRPC does not send tokens over a channel that is not encrypted.',
    advice: 'Use `tls` for the channel, or remove `call_creds`.',
  },
  XI021: {
    severity: 'note',
    title: '`xds_v3` has no effect',
    what: 'It once chose version 3 of the protocol, which is the only version today.',
    advice: 'Remove it when convenient.',
  },
  XI022: {
    severity: 'warning',
    title: 'A server feature that gRPC does not know',
    what: 'gRPC ignores unknown server features.',
    advice: 'Spell it as suggested.',
  },
  XI023: {
    severity: 'warning',
    title: 'A feature of A88 while A88 is off',
    what: '`fail_on_data_errors` and `resource_timer_is_transient_error` have no effect unless `GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING` is true.',
    advice: 'Set the variable where the program runs.',
  },
  XI024: {
    severity: 'warning',
    title: '`ignore_resource_deletion` is deprecated',
    what: 'A88 keeps a deleted resource by default and ignores this feature.',
    advice: 'Remove it, or set `fail_on_data_errors` to have deleted resources dropped.',
  },
  XI025: {
    severity: 'note',
    title: 'A timer that never says "does not exist"',
    what: 'With `resource_timer_is_transient_error` a resource that does not arrive counts as a slow server, not as missing.',
    advice: 'Make sure that the control plane sends `resource_errors`.',
  },
  XI026: {
    severity: 'warning',
    title: 'The node has no id',
    what: 'Control planes choose what to serve by the node, and gRPC puts the id into its error messages.',
    advice: 'Set `node.id` to something that identifies this client.',
  },
  XI027: {
    severity: 'note',
    title: 'Node fields that the client fills in itself',
    what: "User agent, client features and the like are always the client's own.",
    advice: 'Remove them.',
  },
  XI028: {
    severity: 'warning',
    title: 'A number in the metadata that loses digits',
    what: 'Metadata numbers are doubles: beyond 2^53 not every integer exists.',
    advice: 'Write it as a string, if the control plane accepts one.',
  },
  XI029: {
    severity: 'warning',
    title: 'A template without `%s`',
    what: 'Every target leads to the same resource.',
    advice: "Put `%s` where the target's name belongs.",
  },
  XI030: {
    severity: 'warning',
    title: 'A template with another type',
    what: 'An `xdstp:` name has the resource type as its first part, and this template names another type than that of listeners.',
    advice: 'Use `envoy.config.listener.v3.Listener`.',
  },
  XI031: {
    severity: 'warning',
    title: 'A template with an authority that is not configured',
    what: 'gRPC finds the servers of an `xdstp:` name under `authorities`, which has no entry for this one.',
    advice: 'Add the authority; it may be empty (`{}`).',
  },
  XI032: {
    severity: 'warning',
    title: 'An authority whose name is percent-encoded',
    what: 'gRPC percent-encodes characters in resource names that a host name cannot have.',
    advice: 'Choose a name that looks like a host name.',
  },
  XI033: {
    severity: 'note',
    title: 'An authority that repeats the top-level servers',
    what: 'Without `xds_servers` of its own an authority uses the top-level list.',
    advice: 'Remove the list from the authority.',
  },
  XI034: {
    severity: 'warning',
    title: 'Authorities while federation is off',
    what: '`GRPC_EXPERIMENTAL_XDS_FEDERATION` is false: gRPC does not read `authorities` and the default template.',
    advice: 'Unset the variable.',
  },
  XI035: {
    severity: 'warning',
    title: 'A file that cannot be used',
    what: 'The file is missing, unreadable, or holds a certificate that has expired.',
    advice: 'Check the path as the user that runs the program.',
  },
  XI036: {
    severity: 'warning',
    title: 'Certificate and key in different folders',
    what: 'grpc-go requires both in one folder; other languages do not.',
    advice: 'Put them side by side if Go programs read this bootstrap.',
  },
  XI037: {
    severity: 'warning',
    title: 'The SPIFFE map under its other name',
    what: 'C-core reads `spiffe_bundle_map_file`, Go and Java `spiffe_trust_bundle_map_file`.',
    advice: 'Use the name that your language reads; both may stand side by side.',
  },
  XI038: {
    severity: 'note',
    title: 'The refresh interval',
    what: 'Less than a second reads the disk all the time; without one 600 s applies, and grpc-js-xds refuses the provider.',
    advice: 'Set it to some minutes.',
  },
  XI039: {
    severity: 'warning',
    title: 'A fallback server with the same address',
    what: 'A fallback is used when the servers before it cannot be reached, and at the same address it cannot be reached either.',
    advice: 'Give another address, or remove the entry.',
  },
  XI040: {
    severity: 'warning',
    title: 'One server with two sets of features',
    what: 'gRPC identifies servers by address, credentials and features: two entries that differ only in features get a connection each.',
    advice: 'Use the same features everywhere.',
  },
  XI042: {
    severity: 'warning',
    title: 'Fallback servers while fallback is off',
    what: '`GRPC_EXPERIMENTAL_XDS_FALLBACK` is false: clients that read the variable (Java) use only the first server of each list.',
    advice: 'Unset the variable.',
  },
} as const satisfies Record<string, FindingKind>;

export type BootstrapCode = keyof typeof BOOTSTRAP_FINDINGS;
