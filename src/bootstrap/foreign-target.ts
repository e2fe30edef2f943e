/** Targets of gRPC's other resolvers, which do not need slashes. A number after the colon is the port of a plain name. */
const RESOLVER = /^(dns|unix|unix-abstract|ipv4|ipv6|vsock|passthrough|google-c2p):(?!\d*$)(.*)$/is;
const URI = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/?(.*)$/is;
const XDSTP = /^xdstp:\/\/([^/]*)\/[^/]+\/(.+)$/is;

/** Returns an error message for a target with the scheme of another resolver; undefined for any other target. */
export function foreignTarget(target: string): string | undefined {
  const instead = replacement(target);
  if (instead === undefined) return undefined;
  const hint = instead === '' ? 'use the target that a program dials, such as xds:///greeter' : `use ${instead}`;
  return `not an xDS target: ${hint}`;
}

/** Returns the xDS target that was most likely intended; empty if there is none. */
function replacement(target: string): string | undefined {
  const [, scheme = '', authority = '', path = ''] = URI.exec(target) ?? [];
  if (scheme === '') {
    const [, resolver = '', name = ''] = RESOLVER.exec(target) ?? [];
    if (resolver === '') return undefined;
    return resolver.toLowerCase() === 'dns' ? `xds:///${name}` : '';
  }
  if (scheme.toLowerCase() === 'xds') return undefined;
  const [, xdsAuthority, name] = XDSTP.exec(target) ?? [];
  if (name !== undefined) return `xds://${xdsAuthority}/${name}`;
  // A web address has its host in the authority component.
  const found = /^https?$/i.test(scheme) || path === '' ? authority : path;
  return found === '' || /^(unix|vsock|ipv)/i.test(scheme) ? '' : `xds:///${found}`;
}

/** Whether a target is empty, usually because a shell variable is not set. */
export function isEmptyTarget(target: string): boolean {
  return /^(xds:(\/\/[^/]*)?\/?|#server:)?$/i.test(target);
}
