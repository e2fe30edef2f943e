import { UsageError } from '../base/failure.js';

const LOOPBACK = '127.0.0.1';

export interface ListenAddress {
  host: string;
  port: number;
}

/** Reads the value of a flag: `50051`, `0.0.0.0:50051`, `[::1]:50051`. A port without a host is on loopback. */
export function readListenAddress(text: string, flag: string): ListenAddress {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits ?? Number.NaN);
  if (!(port <= 65_535)) throw new UsageError(`${flag} takes a port, or host:port, not "${text}"`);
  return { host: bracketed ?? plain ?? LOOPBACK, port };
}

/** `127.0.0.1:50051`, `[::1]:50051` */
export function addressText({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
