import type { ConnectOptions } from '../../src/io/connect.ts';
import type { TransportOptions } from '../../src/io/grpc-transport.ts';
import { systemClock } from '../../src/io/system-clock.ts';
import { LibraryClient } from './client/library-client.ts';
import type { LoggedEvent } from './client/logged-event.ts';
import { cli, ProcessClient } from './client/process-client.ts';
import { TARGET } from './model.ts';

const TARGET_SCOPE = `xds:///${TARGET}`;

/** The scopes of a client of the library, and those of the command line, which has no watcher of its own. */
const LIBRARY_SCOPES: readonly string[] = [TARGET_SCOPE, ''];
const CLI_SCOPES: readonly string[] = [TARGET_SCOPE];

/** A client with faults between it and its control plane. */
export interface Observed {
  name: string;
  events: LoggedEvent[];
  scopes: readonly string[];
  /** Undefined for a command, whose state only its events show. */
  state?: () => Promise<string>;
  /** Updates that the watcher of the library received. */
  updates?: () => number;
  /** Bytes on the wire were changed without TLS, so that events differ from the messages of the control plane. */
  isCorrupted?: boolean;
}

/** The exit code of an interrupted command. */
const INTERRUPTED = 130;

/** A running client with the function that stops it and returns what went wrong. */
export type Running = Observed & { stop(): Promise<string[]> };

/** A client of the library in this process. */
export function library(bootstrap: string, options: ConnectOptions & { name?: string } = {}): Running {
  const client = new LibraryClient(bootstrap, options);
  return {
    name: options.name ?? 'library',
    events: client.events,
    scopes: LIBRARY_SCOPES,
    state: () => client.state(),
    updates: () => client.updates,
    stop: async () => {
      await client.stop();
      return [];
    },
  };
}

/** `xds-inspect watch -o ndjson`, which Ctrl-C ends. */
export function watchCommand(root: string, bootstrap: string): Running & { client: ProcessClient } {
  const client = new ProcessClient(cli(root, 'watch', TARGET, '-o', 'ndjson'), {
    GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap,
  });
  return {
    name: 'watch',
    client,
    events: client.events,
    scopes: CLI_SCOPES,
    stop: async () => {
      client.signal('SIGINT');
      const exit = await client.ended('watch after Ctrl-C');
      return [
        ...(exit === INTERRUPTED ? [] : [`watch ended with ${exit} after Ctrl-C: ${client.stderr}`]),
        ...client.garbage.map((line) => `watch printed a line that is not JSON: ${line}`),
      ];
    },
  };
}

interface ProcessOptions {
  /** A command that runs the process, for example in a namespace. */
  runner?: readonly string[];
  transport?: TransportOptions;
  env?: NodeJS.ProcessEnv;
}

/** The library in its own process. */
export function libraryProcess(
  bundle: string,
  bootstrap: string,
  { runner = [], transport = {}, env = {} }: ProcessOptions = {},
): Running & { client: ProcessClient } {
  const command = [...runner, process.execPath, bundle, JSON.stringify(transport)];
  const client = new ProcessClient(command, { ...env, GRPC_XDS_BOOTSTRAP_CONFIG: bootstrap });
  return {
    name: 'library process',
    client,
    events: client.events,
    scopes: LIBRARY_SCOPES,
    state: () => client.state(),
    stop: async () => {
      client.end();
      const exit = await client.ended('the library process after close()');
      return exit === 0 ? [] : [`the library process ended with ${exit}: ${client.stderr}`];
    },
  };
}

/** A clock on which the client's own backoff and timers are shorter. Those of grpc-js keep their length. */
export function fastClock(speed: number): NonNullable<ConnectOptions['clock']> {
  const start = systemClock.now();
  return {
    ...systemClock,
    now: () => start + (systemClock.now() - start) * speed,
    wakeAt: (at, wake) => systemClock.wakeAt(start + (at - start) / speed, wake),
  };
}

/** The last events of each channel of a client, for a message about a condition that did not become true. */
export function lastEvents({ events, scopes }: Observed): string {
  const lastOf = (scope: string): string[] => {
    const wire = events.filter((event) => event.scope === scope && WIRE_KINDS.has(event.kind)).slice(-LAST);
    return wire.map((event) => JSON.stringify(event));
  };
  return `its last events are ${scopes.map((scope) => `of "${scope}": ${lastOf(scope).join(' ')}`).join('; ')}`;
}

const LAST = 8;
const WIRE_KINDS: ReadonlySet<string> = new Set(['channel', 'stream', 'request', 'response']);
