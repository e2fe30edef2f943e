import type { Command } from './command.js';

/** What every command takes that looks at RPCs. */
export const clientTargets: Command['arguments'] = {
  targets: { describe: 'What a gRPC program dials: xds:///name, xds://authority/name, or a bare name' },
};

/** What every command takes that looks at resources. */
export const anyTargets: Command['arguments'] = {
  targets: {
    describe: 'What a gRPC program dials: xds:///name, xds://authority/name, a bare name, or #server:host:port',
  },
};
