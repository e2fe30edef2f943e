import { REDACTED, redactText } from '../base/secret-name.js';

/** A variable in a report for others. */
export interface ShownVariable {
  name: string;
  /** Null: only the name is shown, since the value may be secret. */
  value: string | null;
}

/** Variables whose values are switches, numbers, names or paths. docs/security.md lists them. */
const WITH_VALUE = [
  /^GRPC_EXPERIMENTAL_\w+$/,
  /^GRPC_(XDS_BOOTSTRAP|XDS_ENDPOINT_HASH_KEY_BACKWARD_COMPAT|DNS_RESOLVER|DEFAULT_SSL_ROOTS_FILE_PATH)$/,
  /^GRPC_(TRACE|VERBOSITY|NODE_TRACE|NODE_VERBOSITY|GO_LOG_SEVERITY_LEVEL|GO_LOG_VERBOSITY_LEVEL)$/,
  /^XDS_INSPECT_(AS|BOOTSTRAP|SERVER|PLAINTEXT|CACERT|CERT|KEY|NODE_ID|USER_AGENT|DEFAULT_AUTHORITY)$/,
  /^XDS_INSPECT_(ALL|BUNDLE|COLOR|FAIL_ON|FAILURE_THRESHOLD|FOR|HTML|NO_PROBE|OUTPUT|QUIET|RECORD|STATUS)$/,
  /^XDS_INSPECT_(SHOW_SECRETS|SUPPRESS|TIMEOUT|TIMESTAMP|TYPE|VERBOSE)$/,
  /^(https?|grpc|all|no|no_grpc)_proxy$/i,
  /^(NO_COLOR|FORCE_COLOR|TERM|COLUMNS|CI|TZ)$/,
  /^(NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|SSL_CERT_FILE|SSL_CERT_DIR|GOOGLE_APPLICATION_CREDENTIALS)$/,
];

/** Variables of which only the name is shown: inline bootstraps, headers with tokens, anything that gRPC may add. */
const NAME_ONLY = [/^GRPC_\w+$/, /^XDS_INSPECT_\w+$/, /^OTEL_\w+$/, /^NODE_OPTIONS$/];

/** Longer values are not what these variables are for. */
const MAX_LENGTH = 1000;

/** The variables that may explain a result, without secrets. All others are not even named. */
export function safeVariables(variables: Readonly<Record<string, string | undefined>>): ShownVariable[] {
  return Object.entries(variables)
    .flatMap(([name, value = '']) => {
      if (WITH_VALUE.some((one) => one.test(name))) return [{ name, value: shown(name, value) }];
      return NAME_ONLY.some((one) => one.test(name)) ? [{ name, value: null }] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function shown(name: string, value: string): string | null {
  if (value.length > MAX_LENGTH || value.includes('\n')) return null;
  // A proxy may be written without a scheme: user:password@host.
  return redactText(/proxy$/i.test(name) ? value.replace(/[^/,\s]*@/g, `${REDACTED}@`) : value);
}
