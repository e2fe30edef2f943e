/** A header that the user adds to the requests to an xDS server, with the value as typed. */
export type XdsHeader = readonly [name: string, value: string];

export type HeaderResult = { ok: true; header: XdsHeader } | { ok: false; problem: string };

/** Headers that gRPC or HTTP/2 sets, and what to use instead. */
const SET_BY_GRPC: Readonly<Record<string, string>> = {
  ':authority': '; --authority sets it',
  host: '; --authority sets the server name',
  'user-agent': '; --user-agent sets the user agent name of the node',
};
const CONNECTION_HEADERS = new Set(
  'te content-type content-length host user-agent connection keep-alive proxy-connection transfer-encoding upgrade http2-settings'.split(
    ' ',
  ),
);

const NAME = /^[0-9a-z_.-]+$/;
const MAX_NAME = 100;
const VALUE = /^[ -~]+$/;
/** Standard or URL-safe base64, with or without padding. */
const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;

/** Reads `name: value`. The problem is a predicate and never contains the value, which may be a secret. */
export function readHeader(text: string): HeaderResult {
  const colon = text.indexOf(':', 1);
  if (colon < 0) return refused("takes 'name: value'; the colon is missing");
  return checkedHeader(text.slice(0, colon).trim(), text.slice(colon + 1).trim());
}

/** Checks a header by the rules of gRPC. Names are sent in lower case. */
export function checkedHeader(typed: string, value: string): HeaderResult {
  const name = typed.toLowerCase();
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  if (name.startsWith(':') || CONNECTION_HEADERS.has(name))
    return refused(`cannot set "${shown}", which gRPC sets itself${SET_BY_GRPC[name] ?? ''}`);
  if (name.startsWith('grpc-')) return refused(`cannot set "${shown}": names that begin with grpc- are reserved`);
  if (!NAME.test(name))
    return refused(`cannot set "${shown}": the name of a header consists of letters, digits and . _ -`);
  if (value === '') return refused(`has no value for "${shown}": quote the header, as in -H '${shown}: value'`);
  if (name.endsWith('-bin')) {
    if (!BASE64.test(value)) return refused(`takes base64 for "${shown}", because its name ends in -bin`);
  } else if (!VALUE.test(value)) {
    return refused(`takes printable ASCII for "${shown}"; base64 of other bytes needs a name that ends in -bin`);
  }
  return { ok: true, header: [name, value] };
}

const refused = (problem: string): HeaderResult => ({ ok: false, problem });

/** Headers without those that later ones with the same name replace. */
export function withHeaders(before: readonly XdsHeader[], after: readonly XdsHeader[]): XdsHeader[] {
  const names = new Set(after.map(([name]) => name));
  return [...before.filter(([name]) => !names.has(name)), ...after];
}
