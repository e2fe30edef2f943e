import { describe, expect, it } from 'vitest';
import { checksByClient } from '../../../src/inspect/expect/check-clients.js';
import { readExpectations } from '../../../src/inspect/expect/read-expectations.js';

const TYPED = {
  ...{ bootstrap: undefined, server: undefined, cacert: undefined, cert: undefined, key: undefined },
  ...{ plaintext: false, nodeId: undefined, defaultAuthority: undefined },
};

/** The clients of a check: their settings that have a value, and their targets. */
function clientsOf(text: string, typed: Partial<Record<keyof typeof TYPED, string>> = {}) {
  const read = readExpectations(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const clients = checksByClient(read.file, { ...TYPED, ...typed } as typeof TYPED, (name) => `/files/${name}`);
  return clients.map(({ settings, checks, at }) => ({
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== false)),
    targets: checks.map(({ target }) => target),
    ...(at !== undefined && { line: at.line }),
  }));
}

const FILE = 'server: file:1\nplaintext: true\nnode_id: f\n';

describe('the clients of a check', () => {
  it.each<[title: string, text: string, typed: Partial<Record<keyof typeof TYPED, string>>, clients: object[]]>([
    [
      'share a connection if their settings are equal',
      'targets: [a, { target: b, node_id: other }, c]',
      {},
      [{ targets: ['a', 'c'] }, { nodeId: 'other', targets: ['b'] }],
    ],
    [
      'use the control plane and the node id of the file',
      `${FILE}targets: [a]`,
      {},
      [{ server: 'file:1', plaintext: true, nodeId: 'f', targets: ['a'], line: 1 }],
    ],
    [
      'use the command line instead of the top level of the file',
      `${FILE}targets: [a]`,
      { bootstrap: 'typed.json', nodeId: 't' },
      [{ bootstrap: 'typed.json', nodeId: 't', targets: ['a'] }],
    ],
    [
      'use the control plane and the node id of their target instead of the command line',
      'targets:\n  - { target: a, server: "own:1", node_id: n, default_authority: x }',
      { server: 'typed:1', nodeId: 't', defaultAuthority: 'y' },
      [{ server: 'own:1', nodeId: 'n', defaultAuthority: 'x', targets: ['a'], line: 2 }],
    ],
    [
      'read the files that an expectations file names relative to it',
      'targets: [{ target: a, bootstrap: b.json }, { target: b, server: "s:1", cacert: ca.pem, cert: c.pem, key: k.pem }]',
      {},
      [
        { bootstrap: '/files/b.json', targets: ['a'], line: 1 },
        {
          ...{ server: 's:1', cacert: '/files/ca.pem', cert: '/files/c.pem', key: '/files/k.pem' },
          ...{ targets: ['b'], line: 1 },
        },
      ],
    ],
  ])('%s', (_, text, typed, clients) => {
    expect(clientsOf(text, typed)).toEqual(clients);
  });
});
