import { firstFew } from '../../base/count-text.js';
import { formatMillis } from '../../base/duration.js';
import type { ClusterView, ConfigView, RouteView } from '../config.js';
import type { ConfigDocument } from '../documents.js';
import type { Page } from '../formats.js';
import { visible, visibleName, visibleShort } from '../visible-text.js';
import { findingsText } from './findings.js';
import type { Paint } from './paint.js';
import { channelLines } from './verdict-lines.js';
import { fitLines } from './wrap.js';

/** Longer lists are cut. */
const MAX_ITEMS = 20;

interface Branch {
  text: string;
  below?: Branch[];
}

type TreePage = Page & { isWide: boolean };

/** A configuration from listener to endpoints, as a tree. */
function configTree(view: ConfigView, page: TreePage): string {
  const { paint } = page;
  const age = formatMillis(Math.max(0, page.ageOf(view.since)));
  const head = channelLines(visible(view.target), view, paint);
  if (view.listener === null || view.virtualHost === null) return `${head.join('\n')}\n`;
  head.push(
    paint.dim(`  ${view.pending ? 'the previous configuration' : 'this configuration'} has been in use for ${age}`),
  );
  const from = (one: BranchOrigin): string => sourceText(one, page);
  const routes = view.virtualHost.routes.map((route) => ({ text: routeText(route, paint) }));
  const host = `virtual host ${visibleShort(view.virtualHost.name) || '(no name)'} for ${namesText(view.virtualHost.domains)}`;
  const vhost: Branch = { text: host, below: cut(routes, 'routes') };
  const routed: Branch =
    view.routeConfig === null
      ? { text: 'routes in the listener', below: [vhost] }
      : { text: `routes ${visibleShort(view.routeConfig.name)}${from(view.routeConfig)}`, below: [vhost] };
  const listener: Branch = {
    text: `listener ${visibleShort(view.listener.name)}${from(view.listener)}`,
    below: [routed],
  };
  const clusters = view.clusters.map((cluster) => clusterBranch(cluster, page));
  const tree = [
    listener,
    {
      text: `${view.clusters.length} cluster${view.clusters.length === 1 ? '' : 's'}`,
      below: cut(clusters, 'clusters'),
    },
  ];
  return `${[...head, ...lines(tree)].join('\n')}\n`;
}

type BranchOrigin = { version: string | null; server: string | null };

function sourceText({ version, server }: BranchOrigin, { isWide, paint }: TreePage): string {
  if (!isWide || version === null) return '';
  return paint.dim(`   version ${visibleShort(version)} from ${visibleShort(server ?? '')}`);
}

function routeText({ match, action, clusters }: RouteView, paint: Paint): string {
  if (clusters.length === 0) return `${visibleShort(match)} → ${paint.warning(visibleShort(action))}`;
  const sum = clusters.reduce((total, { weight }) => total + (weight ?? 0), 0);
  const targets = clusters.map(({ name, weight }) =>
    weight === null ? visibleShort(name) : `${visibleShort(name)} ${share(weight, sum)}`,
  );
  return `${visibleShort(match)} → ${listText(targets)}`;
}

function share(weight: number, sum: number): string {
  return `${Math.round((1000 * weight) / sum) / 10} %`;
}

function clusterBranch(cluster: ClusterView, page: TreePage): Branch {
  const { paint } = page;
  const held = cluster.heldBy === 0 ? '' : ` · held by ${cluster.heldBy} RPC${cluster.heldBy === 1 ? '' : 's'}`;
  const name = `${visibleShort(cluster.name)}${sourceText(cluster, page)}`;
  if (cluster.error !== null) return { text: `${name}   ${paint.error(visibleShort(cluster.error))}${held}` };
  const detail = `${name}   ${visibleShort(cluster.detail)}${held}`;
  if (cluster.leaves !== null) {
    const note = cluster.resolutionNote === '' ? '' : `   ${paint.warning(visibleShort(cluster.resolutionNote))}`;
    return { text: `${detail} · used in this order: ${namesText(cluster.leaves)}${note}` };
  }
  return { text: detail, below: endpointBranches(cluster, page) };
}

function endpointBranches({ endpoints, resolutionNote }: ClusterView, page: TreePage): Branch[] {
  if (endpoints === null) return [];
  const where = `endpoints ${visibleShort(endpoints.name)}${sourceText(endpoints, page)}`;
  if (endpoints.priorities === null) return [{ text: `${where}   ${page.paint.error(visibleShort(resolutionNote))}` }];
  const localities = endpoints.priorities.flatMap((list, priority) =>
    list.map(({ region, zone, subZone, weight, endpoints: all }) => ({
      text: `priority ${priority}, ${[region, zone, subZone].map(visibleShort).join('/')}, weight ${weight}`,
      below: cut(
        all.map(({ addresses, health, weight: own }) => ({
          text: `${addresses.join(' ')} ${health === 'draining' ? page.paint.warning(health) : health}${own === 1 ? '' : `, weight ${own}`}`,
        })),
        'endpoints',
      ),
    })),
  );
  return [{ text: where, below: cut(localities, 'localities') }];
}

function namesText(names: readonly string[]): string {
  return listText(names.map(visibleName));
}

function listText(texts: readonly string[]): string {
  return firstFew(texts, MAX_ITEMS, String, (more) => `, … ${more} more`);
}

function cut(list: Branch[], what: string): Branch[] {
  if (list.length <= MAX_ITEMS) return list;
  return [...list.slice(0, MAX_ITEMS), { text: `… ${list.length - MAX_ITEMS} more ${what}` }];
}

function lines(branches: readonly Branch[], indent = ''): string[] {
  return branches.flatMap(({ text, below = [] }, i) => {
    const isLast = i === branches.length - 1;
    return [`${indent}${isLast ? '└' : '├'} ${text}`, ...lines(below, `${indent}${isLast ? '  ' : '│ '}`)];
  });
}

export function configTrees(document: ConfigDocument, page: Page): string {
  return treesText(document, { ...page, isWide: false });
}

/** Nothing is cut. */
export function configTreesWide(document: ConfigDocument, page: Page): string {
  return treesText(document, { ...page, width: undefined, isWide: true });
}

function treesText({ configs, findings }: ConfigDocument, page: TreePage): string {
  const trees = configs.map((view) => configTree(view, page)).join('\n');
  return `${fitLines(trees, page.width)}${findingsText(findings, page)}`;
}
