import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import { finding, type LintFinding, type LintRule } from './finding.js';
import { objectIn } from './walk.js';

const LISTENER = 'envoy.config.listener.v3.Listener';

/** XI026: a node without an id. */
export const nodeId: LintRule = ({ bootstrap }) => {
  if (bootstrap === undefined || (bootstrap.node?.id ?? '') !== '') return [];
  const steps = bootstrap.node === undefined ? [] : ['node'];
  const message = 'the node has no id: control planes identify clients by it, and gRPC prints it in error messages';
  return [finding('XI026', steps, message)];
};

/** XI044: a node that grpc-js-xds rejects. */
export const nodeLocality: LintRule = ({ root, requiresLocality }) => {
  if (requiresLocality) return [];
  const node = root.kind === 'object' ? objectIn(root, 'node') : undefined;
  if (node === undefined || node.fields.has('locality')) return [];
  return [finding('XI044', ['node'], 'no locality: gRPC does not need it, but grpc-js-xds rejects the bootstrap')];
};

/** XI028: integers that a double cannot represent. */
export const metadataNumbers: LintRule = ({ root }) => {
  const metadata = root.kind === 'object' ? objectIn(objectIn(root, 'node'), 'metadata') : undefined;
  return metadata === undefined ? [] : inexactNumbers(metadata, ['node', 'metadata']);
};

function inexactNumbers(node: JsonNode, steps: readonly PathStep[]): LintFinding[] {
  if (node.kind === 'object')
    return [...node.fields].flatMap(([key, { node: value }]) => inexactNumbers(value, [...steps, key]));
  if (node.kind === 'array') return node.elements.flatMap((value, i) => inexactNumbers(value, [...steps, i]));
  if (node.kind !== 'number' || !/^-?\d+$/.test(node.text) || String(Number(node.text)) === node.text) return [];
  const message = `${node.text} becomes ${Number(node.text)}: metadata numbers are doubles; write it as a string`;
  return [finding('XI028', steps, message)];
}

/** XI029 to XI031: templates that produce unusable resource names. */
export const templates: LintRule = ({ bootstrap, switches }) => {
  if (bootstrap === undefined) return [];
  const all: { steps: PathStep[]; template: string }[] = [
    { steps: ['client_default_listener_resource_name_template'], template: bootstrap.clientDefaultListenerTemplate },
    { steps: ['server_listener_resource_name_template'], template: bootstrap.serverListenerTemplate },
    ...[...bootstrap.authorities].map(([name, a]) => ({
      steps: ['authorities', name, 'client_listener_resource_name_template'],
      template: a.clientListenerTemplate,
    })),
  ];
  return all.flatMap(({ steps, template }) => {
    if (template === '') return [];
    const found: LintFinding[] = [];
    if (!template.includes('%s'))
      found.push(finding('XI029', steps, `the template has no %s: gRPC requests "${template}" for every target`));
    const parts = /^xdstp:(?:\/\/([^/?#]*))?\/?([^/?#]*)/.exec(template);
    if (parts === null || !switches.federation) return found;
    const [, authority = '', type = ''] = parts;
    if (type !== LISTENER)
      found.push(
        finding('XI030', steps, `the template has the resource type "${type}"; a listener name requires "${LISTENER}"`),
      );
    if (!bootstrap.authorities.has(decodeURIComponentSafely(authority)))
      found.push(finding('XI031', steps, `the template has the authority "${authority}", which is not configured`));
    return found;
  });
};

/** XI032 to XI034: authorities that gRPC ignores, renames, or that repeat the default. */
export const authorities: LintRule = ({ root, bootstrap, switches }) => {
  if (!switches.federation && root.kind === 'object' && root.fields.has('authorities')) {
    return [finding('XI034', ['authorities'], 'GRPC_EXPERIMENTAL_XDS_FEDERATION is off: gRPC ignores authorities')];
  }
  return [...(bootstrap?.authorities ?? [])].flatMap(([name, authority]) => {
    const found: LintFinding[] = [];
    if (!/^[\w.~!$&'()*+,;=:[\]-]*$/.test(name))
      found.push(finding('XI032', ['authorities', name], `gRPC percent-encodes the name "${name}" in resource names`));
    const key = (servers: typeof authority.servers): string =>
      JSON.stringify(servers.map((s) => [s.uri, s.creds, [...s.features].sort()]));
    if (authority.servers.length > 0 && key(authority.servers) === key(bootstrap?.servers ?? [])) {
      const message = 'repeats the top-level servers, which are the default';
      found.push(finding('XI033', ['authorities', name, 'xds_servers'], message));
    }
    return found;
  });
};

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
