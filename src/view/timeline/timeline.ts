import { getOrAdd } from '../../base/get-or-add.js';
import { type Status, statusName } from '../../base/status.js';
import type { ErrorEvent, Event, ResourceEvent, StreamEvent, TearEvent } from '../../core/event.js';
import type { PastVerdict } from '../../inspect/verdict-history.js';
import { RESOURCE_TYPES, shortType } from '../../proto/resource-types.js';
import { eventLine } from '../event-line.js';
import { verdictHead } from '../verdict-text.js';
import { SubscribedNames } from './subscribed-names.js';
import { type Track, TrackBuilder, type TrackKind } from './track.js';

/** A session as tracks over time, for pictures. */
export interface Timeline {
  start: number;
  end: number;
  /** By scope; in it targets, tears, servers and their streams, and resources by type and name. */
  tracks: Track[];
}

const ORDER: readonly TrackKind[] = ['target', 'tears', 'server', 'stream', 'resource'];

/** Builds a timeline from the event log. */
export class TimelineBuilder {
  readonly #tracks = new Map<string, TrackBuilder>();
  readonly #scopes = new Map<string, SubscribedNames>();
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  observe(event: Event): void {
    switch (event.kind) {
      case 'channel': {
        const text = event.reason === '' ? event.state : `${event.state}: ${event.reason}`;
        this.#track('server', event.scope, event.server).begin(event.at, event.state, text);
        break;
      }
      case 'stream':
        this.#stream(event);
        break;
      case 'request': {
        const { at, scope, server, typeUrl, names } = event;
        this.#unsubscribe(at, scope, typeUrl, this.#names(scope).request(server, typeUrl, names));
        break;
      }
      case 'timer':
        // A timer that expires is followed by an error.
        if (event.change !== 'started') break;
        // R2.2: timers start only for resources that are not cached.
        for (const name of event.names)
          this.#resourceTrack({ ...event, name }).begin(event.at, 'pending', 'requested, not received yet');
        break;
      case 'resource':
        this.#resource(event);
        break;
      case 'error':
        this.#error(event);
        break;
      case 'fallback': {
        const { text } = eventLine(event);
        for (const server of [event.from, event.server])
          this.#track('server', event.scope, server).mark(event.at, 'fallback', text);
        break;
      }
      case 'tear':
        this.#tear(event);
        break;
    }
  }

  /** The timeline up to `end`. Verdicts are computed by the caller, because they need the cache at their time. */
  finish(end: number, verdicts: readonly PastVerdict[] = []): Timeline {
    for (const { scope, target, verdict, cause, at } of verdicts) {
      const { word, tail } = verdictHead({ target, verdict, cause });
      this.#track('target', scope, target).begin(at, verdict, `${word}${tail}`);
    }
    const tracks = [...this.#tracks.values()].map(({ track }) => track).sort(byPosition);
    for (const { spans } of tracks) for (const span of spans) if (span.isOpen) span.to = end;
    return { start: this.#start, end, tracks };
  }

  #track(kind: TrackKind, scope: string, name: string, type?: string): TrackBuilder {
    const key = JSON.stringify([kind, scope, type, name]);
    return getOrAdd(this.#tracks, key, () => new TrackBuilder(kind, scope, name, type));
  }

  #resourceTrack({ scope, typeUrl, name }: { scope: string; typeUrl: string; name: string }): TrackBuilder {
    return this.#track('resource', scope, name, shortType(typeUrl));
  }

  #names(scope: string): SubscribedNames {
    return getOrAdd(this.#scopes, scope, () => new SubscribedNames());
  }

  #stream({ at, scope, server, change, stream, status }: StreamEvent): void {
    const track = this.#track('stream', scope, server);
    if (change === 'opened') track.begin(at, 'stream', `ADS stream ${stream}`);
    else track.end(at);
    if (change === 'ended') track.mark(at, 'error', `ended: ${statusText(status)}`);
    // The client cancels a stream that has no subscriptions left.
    const dropped = change === 'cancelled' ? this.#names(scope).leave(server) : [];
    for (const { typeUrl, names } of dropped) this.#unsubscribe(at, scope, typeUrl, names);
  }

  #unsubscribe(at: number, scope: string, typeUrl: string, names: readonly string[]): void {
    for (const name of names) this.#resourceTrack({ scope, typeUrl, name }).end(at);
  }

  #resource(event: ResourceEvent): void {
    const { at, change, version } = event;
    const track = this.#resourceTrack(event);
    if (change === 'cleared') return void track.mark(at, 'cleared', 'error cleared');
    // Contents may change under the same version.
    track.end(at);
    track.begin(at, 'cached', version === '' ? 'no version' : `version ${version}`);
  }

  #error(event: ErrorEvent): void {
    const { at, cause, effect, status } = event;
    const track = this.#resourceTrack(event);
    track.mark(at, cause === 'nack' ? 'nack' : 'error', `${cause}: ${statusText(status)}`);
    if (effect !== 'kept') track.begin(at, 'missing', `${cause}: ${statusText(status)}`);
  }

  #tear({ scope, target, change, tear, begin, end, at, resources }: TearEvent): void {
    const { spans } = this.#track('tears', scope, target).track;
    const names = resources.map(({ type, name }) => `${type} ${name}`).join(', ');
    const text = [tear ?? 'held back', names].filter((part) => part !== '').join(': ');
    const state = tear === undefined ? 'held-back' : 'tear';
    const open =
      change === 'closed' ? spans.find((one) => one.isOpen && one.from === begin && one.text === text) : undefined;
    if (open !== undefined) Object.assign(open, { to: end ?? at, isOpen: false });
    else spans.push({ from: begin, to: end ?? at, isOpen: change === 'opened', state, text });
  }
}

function statusText(status: Status | undefined): string {
  return status === undefined ? '' : `${statusName(status.code)} ${status.message}`.trim();
}

function byPosition(a: Track, b: Track): number {
  return (
    compare(a.scope, b.scope) ||
    ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
    TYPES.indexOf(a.type ?? '') - TYPES.indexOf(b.type ?? '') ||
    compare(a.name, b.name)
  );
}

const TYPES: readonly string[] = Object.keys(RESOURCE_TYPES);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
