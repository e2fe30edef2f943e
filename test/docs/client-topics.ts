import type { PresetDefinition } from '../../src/bootstrap/presets/definition.js';

/** One row of the comparison of clients in docs/other-implementations.md. */
export interface ClientTopic {
  title: string;
  /** Begins the ids of the recorded scenarios that show it. */
  scenarios: string;
  /** What a client does, by its preset. */
  behaviour(preset: PresetDefinition): string;
}

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

function a88({ dataErrorHandling, canHandleDataErrors }: PresetDefinition['switches']): string {
  if (!canHandleDataErrors) return 'no';
  return dataErrorHandling ? 'yes' : 'only with GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING';
}

/** The topics in the order of the page. */
export const CLIENT_TOPICS: readonly ClientTopic[] = [
  {
    title: 'Data errors (A88)',
    scenarios: 'a88-',
    behaviour: ({ switches }) => a88(switches),
  },
  {
    title: 'Errors that a server reports for a resource (xRFC TP3)',
    scenarios: 'tp3-',
    behaviour: ({ switches, policies }) =>
      switches.canHandleDataErrors && policies.readResourceErrors ? 'read where A88 is on' : 'ignored',
  },
  {
    title: 'A listener or cluster is deleted',
    scenarios: 'delete-',
    behaviour({ policies }) {
      if (policies.ignoreServerFeatures)
        return 'dropped, also with `ignore_resource_deletion`; not used again if it returns unchanged';
      return 'dropped, unless the server has `ignore_resource_deletion`';
    },
  },
  {
    title: 'An update is NACKed, a version is cached',
    scenarios: 'nack-cached-',
    behaviour: ({ policies }) =>
      policies.rejectWithWholeNack
        ? 'the cached version stays in use; watchers get all errors of the response'
        : 'the cached version stays in use; watchers get the error of the resource',
  },
  {
    title: 'A response has valid and invalid resources',
    scenarios: 'partial-valid-',
    behaviour: ({ policies }) =>
      policies.acceptPartlyValid
        ? 'the valid ones are used; the next request has the new version'
        : 'the valid ones are used; the next request has the old version',
  },
  {
    title: 'A resource does not arrive',
    scenarios: 'timer-',
    behaviour({ policies }) {
      const start = policies.timersFrom === 'connection' ? 'the connection' : 'the request';
      const again = policies.restartResourceTimers ? ', and again from each subscription' : '';
      return `does not exist ${seconds(policies.resourceTimerMs)} after ${start}${again}`;
    },
  },
  {
    title: 'A stream ends',
    scenarios: 'stream-fails-',
    behaviour: ({ policies }) =>
      policies.streamErrors === 'not-ok'
        ? 'an error, unless its status is OK'
        : 'an error, unless it received a response',
  },
  {
    title: 'The next stream opens',
    scenarios: 'backoff-',
    behaviour({ policies }) {
      if (policies.backoffFrom === 'stream-start') return 'when the backoff since the start of the last one is over';
      if (policies.retryWithoutBackoff) return 'at once after a stream with a response, else after the backoff';
      return 'after the backoff';
    },
  },
  {
    title: 'The server cannot be reached',
    scenarios: 'server-',
    behaviour: ({ policies }) =>
      policies.waitForReady ? 'one error until it is connected' : 'the stream fails, and is retried with backoff',
  },
  {
    title: 'Fallback to another server (A71)',
    scenarios: 'fb-',
    behaviour({ switches, policies }) {
      if (switches.missing?.includes('fallback')) return 'no: only the first server is used';
      const last = policies.subscribeOnlyOnActive
        ? 'only the active server is asked for new names'
        : 'all servers in use are asked for new names';
      return `yes${switches.canDisableFallback ? ', unless GRPC_EXPERIMENTAL_XDS_FALLBACK is false' : ''}; ${last}`;
    },
  },
  {
    title: 'client_scope (A71)',
    scenarios: 'scope-',
    behaviour: ({ policies }) => (policies.shareClient ? 'one client for all targets' : 'a client for each target'),
  },
  {
    title: 'A resource is missing from a new configuration (A74)',
    scenarios: 'dm-',
    behaviour: ({ policies }) =>
      policies.waitForEndpoints
        ? 'the previous configuration stays in use, also if endpoints have an error'
        : 'the previous configuration stays in use; endpoints with an error fail RPCs to their cluster only',
  },
  {
    title: 'A child of an aggregate cluster has an error',
    scenarios: 'dm-aggregate',
    behaviour({ policies }) {
      if (!policies.tolerateFailedChildren) return 'the aggregate cluster has the error';
      return 'the other children are used';
    },
  },
  {
    title: 'A response has a type that was not requested',
    scenarios: 'unknown-type-url',
    behaviour({ policies }) {
      if (policies.continueAfterUnknownType) return 'ignored';
      return policies.skipUnrequestedTypes
        ? 'ignored if gRPC knows the type, else the stream is not read again'
        : 'the stream is not read again';
    },
  },
  {
    title: 'CSDS',
    scenarios: 'csds-',
    behaviour({ policies }) {
      const errors = policies.showAllErrors ? 'all errors' : 'errors of NACKs only';
      return policies.shareClient ? `${errors}; without a client_scope` : errors;
    },
  },
];

/** The clients of the comparison. */
export const COMPARED_CLIENTS = ['c-core', 'grpc-go', 'grpc-java', 'grpc-node'] as const;
