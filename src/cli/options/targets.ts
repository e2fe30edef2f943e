import { argument } from '../command.js';

/** Every command that looks at RPCs. */
export const clientTargets = {
  targets: argument.some('What a gRPC program dials: xds:///name, xds://authority/name, or a bare name'),
};

/** Every command that looks at resources. */
export const anyTargets = {
  targets: argument.some(
    'What a gRPC program dials: xds:///name, xds://authority/name, a bare name, or #server:host:port',
  ),
};
