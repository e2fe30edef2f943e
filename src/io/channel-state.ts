import { type ChannelInterface, connectivityState, Metadata } from '@grpc/grpc-js';
import type { ConnectivityState } from '../core/input.js';

/** The deadline of the call that determines the reason of a failure. */
const REASON_TIMEOUT_MS = 1000;

/** The interval at which a failed channel continues; the first delay of gRPC. The backoff of grpc-js may delay the attempts. */
const CONTINUE_MS = 1000;

const STATES: Record<number, ConnectivityState> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'transient-failure',
};

/**
 * Reports the channel's state until stopped, with the reason of a failure, and continues with connection attempts.
 *
 * After a failed DNS query, grpc-js queries again only when a call starts or the application requests a connection.
 * A stream that waits for the connection is no new call, so the channel would stay in TRANSIENT_FAILURE. Other
 * implementations of gRPC repeat the query after a backoff.
 */
export function watchState(
  channel: ChannelInterface,
  onState: (state: ConnectivityState, reason: string) => void,
): { stop(): void } {
  let stopped = false;
  let continuing: NodeJS.Timeout | undefined;
  const report = (state: connectivityState): void => {
    clearInterval(continuing);
    if (state === connectivityState.TRANSIENT_FAILURE)
      continuing = setInterval(() => channel.getConnectivityState(true), CONTINUE_MS).unref();
    const name = STATES[state];
    if (name === 'transient-failure') failureReason(channel, (reason) => stopped || onState(name, reason));
    else if (name !== undefined) onState(name, '');
  };
  const follow = (): void => {
    const state = channel.getConnectivityState(false);
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, (error) => {
      if (stopped || error) return;
      report(channel.getConnectivityState(false));
      // The listener may have closed the channel.
      if (!stopped) follow();
    });
  };
  follow();
  return {
    stop: () => {
      stopped = true;
      clearInterval(continuing);
    },
  };
}

/** Determines the reason of a failure. grpc-js does not expose it, but a call without wait-for-ready fails with it. */
function failureReason(channel: ChannelInterface, onReason: (reason: string) => void): void {
  const call = channel.createCall('/xds-inspect/reason', Date.now() + REASON_TIMEOUT_MS, null, null, null);
  call.start(new Metadata(), {
    onReceiveMetadata: () => {},
    onReceiveMessage: () => {},
    onReceiveStatus: ({ details }) => {
      // The state of the channel may have changed.
      const isStill = channel.getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE;
      if (isStill) onReason(details.replace(EMPTY_NOTE, ''));
    },
  });
}

/** grpc-js appends a resolution note to its reasons, even an empty one. */
const EMPTY_NOTE = /\. Resolution note: $/;
