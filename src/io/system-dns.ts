import { lookup } from 'node:dns/promises';
import type { Dns } from '../engine/ports.js';

/** The system resolver, which gRPC uses for LOGICAL_DNS clusters. */
export const systemDns: Dns = {
  async resolve(host, port) {
    try {
      const found = await lookup(host, { all: true, verbatim: true });
      return {
        addresses: found.map(({ address, family }) => (family === 6 ? `[${address}]:${port}` : `${address}:${port}`)),
      };
    } catch (error) {
      return { failure: (error as Error).message };
    }
  },
};
