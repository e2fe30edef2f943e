import { argument } from '../command.js';

/** Targets of commands that predict RPCs. */
export const clientTargets = {
  targets: argument.inContext(
    'Targets as a gRPC program dials them: xds:///name, xds://authority/name, or a bare name',
  ),
};

/** Targets of commands that show resources. */
export const anyTargets = {
  targets: argument.inContext(
    'Targets as a gRPC program dials them: xds:///name, xds://authority/name, a bare name, or #server:host:port',
  ),
};
