import { describe, expect, it } from 'vitest';
import { blockedWorld } from './blocked-world.js';

describe('a transport that blocks', () => {
  it('ends streams, fails connections with its reason, and lets waiting streams begin when it is over', () => {
    const there = blockedWorld(['p', 'q']);
    const client = there.startClient();
    there.plane.pass(100);
    there.blocking.block('p');
    there.plane.pass(5000);
    const texts = there.events.flatMap((event) => {
      if (event.kind === 'channel') return [`${event.server} ${event.state} ${event.reason}`];
      return event.kind === 'stream' && event.change === 'ended' ? [`ended ${event.status?.message}`] : [];
    });
    expect(texts).toEqual(['p ready ', 'ended blocked by the drill', 'p transient-failure blocked by the drill']);
    // Everything is cached, so that nobody else is asked (A71).
    expect(client.snapshot()?.channels[0]?.state.kind).toBe('published');
    there.blocking.unblock('p');
    there.plane.pass(1000);
    expect(client.snapshot()?.authorities[0]?.servers[0]).toMatchObject({
      uri: 'p',
      isActive: true,
      failure: undefined,
    });
  });
});
