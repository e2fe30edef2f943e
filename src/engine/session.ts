import type { Slices } from '../base/slices.js';
import type { Effect, Notification } from '../core/effect.js';
import type { ChannelId, Input, StreamId, WatcherId } from '../core/input.js';
import type { Machine } from '../core/machine.js';
import type { ByteStream, Clock, Connection, Dns, EventLog, ResourceWatcher, Transport } from './ports.js';

export interface SessionPorts {
  clock: Clock;
  transport: Transport;
  dns: Dns;
  log: EventLog;
  /** Called with every input and its time, before the machine handles it. */
  record?: (input: Input, at: number) => void;
}

/**
 * Drives a machine over real or simulated ports: adds the time to every input, executes the effects in order, and sends
 * a tick at the next deadline. Inputs that arrive while effects run are queued, so `handle` is never re-entered.
 */
/** An input, and the rest of the work that is done in slices before it is handled. */
interface PreparedInput {
  input: Input;
  slices: Slices<void> | undefined;
}

export class Session {
  readonly #machine: Machine<Input, Effect>;
  readonly #ports: SessionPorts;
  readonly #queue: Input[] = [];
  readonly #connections = new Map<ChannelId, Connection>();
  readonly #streams = new Map<StreamId, ByteStream>();
  readonly #watchers = new Map<WatcherId, ResourceWatcher>();
  #lastWatcher = 0;
  #draining = false;
  #closed = false;
  #preparing: PreparedInput | undefined;
  #cancelSlice: () => void = () => {};
  #timer: { at: number; cancel: () => void } | undefined;

  constructor(machine: Machine<Input, Effect>, ports: SessionPorts) {
    this.#machine = machine;
    this.#ports = ports;
  }

  dispatch(input: Input): void {
    if (this.#closed) return;
    this.#queue.push(input);
    if (!this.#draining) this.#drain();
  }

  #drain(): void {
    this.#draining = true;
    try {
      for (let next = this.#takeReady(); next !== undefined; next = this.#takeReady()) {
        const now = this.#ports.clock.now();
        this.#ports.record?.(next, now);
        for (const effect of this.#machine.handle(next, now)) {
          if (this.#closed) return;
          this.#execute(effect);
        }
      }
    } finally {
      this.#draining = this.#preparing !== undefined;
    }
    if (!this.#draining) this.#setTimer();
  }

  /**
   * Takes the next input from the queue. A large one is prepared first, one slice per turn of the event loop, so that
   * signals and timers are handled in between; other inputs wait. The recording and the effects are the same as without
   * slices. An input whose preparation throws is lost, like one whose handling throws.
   */
  #takeReady(): Input | undefined {
    const next = this.#preparing ?? this.#nextInQueue();
    this.#preparing = undefined;
    if (next?.slices === undefined || next.slices.next().done === true) return next?.input;
    this.#preparing = next;
    const { clock } = this.#ports;
    this.#cancelSlice = clock.wakeAt(clock.now(), () => this.#drain());
    return undefined;
  }

  #nextInQueue(): PreparedInput | undefined {
    const input = this.#queue.shift();
    return input && { input, slices: this.#machine.prepare?.(input) };
  }

  /**
   * Watches one resource. The next response is read when the watcher has processed the last one (R1.33). The returned
   * function ends the watch.
   */
  watch(scope: string, typeUrl: string, name: string, watcher: ResourceWatcher): () => void {
    const id = ++this.#lastWatcher;
    this.#watchers.set(id, watcher);
    this.dispatch({ kind: 'watch', scope, watcher: id, typeUrl, name });
    return () => {
      if (this.#watchers.delete(id)) this.dispatch({ kind: 'unwatch', scope, watcher: id });
    };
  }

  /** Closes every stream and connection, and ignores further inputs. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#cancelSlice();
    for (const stream of this.#streams.values()) stream.cancel();
    for (const connection of this.#connections.values()) connection.close();
    this.#streams.clear();
    this.#connections.clear();
  }

  /** Keeps a timer that is too early: a storm moves the deadline with every message. */
  #setTimer(): void {
    const at = this.#machine.nextDeadline();
    if (this.#timer !== undefined && at !== undefined && this.#timer.at <= at) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (at === undefined) return;
    const cancel = this.#ports.clock.wakeAt(at, () => {
      this.#timer = undefined;
      const deadline = this.#machine.nextDeadline();
      if (deadline !== undefined && deadline > this.#ports.clock.now()) this.#setTimer();
      else this.dispatch({ kind: 'tick' });
    });
    this.#timer = { at, cancel };
  }

  #execute(effect: Effect): void {
    if (effect.kind === 'event') this.#ports.log.append(effect.event);
    else if (effect.kind === 'connect') {
      const { channel } = effect;
      const connection = this.#ports.transport.connect(effect.server, (state, reason) =>
        this.dispatch({ kind: 'connectivity', channel, state, reason }),
      );
      this.#connections.set(channel, connection);
    } else if (effect.kind === 'disconnect') {
      this.#connections.get(effect.channel)?.close();
      this.#connections.delete(effect.channel);
    } else if (effect.kind === 'open') this.#open(effect.stream, effect.channel, effect.method);
    else if (effect.kind === 'send') this.#streams.get(effect.stream)?.send(effect.bytes);
    else if (effect.kind === 'read') this.#streams.get(effect.stream)?.read();
    else if (effect.kind === 'cancel') {
      this.#streams.get(effect.stream)?.cancel();
      this.#streams.delete(effect.stream);
    } else if (effect.kind === 'notify') this.#notify(effect);
    else {
      const { query } = effect;
      void this.#ports.dns
        .resolve(effect.host, effect.port)
        .catch((error: unknown) => ({ failure: String((error as Error)?.message ?? error) }))
        .then((result) => this.dispatch({ kind: 'resolved', query, result }));
    }
  }

  #notify({ scope, watcher: id, update, reading }: Notification): void {
    const watcher = this.#watchers.get(id);
    const done = (): void => {
      if (reading !== undefined) this.dispatch({ kind: 'done', scope, reading });
    };
    let result: unknown;
    try {
      result =
        update.kind === 'OnAmbientError' ? watcher?.onAmbientError(update.error) : watcher?.onResourceChanged(update);
    } catch (error) {
      // An exception in a watcher becomes an unhandled rejection of the program; the session continues.
      result = Promise.reject(error);
    }
    if (result instanceof Promise) void result.finally(done);
    else done();
  }

  #open(stream: StreamId, channel: ChannelId, method: string): void {
    const connection = this.#connections.get(channel);
    if (connection === undefined)
      throw new Error(`stream ${stream} opened on channel ${channel}, which is not connected`);
    const opened = connection.open(method, {
      onSent: () => this.dispatch({ kind: 'sent', stream }),
      onMessage: (bytes) => this.dispatch({ kind: 'message', stream, bytes }),
      onEnd: (status) => {
        this.#streams.delete(stream);
        this.dispatch({ kind: 'ended', stream, status });
      },
    });
    this.#streams.set(stream, opened);
  }
}
