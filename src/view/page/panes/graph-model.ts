import { computed, signal } from '@preact/signals';
import type { SessionHistory } from '../../../inspect/history/session-history.js';
import type { TargetResult } from '../../../inspect/inspection-result.js';
import { foldGraph, type Graph } from '../../graph/fold.js';
import type { FullGraph, GraphNode } from '../../graph/graph.js';
import { GraphMemory } from '../../graph/memory.js';
import { targetGraph } from '../../graph/target-graph.js';
import { litNodes } from '../explained.js';
import { history, isSameResource, revision, selectedResource, target } from '../store.js';

/** The folds that the user has opened. */
export const openFolds = signal<ReadonlySet<string>>(new Set());
/** The node that the user has selected. Several nodes can belong to one resource. */
export const selectedNode = signal<string | undefined>(undefined);

const fullGraph = computed<FullGraph | undefined>(() => target.value && targetGraph(target.value));

/** Configurations of the session that decide the places of nodes. */
const MOST_TIMES = 30;

let known: { history: SessionHistory; key: string; memory: GraphMemory } | undefined;

/** The graphs of the target at other times: after each change of its configuration, the newest first. */
function memoryOf(past: SessionHistory, shown: TargetResult): GraphMemory {
  const { scope, channel } = shown;
  const times: number[] = [];
  for (let i = past.events.length - 1; i >= 0 && times.length < MOST_TIMES; i--) {
    const event = past.events[i]?.event;
    if (event?.kind === 'config' && event.scope === scope.scope && event.target === channel.target)
      times.push(event.at);
  }
  const key = [scope.scope, channel.target, times.length, times[0]].join('\n');
  if (known?.history === past && known.key === key) return known.memory;
  const memory = new GraphMemory();
  for (const time of times) {
    if (memory.isFull) break;
    const then = past
      .at(time)
      .targets.find((one) => one.scope.scope === scope.scope && one.channel.target === channel.target);
    if (then !== undefined) memory.add(targetGraph(then));
  }
  known = { history: past, key, memory };
  return memory;
}

export const graph = computed<Graph | undefined>(() => {
  revision.value;
  const [full, shown, past] = [fullGraph.value, target.value, history.value];
  if (full === undefined || shown === undefined) return undefined;
  const pinned = new Set(litNodes.value);
  for (const one of full.nodes) if (isSelected(one)) pinned.add(one.id);
  const memory = past === undefined ? undefined : memoryOf(past, shown);
  return foldGraph(full, { open: openFolds.value, pinned, ...(memory !== undefined && { memory }) });
});

/** Whether a node is selected: itself, or through its resource if it stands for the whole resource. */
export function isSelected({ id, kind, resource }: GraphNode): boolean {
  const isOfResource = isSameResource(resource ?? undefined, selectedResource.value);
  if (selectedNode.value === id && (resource === null || isOfResource)) return true;
  const isPart = kind === 'route' || kind === 'virtual host' || kind === 'filter chain';
  return !isPart && isOfResource;
}
