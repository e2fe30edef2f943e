import { describe, expect, it } from 'vitest';
import type { CsdsResponse } from '../../../src/csds/csds-client.js';
import type { Fleet } from '../../../src/inspect/fleet/fleet.js';
import { type FleetDocument, fleetDocument } from '../../../src/view/fleet/fleet-document.js';
import { fleetFrom, type Held, REFUSED, responding } from './processes.js';

function documentOf(fleet: Fleet): FleetDocument {
  const addresses = [...fleet.groups.flatMap(({ clients }) => clients), ...fleet.unread].map(({ address }) => address);
  const answered = new Set(addresses);
  return fleetDocument(fleet, { addresses: [...answered].sort(), answered, names: new Map(), rollouts: undefined });
}

const CURRENT: Held = { version: '7', contents: 7, at: 70_000 };
const OLD: Held = { version: '6', contents: 6, at: 60_000 };
const REJECTING: Held = {
  ...OLD,
  status: 'NACKED',
  rejected: { version: '7', message: 'type STATIC is not supported', at: 71_000 },
};

async function summaryOf(...clients: (Held[] | CsdsResponse)[]): Promise<string> {
  return documentOf(await fleetFrom(processes(clients))).summary;
}

function processes(clients: readonly (Held[] | CsdsResponse)[]): Record<string, CsdsResponse> {
  return Object.fromEntries(
    clients.map((one, i) => [`10.0.0.${i + 1}:1`, Array.isArray(one) ? responding(...one) : one]),
  );
}

describe('the summary of a fleet', () => {
  const cases: [string, (Held[] | CsdsResponse)[], string][] = [
    ['agreeing clients', [[CURRENT], [CURRENT], [CURRENT]], '3 clients: all 3 agree'],
    ['one client', [[CURRENT]], '1 client: no problem'],
    ['no client', [REFUSED], '0 clients: 1 address could not be read'],
    [
      'an older, a rejected and an unreachable one',
      [[CURRENT], [CURRENT], [CURRENT], [OLD], [REJECTING], REFUSED],
      '5 clients: 3 agree; 1 rejected CDS blue (version 7); 1 has an older CDS blue (version 6, 7 for 3); 1 address could not be read',
    ],
    [
      'a canary with a newer version',
      [[OLD], [OLD], [OLD], [CURRENT]],
      '4 clients: 3 agree; 1 has a newer CDS blue (version 7, 6 for 3)',
    ],
    [
      'a split, in which the newest counts as expected',
      [[OLD], [CURRENT]],
      '2 clients: 1 agrees; 1 has an older CDS blue (version 6, 7 for 1)',
    ],
    [
      'numbers, even if a client received the lower one again',
      [[{ version: '10', contents: 1 }], [{ version: '10', contents: 1 }], [{ version: '9', contents: 2 }]],
      '3 clients: 2 agree; 1 has an older CDS blue (version 9, 10 for 2)',
    ],
    [
      'the time of receipt, if versions are not numbers',
      [
        [{ version: 'b', contents: 1, at: 2000 }],
        [{ version: 'b', contents: 1, at: 3000 }],
        [{ version: 'c', contents: 2, at: 1000 }],
      ],
      '3 clients: 2 agree; 1 has an older CDS blue (version c, b for 2)',
    ],
    [
      'versions without an order',
      [[{ version: 'b', contents: 1 }], [{ version: 'b', contents: 1 }], [{ version: 'a', contents: 2 }]],
      '3 clients: 2 agree; 1 has a different CDS blue (version a, b for 2)',
    ],
    [
      'a missing resource and one that has not arrived',
      [[CURRENT], [{ status: 'DOES_NOT_EXIST' }], [{ status: 'REQUESTED' }]],
      '3 clients: 1 agrees; 1 lacks CDS blue; 1 waits for CDS blue',
    ],
  ];
  it.each(cases)('names %s', async (_, clients, summary) => {
    expect(await summaryOf(...clients)).toBe(summary);
  });

  it('counts equal contents as agreement: a client that connected later has them under a later version', async () => {
    const later = { ...CURRENT, version: '8', at: 80_000 };
    expect(await summaryOf([CURRENT], [CURRENT], [later])).toBe('3 clients: all 3 agree');
  });

  it('counts an equal version as agreement: a control plane may send each client its own contents', async () => {
    const own = [1, 2, 3].map((contents): Held[] => [{ ...CURRENT, contents }]);
    expect(await summaryOf(...own)).toBe('3 clients: all 3 agree');
  });
});

describe('the groups of a fleet', () => {
  it('are printed once, the worst first, with the time since when', async () => {
    const { groups, resources } = documentOf(
      await fleetFrom(processes([[CURRENT], [CURRENT], [CURRENT], [OLD], [OLD], [REJECTING]])),
    );
    expect(groups.map(({ state, count }) => [state, count])).toEqual([
      ['rejected', 1],
      ['older', 2],
      ['agrees', 3],
    ]);
    expect(groups[0]?.problems).toMatchObject([
      {
        kind: 'rejected',
        type: 'CDS',
        name: 'blue',
        version: '6',
        rejectedVersion: '7',
        since: '1970-01-01T00:01:11Z',
        message: 'type STATIC is not supported',
      },
    ]);
    // Older since the first client received version 7.
    expect(groups[1]?.problems).toMatchObject([
      { version: '6', expectedVersion: '7', expectedClients: 3, since: '1970-01-01T00:01:10Z' },
    ]);
    expect(resources).toMatchObject([
      {
        type: 'CDS',
        name: 'blue',
        clients: 6,
        versions: [
          { version: '7', clients: 3, agrees: true },
          { version: '6', clients: 3, agrees: false },
        ],
      },
    ]);
  });

  it('do not depend on the order of addresses and responses', async () => {
    const kinds: (Held[] | CsdsResponse)[] = [
      [CURRENT, { ...OLD, name: 'green' }],
      [{ ...CURRENT, name: 'green' }, OLD],
      [OLD, { ...OLD, name: 'green' }],
      [REJECTING],
      [{ version: '6', contents: 7 }],
      [{ version: '5', contents: 5 }],
      REFUSED,
    ];
    const all = Object.entries(processes([...kinds, ...kinds, kinds[0] as Held[]]));
    const expected = documentOf(await fleetFrom(Object.fromEntries(all)));
    let seed = 1;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let run = 0; run < 20; run++) {
      const rest = [...all];
      const shuffled = all.map(() => rest.splice(random(rest.length), 1)[0] as (typeof all)[number]);
      expect(documentOf(await fleetFrom(Object.fromEntries(shuffled)))).toEqual(expected);
    }
  });

  it('share equal resources and states, so that a client costs little beyond what differs', async () => {
    const fleet = await fleetFrom(processes([[CURRENT], [{ ...CURRENT, at: 75_000 }], [OLD]]));
    const [older, agreeing] = fleet.groups;
    expect(agreeing?.clients).toHaveLength(2);
    expect(agreeing?.clients[0]?.state).toBe(agreeing?.clients[1]?.state);
    expect(agreeing?.clients.map(({ times }) => times[0])).toEqual([70_000, 75_000]);
    expect(older?.clients[0]?.state).not.toBe(agreeing?.clients[0]?.state);
  });
});
