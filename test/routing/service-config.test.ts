import { expect, it } from 'vitest';
import { priorityConfig } from '../../src/routing/service-config.js';
import { Follow } from '../deps/follow.js';

it('generates no priorities for a cluster that is missing or has an error', () => {
  const { config } = Follow.complete('a');
  const failing = { kind: 'error', message: 'does not exist' } as const;
  const clusters = new Map([...config.clusters, ['b', failing] as const]);
  const prioritiesOf = (name: string) => priorityConfig(name, { ...config, clusters });
  expect(prioritiesOf('a')).toMatchObject({ priority_experimental: { priorities: [expect.anything()] } });
  for (const name of ['b', 'c'])
    expect(prioritiesOf(name)).toEqual({ priority_experimental: { children: {}, priorities: [] } });
});
