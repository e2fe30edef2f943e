import type { ConfigView } from '../config.js';
import type { ConfigDocument } from '../documents.js';
import { visibleShort } from '../visible-text.js';

interface Node {
  id: string;
  label: string;
  isBad: boolean;
}

interface Edge {
  from: string;
  to: string;
  label: string;
}

/** The resources of a configuration as nodes, and their references as edges. */
function graphOf(view: ConfigView): { nodes: Node[]; edges: Edge[] } {
  const nodes = new Map<string, Node>();
  const edges: Edge[] = [];
  const add = (key: string, label: string, isBad = false): string => {
    const known = nodes.get(key);
    if (known !== undefined) return known.id;
    const node = { id: `n${nodes.size}`, label: visibleShort(label), isBad };
    nodes.set(key, node);
    return node.id;
  };
  const link = (from: string, to: string, label = ''): void => {
    edges.push({ from, to, label: visibleShort(label) });
  };
  const root = add('target', view.target, view.config === 'error');
  if (view.listener === null || view.virtualHost === null) return { nodes: [...nodes.values()], edges };
  const listener = add('LDS', `listener ${view.listener.name}`);
  link(root, listener);
  const routes = view.routeConfig === null ? listener : add('RDS', `routes ${view.routeConfig.name}`);
  if (routes !== listener) link(listener, routes);
  for (const { name, error, leaves, endpoints } of view.clusters) {
    const cluster = add(`CDS ${name}`, `cluster ${name}`, error !== null);
    for (const leaf of leaves ?? []) link(cluster, add(`CDS ${leaf}`, `cluster ${leaf}`));
    if (endpoints === null) continue;
    const all = endpoints.priorities?.flat().flatMap((locality) => locality.endpoints) ?? [];
    const label = `endpoints ${endpoints.name}: ${all.length}`;
    link(cluster, add(`EDS ${endpoints.name}`, label, endpoints.priorities === null || all.length === 0));
  }
  for (const { match, clusters, action } of view.virtualHost.routes) {
    if (clusters.length === 0) link(routes, add(`action ${action}`, action, true), match);
    for (const { name } of clusters) link(routes, add(`CDS ${name}`, `cluster ${name}`), match);
  }
  return { nodes: [...nodes.values()], edges };
}

/** For Graphviz. */
export function configDots({ configs }: ConfigDocument): string {
  return configs.map(configDot).join('');
}

function configDot(view: ConfigView): string {
  const { nodes, edges } = graphOf(view);
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  return `${[
    'digraph xds {',
    '  rankdir=LR;',
    ...nodes.map(({ id, label, isBad }) => `  ${id} [shape=box,label=${quoted(label)}${isBad ? ',color=red' : ''}];`),
    ...edges.map(({ from, to, label }) => `  ${from} -> ${to}${label === '' ? '' : ` [label=${quoted(label)}]`};`),
    '}',
  ].join('\n')}\n`;
}

/** For Mermaid, as GitHub draws it. */
export function configMermaids({ configs }: ConfigDocument): string {
  return configs.map(configMermaid).join('');
}

function configMermaid(view: ConfigView): string {
  const { nodes, edges } = graphOf(view);
  // A backquote starts Markdown, %%{ a directive, \\n a new line.
  const quoted = (text: string): string => `"${text.replace(/["#;<>&`%{}\\]/g, (c) => `#${c.codePointAt(0)};`)}"`;
  return `${[
    'graph LR',
    ...nodes.map(({ id, label, isBad }) => `  ${id}[${quoted(label)}]${isBad ? ':::bad' : ''}`),
    ...edges.map(({ from, to, label }) => `  ${from} -->${label === '' ? '' : `|${quoted(label)}|`} ${to}`),
    ...(nodes.some(({ isBad }) => isBad) ? ['  classDef bad stroke:#c00'] : []),
  ].join('\n')}\n`;
}
