import type { ConnectivityState } from '../../core/input.js';
import type { VerdictWord } from '../../inspect/verdict/verdict.js';

/** The state that a span shows: of a target, of a tear, of a connection, of an ADS stream, or of a resource. */
export type SpanState = VerdictWord | 'tear' | 'held-back' | ConnectivityState | 'stream' | ResourceState | ServerState;

/**
 * `pending`: requested and not received; `cached`: a version is in use; `kept`: in use although an update failed; `missing`: gRPC
 * treats it as missing or failed.
 */
type ResourceState = 'pending' | 'cached' | 'kept' | 'missing';

/** `active`: serves the authority; `connected`: not active; `failed`: the client retries after a backoff. */
type ServerState = 'active' | 'connected' | 'failed';

/** A stretch of time with one state. */
export interface Span {
  from: number;
  to: number;
  /** The state lasts until the end of the timeline. */
  isOpen: boolean;
  state: SpanState;
  text: string;
}

export type MarkKind = 'nack' | 'error' | 'cleared' | 'fallback' | 'retry';

/** Something that happened at one moment. */
export interface Mark {
  at: number;
  kind: MarkKind;
  text: string;
}

export type TrackKind = 'target' | 'tears' | 'server' | 'stream' | 'resource';

/** One row of a timeline. Only the spans of `tears` may overlap. */
export interface Track {
  kind: TrackKind;
  scope: string;
  /** The target, the URI of the server, or the name of the resource. */
  name: string;
  /** The type of a resource, such as `CDS`. */
  type: string | undefined;
  spans: Span[];
  marks: Mark[];
}

/** Collects the spans of a track whose state changes over time. */
export class TrackBuilder {
  readonly track: Track;
  #open: Span | undefined;

  constructor(kind: TrackKind, scope: string, name: string, type?: string) {
    this.track = { kind, scope, name, type, spans: [], marks: [] };
  }

  /** Ends the current span, and begins the next one, unless it is the same. */
  begin(at: number, state: SpanState, text: string): void {
    if (this.#open?.state === state && this.#open.text === text) return;
    this.end(at);
    this.#open = { from: at, to: at, isOpen: true, state, text };
    this.track.spans.push(this.#open);
  }

  end(at: number): void {
    if (this.#open === undefined) return;
    this.#open.to = at;
    this.#open.isOpen = false;
    this.#open = undefined;
  }

  mark(at: number, kind: MarkKind, text: string): void {
    this.track.marks.push({ at, kind, text });
  }
}
