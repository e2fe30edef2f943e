import type { FleetGroupView } from './fleet-document.js';

type Client = FleetGroupView['clients'][number];

/** Short names of clients. The clients of a control plane share its address, so their node ids name them. */
export function fleetLabels(groups: readonly Pick<FleetGroupView, 'clients'>[]): {
  of(group: Pick<FleetGroupView, 'clients'>): string[];
} {
  const clientsAt = new Map<string, number>();
  for (const { clients } of groups) {
    for (const { address, clientScope } of clients) {
      if (clientScope === '') clientsAt.set(address, (clientsAt.get(address) ?? 0) + 1);
    }
  }
  const isPlane = (address: string): boolean => address.startsWith('istio:') || (clientsAt.get(address) ?? 0) > 1;
  const planes = new Set([...clientsAt.keys()].filter(isPlane));
  return { of: ({ clients }) => clients.map((client) => label(client, planes)) };
}

function label({ address, name, node, clientScope }: Client, planes: ReadonlySet<string>): string {
  if (clientScope === '' && planes.has(address)) return planes.size > 1 ? `${node} (${address})` : (node ?? address);
  return name === undefined ? address : `${address} (${name})`;
}
