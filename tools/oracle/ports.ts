import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** Below the ephemeral ports of operating systems, so that an unused port stays free. */
const FIRST = 20_000;
const COUNT = 8_000;

let next = FIRST + Math.floor((process.pid * 37) % COUNT);

/** Reserves a local port that this process assigns only once, even if nothing listens on it. */
export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = next;
    next = next + 1 < FIRST + COUNT ? next + 1 : FIRST;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${FIRST + COUNT} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, HOST, () => probe.close(() => resolve(true)));
  });
}
