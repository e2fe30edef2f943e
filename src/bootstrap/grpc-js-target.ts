import type { Bootstrap } from './bootstrap.js';

/** A target as grpc-js reads it. It decodes nothing: a percent sign stays in the name of the listener. */
interface GrpcJsTarget {
  uri: string;
  /** '' if it has none. */
  authority: string;
  path: string;
}

const URI = /^(?:([A-Za-z0-9+.-]+):)?(?:\/\/([^/]*)\/)?(.+)$/;

/** Returns the reason if it is not an xds target: grpc-js then looks it up as a host name. */
export function parseGrpcJsTarget(target: string): GrpcJsTarget | { failure: string } {
  const [, scheme, authority, path = ''] = URI.exec(target) ?? [];
  if (scheme !== 'xds') return { failure: `Failed to parse DNS address dns:${target}` };
  const inUri = authority === undefined ? '' : `//${authority}/`;
  return { uri: `xds:${inUri}${path}`, authority: authority ?? '', path };
}

/** The template of the listener's name; undefined if the authority is not in the bootstrap. */
export function grpcJsTemplate(authority: string, bootstrap: Bootstrap): { text: string; from: string } | undefined {
  if (authority === '') {
    const text = bootstrap.clientDefaultListenerTemplate;
    return text === ''
      ? { text: '%s', from: 'the default' }
      : { text, from: 'client_default_listener_resource_name_template' };
  }
  const entry = bootstrap.authorities.get(authority);
  if (entry === undefined) return undefined;
  return entry.clientListenerTemplate === ''
    ? {
        text: `xdstp://${authority}/envoy.config.listener.v3.Listener/%s`,
        from: `the default for authority "${authority}"`,
      }
    : {
        text: entry.clientListenerTemplate,
        from: `authorities["${authority}"].client_listener_resource_name_template`,
      };
}

const PATH_CHARACTERS = /[^A-Za-z0-9._~!$&^()*+,;=/-]/g;

/** Fills a template; only a path in an xdstp name is encoded. */
export function fillGrpcJsTemplate(template: string, path: string): string {
  const value = template.startsWith('xdstp:') ? path.replace(PATH_CHARACTERS, encodeURIComponent) : path;
  return template.replaceAll('%s', () => value);
}
