/** gRPC's other resolvers, whose targets need no slashes; a number after the colon is the port of a bare name. */
const RESOLVER = /^(dns|unix|unix-abstract|ipv4|ipv6|vsock|passthrough|google-c2p):(?!\d*$)(.*)$/is;
const URI = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/?(.*)$/is;
const XDSTP = /^xdstp:\/\/([^/]*)\/[^/]+\/(.+)$/is;

/** Why a target with the scheme of another resolver is not one of xDS, and what to type; undefined for any other target. */
export function foreignTarget(target: string): string | undefined {
  const instead = replacement(target);
  if (instead === undefined) return undefined;
  const hint = instead === '' ? 'give what a program dials, such as xds:///greeter' : `type ${instead}`;
  return `not an xDS target: ${hint}`;
}

/** The xDS target that was most likely meant; empty if there is none. */
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
  // A web address has its host in the place of the authority.
  const found = /^https?$/i.test(scheme) || path === '' ? authority : path;
  return found === '' || /^(unix|vsock|ipv)/i.test(scheme) ? '' : `xds:///${found}`;
}
