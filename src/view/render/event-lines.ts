import { formatMillis } from '../../base/duration.js';
import type { Event } from '../../core/event.js';
import type { FinishedChange } from '../../inspect/changes/finished-changes.js';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';
import type { PastVerdict } from '../../inspect/verdict-history.js';
import { timestamp } from '../../proto/timestamp.js';
import type { PlaneEvent } from '../../scenario/plane-io.js';
import { controlPlaneLine } from '../control-plane-line.js';
import type { Streams } from '../documents.js';
import { eventJson } from '../event-json.js';
import { eventLine, type Tone } from '../event-line.js';
import type { Page } from '../formats.js';
import { changeLine } from '../remote-changes.js';
import { verdictHead } from '../verdict-text.js';
import { visible } from '../visible-text.js';
import { jsonText } from './json.js';
import { LineRenderer } from './line-renderer.js';

export function eventJsonLines(_page: Page): (event: Event) => string {
  return (event) => jsonText(eventJson(event), true);
}

export function eventLines({ isColored, showsTimes }: Page): (event: Event) => string {
  const renderer = new LineRenderer(isColored, showsTimes);
  return (event) => renderer.render(eventLine(event));
}

const TONES: Record<VerdictWord, Tone> = {
  ok: 'good',
  partly: 'bad',
  fails: 'bad',
  waiting: 'plain',
  unknown: 'plain',
};

export function verdictLines({ isColored, showsTimes }: Page): (change: PastVerdict) => string {
  const renderer = new LineRenderer(isColored, showsTimes);
  return ({ at, target, verdict, cause }) => {
    const { word, tail } = verdictHead({ target, verdict, cause });
    return renderer.render({ at, who: visible(target), text: `${word}${tail}`, tone: TONES[verdict] });
  };
}

export function finishedChangeLines({ isColored, showsTimes }: Page): (change: FinishedChange) => string {
  const renderer = new LineRenderer(isColored, showsTimes);
  return ({ at, target, durationMs }) => {
    const text = `change complete ${formatMillis(durationMs)} after its first response`;
    return renderer.render({ at, who: visible(target), text, tone: 'good' });
  };
}

export function controlPlaneLines({ isColored }: Page): (event: PlaneEvent) => string {
  const renderer = new LineRenderer(isColored);
  return (event) => renderer.render(controlPlaneLine(event));
}

export function changeJsonLines(_page: Page): (item: Streams['changes']) => string {
  return ({ at, change: { scope, address, change, resource } }) =>
    jsonText({ at: timestamp(at), scope, kind: 'resource', address, change, ...resource }, true);
}

export function changeLines({ isColored }: Page): (item: Streams['changes']) => string {
  const renderer = new LineRenderer(isColored);
  return ({ at, change }) => renderer.render(changeLine(change, at));
}
