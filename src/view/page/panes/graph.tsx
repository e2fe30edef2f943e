import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { thousands } from '../../../base/count-text.js';
import { exampleCall } from '../../../inspect/expect/example-call.js';
import type { ColumnName, GraphNode } from '../../graph/graph.js';
import { isProblem } from '../../graph/graph.js';
import { type Layout, layoutGraph, type PlacedNode } from '../../graph/layout.js';
import { litNodes } from '../explained.js';
import { call, hoveredResource, isSameResource, selectResource, side, target } from '../store.js';
import { isPrinting } from '../theme.js';
import { useSize } from '../use-size.js';
import { neighbour } from './graph-keys.js';
import { graph, isSelected, openFolds, selectedNode } from './graph-model.js';
import { GraphNodeBox } from './graph-node.js';

/** Nodes and edges this far outside the visible part are also drawn. */
const MARGIN = 300;
const MOST_EDGES = 600;
/** The width of the graph on paper, and the height that is printed. */
const PRINTED = 1000;
const MOST_PRINTED = 3000;

/** The configuration that RPCs of the target use, as columns from the target to its endpoints. */
export function GraphPane(): JSX.Element {
  const [box, { width, height, top }] = useSize<HTMLDivElement>();
  const [focused, setFocused] = useState<string>('target');
  const shown = graph.value;
  const printing = isPrinting.value;
  const buttons = useRef(new Map<string, HTMLElement>());
  const layout = useMemo(
    () => shown && layoutGraph(shown, printing ? PRINTED : Math.max(width, 320)),
    [shown, width, printing],
  );
  if (shown === undefined || layout === undefined) return <p class="empty">No target at this time.</p>;
  const [from, to] = printing ? [0, MOST_PRINTED] : [top - MARGIN, top + Math.max(height, 400) + MARGIN];
  const visibleNodes = layout.nodes.filter((one) => one.y < to && one.y + one.height > from);
  const focusable = visibleNodes.some(({ node }) => node.id === focused) ? focused : visibleNodes[0]?.node.id;
  const move = (event: KeyboardEvent, placed: PlacedNode): void => {
    const next = neighbour(layout, placed, event.key);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setFocused(next.node.id);
    const element = box.current;
    if (element !== null) {
      const limits = [next.y + next.height + 40 - element.clientHeight, next.y - 10];
      element.scrollTop = Math.min(Math.max(element.scrollTop, limits[0] ?? 0), Math.max(0, limits[1] ?? 0));
    }
    requestAnimationFrame(() => requestAnimationFrame(() => buttons.current.get(next.node.id)?.focus()));
  };
  const count = (name: ColumnName): number => shown.columns.find((one) => one.name === name)?.count ?? 0;
  return (
    <div class="graph" ref={box}>
      <div class="graph-heads" style={{ width: `${layout.width}px` }}>
        {layout.columns.map(({ name, x, width: own }) => (
          <ColumnHead key={name} name={name} x={x} width={own} count={count(name)} isServer={shown.isServer} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the nodes are no fields of a form */}
      <div
        class="graph-body"
        role="group"
        aria-label="Configuration graph; arrow keys move between nodes"
        style={{ width: `${layout.width}px`, height: `${layout.height + 12}px` }}
      >
        <Edges layout={layout} from={from} to={to} />
        {visibleNodes.map((placed) => (
          <NodeOf
            key={placed.node.id}
            placed={placed}
            isFocusable={placed.node.id === focusable}
            onFocus={() => setFocused(placed.node.id)}
            onKey={(event) => move(event, placed)}
            buttons={buttons.current}
          />
        ))}
      </div>
      <Legend />
    </div>
  );
}

/** What the dots mean, if there are other endpoints than usable ones. */
function Legend(): JSX.Element | null {
  const shown = new Set(
    graph.value?.columns.at(-1)?.nodes.flatMap((node) => node.endpoints?.byHealth.map(([health]) => health) ?? []),
  );
  if (!shown.has('unhealthy') && !shown.has('draining')) return null;
  return (
    <p class="graph-legend">
      <span>
        <i class="dot ep-healthy" /> usable
      </span>
      {shown.has('draining') && (
        <span>
          <i class="dot ep-draining" /> DRAINING
        </span>
      )}
      {shown.has('unhealthy') && (
        <span>
          <i class="dot ep-unhealthy" /> not usable (UNHEALTHY)
        </span>
      )}
    </p>
  );
}

const TITLES: Record<ColumnName, string> = {
  target: 'Target',
  hosts: 'Virtual hosts',
  routes: 'Routes, worst first',
  clusters: 'Clusters',
  endpoints: 'Localities',
};
const NOTES: Partial<Record<ColumnName, string>> = { routes: 'match order', endpoints: 'endpoints usable' };

function ColumnHead(props: {
  name: ColumnName;
  x: number;
  width: number;
  count: number;
  isServer: boolean;
}): JSX.Element {
  const { name, x, width, count, isServer } = props;
  const title = isServer && name === 'hosts' ? 'Filter chains' : TITLES[name];
  const note = NOTES[name] ?? (count > 1 && name !== 'target' ? thousands(count) : '');
  return (
    <div class="graph-head" style={{ left: `${x}px`, width: `${width}px` }}>
      <span>{title}</span>
      <span class="graph-head-note">{note}</span>
    </div>
  );
}

function Edges({ layout, from, to }: { layout: Layout; from: number; to: number }): JSX.Element {
  const lit = litNodes.value;
  const isLit = (edge: { from: string; to: string }): boolean => lit.has(edge.from) && lit.has(edge.to);
  const near = layout.edges.filter(({ top, bottom }) => top < to && bottom > from);
  // Lit edges are drawn over the others.
  const drawn = [...near.filter((edge) => !isLit(edge)).slice(0, MOST_EDGES), ...near.filter(isLit)];
  return (
    <svg class="graph-edges" width={layout.width} height={layout.height + 12} aria-hidden="true">
      {drawn.map((edge) => (
        <path key={`${edge.from}\n${edge.to}`} d={edge.path} class={isLit(edge) ? 'edge is-lit' : 'edge'} />
      ))}
      {drawn
        .filter(({ label }) => label !== '')
        .map(({ from: start, to: end, label, x, y }) => (
          <text key={`${start}\n${end}`} x={x} y={y - 4} text-anchor="end">
            {label}
          </text>
        ))}
    </svg>
  );
}

interface NodeOfProps {
  placed: PlacedNode;
  isFocusable: boolean;
  onFocus: () => void;
  onKey: (event: KeyboardEvent) => void;
  buttons: Map<string, HTMLElement>;
}

function NodeOf({ placed, isFocusable, onFocus, onKey, buttons }: NodeOfProps): JSX.Element {
  const { node } = placed;
  const lit = litNodes.value;
  const path = lit.size === 0 ? 'none' : lit.has(node.id) ? 'lit' : isProblem(node.state) ? 'none' : 'off';
  return (
    <GraphNodeBox
      placed={placed}
      path={path}
      isSelected={isSelected(node)}
      isHovered={node.kind !== 'route' && isSameResource(node.resource ?? undefined, hoveredResource.value)}
      isFocusable={isFocusable}
      onSelect={() => select(node)}
      onHover={(isOver) => {
        hoveredResource.value = isOver ? (node.resource ?? undefined) : undefined;
      }}
      onFocus={onFocus}
      onKey={onKey}
      buttonRef={(element) => {
        if (element === null) buttons.delete(node.id);
        else buttons.set(node.id, element);
      }}
    />
  );
}

/** Selects the resource of a node; a fold opens or closes; a route also fills in an RPC that matches it. */
function select(node: GraphNode): void {
  if (node.kind === 'fold') {
    toggleFold(node.id);
    return;
  }
  // A virtual host with many domains lists them all.
  if (node.domains !== undefined && (openFolds.value.has(node.id) || (node.listedDomains ?? 0) < node.domains.length))
    toggleFold(node.id);
  selectedNode.value = node.id;
  if (node.kind === 'route') fillIn(node);
  if (node.resource !== null) selectResource(node.resource, node.kind === 'route' ? undefined : 'resource');
}

function toggleFold(id: string): void {
  const open = new Set(openFolds.value);
  if (!open.delete(id)) open.add(id);
  openFolds.value = open;
}

function fillIn({ index }: GraphNode): void {
  const state = target.value?.channel.state;
  if (state?.kind !== 'published') return;
  const { routes } = state.config.virtualHost;
  const route = routes.find(({ displayOnly }) => displayOnly.index === index);
  const example = route && exampleCall(routes, route);
  if (example === undefined) return;
  call.value = { ...call.value, method: example.path, headers: example.metadata };
  side.value = 'rpc';
}
