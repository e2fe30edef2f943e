import type { JsonNode } from '../../base/json/node.js';
import type { PathStep } from '../../base/problem.js';
import { finding, type LintFinding, type LintRule } from './finding.js';
import { objectIn } from './walk.js';

const LISTENER = 'envoy.config.listener.v3.Listener';

/** XI026: a node without an id. */
export const nodeId: LintRule = ({ bootstrap }) => {
  if (bootstrap === undefined || (bootstrap.node?.id ?? '') !== '') return [];
  const steps = bootstrap.node === undefined ? [] : ['node'];
  const message = 'the node has no id: control planes tell their clients apart by it, and errors cannot name it';
  return [finding('XI026', steps, message)];
};

/** XI028: numbers that lose digits on their way through a double. */
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

/** XI029 to XI031: templates that make names no server can have meant. */
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
      found.push(finding('XI029', steps, `the template has no %s: every target leads to "${template}"`));
    const parts = /^xdstp:(?:\/\/([^/?#]*))?\/?([^/?#]*)/.exec(template);
    if (parts === null || !switches.federation) return found;
    const [, authority = '', type = ''] = parts;
    if (type !== LISTENER)
      found.push(
        finding('XI030', steps, `the template names the type "${type}"; a listener's name has "${LISTENER}" there`),
      );
    if (!bootstrap.authorities.has(decodeURIComponentSafely(authority)))
      found.push(finding('XI031', steps, `the template names authority "${authority}", which is not configured`));
    return found;
  });
};

/** XI032 to XI034: authorities whose names or servers are not what they seem. */
export const authorities: LintRule = ({ root, bootstrap, switches }) => {
  if (!switches.federation && root.kind === 'object' && root.fields.has('authorities')) {
    return [finding('XI034', ['authorities'], 'GRPC_EXPERIMENTAL_XDS_FEDERATION is off: gRPC ignores authorities')];
  }
  return [...(bootstrap?.authorities ?? [])].flatMap(([name, authority]) => {
    const found: LintFinding[] = [];
    if (!/^[\w.~!$&'()*+,;=:[\]-]*$/.test(name))
      found.push(finding('XI032', ['authorities', name], `the name "${name}" is percent-encoded in resource names`));
    const key = (servers: typeof authority.servers): string =>
      JSON.stringify(servers.map((s) => [s.uri, s.creds, [...s.features].sort()]));
    if (authority.servers.length > 0 && key(authority.servers) === key(bootstrap?.servers ?? [])) {
      const message = 'the same servers as at the top level, which apply anyway';
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
