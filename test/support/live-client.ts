import type { Event } from '../../src/core/event.js';
import { Engine } from '../../src/engine/engine.js';
import type { Clock } from '../../src/engine/ports.js';
import { Session } from '../../src/engine/session.js';
import { GrpcTransport } from '../../src/io/grpc-transport.js';
import { systemClock } from '../../src/io/system-clock.js';
import { RESOURCE_TYPES } from '../../src/proto/resource-types.js';
import { noDns } from './simulate.js';
import { until } from './until.js';

type ServerOptions = ConstructorParameters<typeof Engine>[0]['servers'][number];

export interface LiveOptions {
  creds?: ServerOptions['creds'];
  /** The speed of the client's own timers relative to real time; those of grpc-js do not change. */
  speed?: number;
  transport?: GrpcTransport;
}

/** The system clock with shorter seconds. */
function fastClock(speed: number): Clock {
  const start = systemClock.now();
  return {
    now: () => start + (systemClock.now() - start) * speed,
    wakeAt: (at, wake) => systemClock.wakeAt(start + (at - start) / speed, wake),
  };
}

/** A complete client on real sockets, with its events and the updates of its watchers. */
export class LiveClient {
  readonly events: Event[] = [];
  /** The updates of watchers: `name METHOD text`, in order. */
  readonly told: string[] = [];
  readonly engine: Engine;
  readonly session: Session;
  readonly uri: string;

  constructor(uri: string, { creds = { type: 'insecure' }, speed = 20, transport = new GrpcTransport() }: LiveOptions) {
    this.uri = uri;
    this.engine = new Engine({
      servers: [{ uri, creds, callCreds: [] }],
      node: { id: '', userAgentName: 'test', userAgentVersion: '0' },
      seed: 1,
    });
    this.session = new Session(this.engine, {
      clock: fastClock(speed),
      transport,
      dns: noDns,
      log: { append: (event) => this.events.push(event) },
    });
  }

  /** Watches clusters. */
  watch(...names: string[]): void {
    for (const name of names) {
      this.session.watch('test', RESOURCE_TYPES.CDS, name, {
        onResourceChanged: (update) => {
          this.told.push(
            `${name} OnResourceChanged ${'error' in update ? update.error?.message : update.resource?.type}`,
          );
          return undefined;
        },
        onAmbientError: (error) => {
          this.told.push(`${name} OnAmbientError ${error?.message ?? 'over'}`);
          return undefined;
        },
      });
    }
  }

  of<K extends Event['kind']>(kind: K): Extract<Event, { kind: K }>[] {
    return this.events.filter((event): event is Extract<Event, { kind: K }> => event.kind === kind);
  }

  /** `name STATUS version` of all watched resources. */
  get entries(): string[] {
    return this.engine
      .snapshot()
      .flatMap(({ entries }) => entries.map(({ name, status, version }) => `${name} ${status} ${version}`.trim()));
  }

  /** How many resource timers have started. */
  get timersStarted(): number {
    return this.of('timer').filter(({ change }) => change === 'started').length;
  }

  /** Waits for a watcher update that matches, and returns it. */
  async hears(pattern: RegExp): Promise<string> {
    await until(() => this.told.some((text) => pattern.test(text)), `${pattern} in ${JSON.stringify(this.told)}`).catch(
      (error: Error) => Promise.reject(new Error(`${error.message}; events: ${JSON.stringify(this.events, null, 1)}`)),
    );
    return this.told.find((text) => pattern.test(text)) as string;
  }

  close(): void {
    this.session.close();
  }
}
