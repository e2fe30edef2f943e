import { describe, expect, it } from 'vitest';
import { blockedWorld } from './blocked-world.js';

describe('BlockingTransport', () => {
  it('ends streams and fails connections of a blocked server, and starts queued streams when it is unblocked', () => {
    const world = blockedWorld(['p', 'q']);
    const client = world.startClient();
    world.plane.pass(100);
    world.blocking.block('p');
    world.plane.pass(5000);
    const texts = world.events.flatMap((event) => {
      if (event.kind === 'channel') return [`${event.server} ${event.state} ${event.reason}`];
      return event.kind === 'stream' && event.change === 'ended' ? [`ended ${event.status?.message}`] : [];
    });
    expect(texts).toEqual(['p ready ', 'ended blocked by the drill', 'p transient-failure blocked by the drill']);
    // All resources are cached, so the client does not fall back (A71).
    expect(client.snapshot()?.channels[0]?.state.kind).toBe('published');
    world.blocking.unblock('p');
    world.plane.pass(1000);
    expect(client.snapshot()?.authorities[0]?.servers[0]).toMatchObject({
      uri: 'p',
      isActive: true,
      failure: undefined,
    });
  });
});
