import type { StandingWord } from '../../inspect/fleet/standing.js';
import { timestamp } from '../../proto/timestamp.js';
import type { Streams } from '../documents.js';
import type { Line, Tone } from '../event-line.js';
import type { FleetChange } from '../fleet/fleet-changes.js';
import { nameOf } from '../fleet/fleet-summary.js';
import type { Page } from '../formats.js';
import { visibleShort } from '../visible-text.js';
import { rolloutText } from './fleet.js';
import { jsonText } from './json.js';
import { LineRenderer } from './line-renderer.js';
import { nackText } from './status-rows.js';

type Item = Streams['fleet-changes'];

export function fleetChangeJsonLines(_page: Page): (item: Item) => string {
  return ({ at, change }) => jsonText({ at: timestamp(at), ...change }, true);
}

/** Prints what people watch for: the summary, clients with problems, and versions that have arrived. */
export function fleetChangeLines({ isColored, showsTimes }: Page): (item: Item) => string {
  const renderer = new LineRenderer(isColored, showsTimes);
  return ({ at, change }) => {
    const line = lineOf(change, showsTimes);
    return line === undefined ? '' : renderer.render({ at, ...line });
  };
}

/** A version that spreads makes every client differ for a while; the summary and the rollout say it once. */
const QUIET: ReadonlySet<StandingWord> = new Set(['older', 'newer', 'different', 'waiting', 'agrees']);

function lineOf(change: FleetChange, showsTimes: boolean): Omit<Line, 'at'> | undefined {
  switch (change.kind) {
    case 'fleet':
      return { who: 'fleet', text: change.summary, tone: toneOf(change.counts) };
    case 'process': {
      const text = change.error === null ? 'can be read again' : `cannot be read: ${visibleShort(change.error)}`;
      return { who: visibleShort(change.address), text, tone: change.error === null ? 'good' : 'bad' };
    }
    case 'client': {
      if (change.change !== 'lost' && QUIET.has(change.state)) return undefined;
      const { address, scope, node } = change;
      const who = visibleShort(`${address} / ${scope || (node ?? '')}`);
      if (change.change === 'lost') return { who, text: 'is gone', tone: 'quiet' };
      return { who, text: problemsText(change.problems), tone: 'bad' };
    }
    case 'rollout':
      return change.isOver ? { who: 'fleet', text: rolloutText(change, showsTimes), tone: 'plain' } : undefined;
    case 'versions':
      return undefined;
  }
}

function problemsText(problems: Extract<FleetChange, { kind: 'client' }>['problems']): string {
  const [first] = problems.filter(({ kind }) => !QUIET.has(kind));
  if (first === undefined) return '';
  const message = first.message === null ? '' : `: ${visibleShort(nackText(first.message))}`;
  return `${first.type === null ? 'RPCs' : nameOf(first)}  ${first.status ?? 'fail'}${message}`;
}

function toneOf(counts: Extract<FleetChange, { kind: 'fleet' }>['counts']): Tone {
  const { rejected, error, missing, fails, agrees, ...rest } = counts;
  if ([rejected, error, missing, fails].some((count) => count !== undefined)) return 'bad';
  return agrees !== undefined && Object.keys(rest).length === 0 ? 'good' : 'plain';
}
