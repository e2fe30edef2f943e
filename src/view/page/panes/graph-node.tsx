import type { JSX } from 'preact';
import { thousands } from '../../../base/count-text.js';
import type { EndpointCounts, EndpointHealth, GraphNode, NodeState } from '../../graph/graph.js';
import type { PlacedNode } from '../../graph/layout.js';
import { visibleName } from '../../visible-text.js';
import { Icon, type IconKind } from '../icons.js';
import { shortName } from '../text.js';

/** The shape and the word of each state. */
const STATE_ICONS: Record<NodeState, { kind: IconKind; label: string }> = {
  fails: { kind: 'error', label: 'fails' },
  partly: { kind: 'partly', label: 'partly works' },
  waiting: { kind: 'waiting', label: 'waiting' },
  'kept-old': { kind: 'nack', label: 'old version kept' },
  ok: { kind: 'ok', label: 'OK' },
  unused: { kind: 'none', label: 'not used' },
  absent: { kind: 'waiting', label: 'not at this time' },
};

/** The width of a character of a title, in pixels. */
const CHARACTER = 7.25;

interface NodeProps {
  placed: PlacedNode;
  /** On the path of the RPC, off it, or there is no RPC. */
  path: 'lit' | 'off' | 'none';
  isSelected: boolean;
  isHovered: boolean;
  isFocusable: boolean;
  onSelect: () => void;
  onHover: (isOver: boolean) => void;
  onFocus: () => void;
  onKey: (event: KeyboardEvent) => void;
  buttonRef: (element: HTMLElement | null) => void;
}

/** A node of the graph: a button that selects its resource. */
export function GraphNodeBox(props: NodeProps): JSX.Element {
  const { placed, path, isSelected, isHovered, isFocusable, onSelect, onHover } = props;
  const { node, x, y, width, height } = placed;
  const classes = ['gnode', `is-${node.state}`, `kind-${node.kind.replace(/ /g, '-')}`, `path-${path}`];
  if (node.isMissing) classes.push('is-missing');
  if (isSelected) classes.push('is-selected');
  if (isHovered) classes.push('is-hovered');
  return (
    <button
      type="button"
      ref={props.buttonRef}
      class={classes.join(' ')}
      style={{ transform: `translate(${x}px, ${y}px)`, width: `${width}px`, height: `${height}px` }}
      tabIndex={isFocusable ? 0 : -1}
      aria-pressed={node.kind === 'fold' ? undefined : isSelected}
      aria-expanded={node.kind === 'fold' ? node.count === 0 : undefined}
      title={`${node.kind === 'fold' ? '' : `${node.kind}: `}${visibleName(node.title)}${node.subtitle === '' ? '' : `\n${visibleName(node.subtitle)}`}`}
      onClick={onSelect}
      onMouseEnter={() => onHover(true)}
      onMouseLeave={() => onHover(false)}
      onFocus={props.onFocus}
      onKeyDown={props.onKey}
    >
      {contentOf(node, width)}
    </button>
  );
}

function contentOf(node: GraphNode, width: number): JSX.Element {
  if (node.kind === 'fold') return <FoldContent node={node} />;
  if (node.kind === 'locality') return <LocalityContent node={node} width={width} />;
  if (node.kind === 'no endpoints')
    return (
      <span class="gnode-text">
        {shortName(node.title, 40)}
        {node.subtitle === '' ? '' : `: ${shortName(node.subtitle, 60)}`}
      </span>
    );
  const most = Math.floor((width - 42) / CHARACTER);
  return (
    <>
      <Icon {...STATE_ICONS[node.state]} />
      <span class="gnode-title">{shortName(node.title, most)}</span>
      <span class="gnode-sub">
        <span class="gnode-subtitle">{shortName(node.subtitle, 80)}</span>
        {node.note !== '' && <span class="gnode-note">{shortName(node.note, 20)}</span>}
      </span>
      {node.domains !== undefined && <Domains domains={node.domains} listed={node.listedDomains ?? 0} most={most} />}
    </>
  );
}

/** The domain that matches comes first. */
function Domains(props: { domains: NonNullable<GraphNode['domains']>; listed: number; most: number }): JSX.Element {
  const { domains, listed, most } = props;
  const sorted = [...domains].sort((a, b) => Number(b.isMatch) - Number(a.isMatch));
  const more = sorted.length - listed;
  return (
    <span class="gnode-domains">
      {sorted.slice(0, listed).map(({ name, isMatch }) => (
        <span key={name} class={isMatch ? 'is-match' : ''}>
          {shortName(name, most)}
        </span>
      ))}
      {more > 0 && <span class="gnode-more">▸ {thousands(more)} more</span>}
    </span>
  );
}

function FoldContent({ node: { title, subtitle, count } }: { node: GraphNode }): JSX.Element {
  return (
    <span class="gnode-text">
      <span aria-hidden="true">{count === 0 ? '▾ ' : '▸ '}</span>
      {title}
      {subtitle !== '' && `, ${subtitle}`}
    </span>
  );
}

const DOTS = 12;

function LocalityContent({ node, width }: { node: GraphNode; width: number }): JSX.Element {
  const { title, note, subtitle, endpoints } = node;
  const most = Math.max(
    8,
    Math.floor((width - (70 + (note === '' ? 0 : 36) + 10 * Math.min(9, endpoints?.total ?? 0))) / 6.6),
  );
  return (
    <>
      <span class="gnode-title">{shortName(title, most)}</span>
      <span class="gnode-note">
        {[note, subtitle.replace('priority ', 'P')].filter((text) => text !== '').join(' ')}
      </span>
      {endpoints !== undefined && <Endpoints counts={endpoints} />}
    </>
  );
}

const HEALTH_TEXTS: Record<EndpointHealth, string> = {
  healthy: 'HEALTHY',
  unknown: 'UNKNOWN',
  draining: 'DRAINING',
  unhealthy: 'not usable',
};

/** A dot per endpoint, or a bar with the share of each health if there are many. */
function Endpoints({ counts }: { counts: EndpointCounts }): JSX.Element {
  const { total, usable, byHealth } = counts;
  const words = byHealth.map(([health, count]) => `${thousands(count)} ${HEALTH_TEXTS[health]}`).join(', ');
  return (
    <>
      <span class={total > DOTS ? 'gnode-bar' : 'gnode-dots'} role="img" aria-label={words} title={words}>
        {total > DOTS
          ? byHealth.map(([health, count]) => <i key={health} class={`ep-${health}`} style={{ flexGrow: count }} />)
          : byHealth.flatMap(([health, count]) =>
              [...Array(count).keys()].map((i) => <i key={`${health}${i}`} class={`dot ep-${health}`} />),
            )}
      </span>
      <span class="gnode-count">
        {thousands(usable)} of {thousands(total)}
      </span>
    </>
  );
}
