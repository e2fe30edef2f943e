import { type ChannelInterface, connectivityState, Metadata } from '@grpc/grpc-js';
import type { ConnectivityState } from '../core/input.js';

/** How long the channel is asked for the reason of a failure it has already had. */
const REASON_TIMEOUT_MS = 1000;

const STATES: Record<number, ConnectivityState> = {
  [connectivityState.IDLE]: 'idle',
  [connectivityState.CONNECTING]: 'connecting',
  [connectivityState.READY]: 'ready',
  [connectivityState.TRANSIENT_FAILURE]: 'transient-failure',
};

/** Follows the channel's state until stopped, and finds out why where it failed. */
export function watchState(
  channel: ChannelInterface,
  onState: (state: ConnectivityState, reason: string) => void,
): { stop(): void } {
  let stopped = false;
  const report = (state: connectivityState): void => {
    const name = STATES[state];
    if (name === 'transient-failure') failureReason(channel, (reason) => stopped || onState(name, reason));
    else if (name !== undefined) onState(name, '');
  };
  const follow = (): void => {
    const seen = channel.getConnectivityState(false);
    channel.watchConnectivityState(seen, Number.POSITIVE_INFINITY, (error) => {
      if (stopped || error) return;
      report(channel.getConnectivityState(false));
      // What comes of the report may close the channel.
      if (!stopped) follow();
    });
  };
  follow();
  return {
    stop: () => {
      stopped = true;
    },
  };
}

/** grpc-js keeps the reason to itself, but a call that does not wait for a connection is refused with it at once. */
function failureReason(channel: ChannelInterface, tell: (reason: string) => void): void {
  const call = channel.createCall('/xds-inspect/reason', Date.now() + REASON_TIMEOUT_MS, null, null, null);
  call.start(new Metadata(), {
    onReceiveMetadata: () => {},
    onReceiveMessage: () => {},
    onReceiveStatus: ({ details }) => {
      // By the time of the answer the channel may have moved on.
      const isStill = channel.getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE;
      if (isStill) tell(details.replace(EMPTY_NOTE, ''));
    },
  });
}

/** grpc-js ends its reasons with a note on name resolution, also where there is none. */
const EMPTY_NOTE = /\. Resolution note: $/;
