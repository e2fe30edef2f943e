import { describe, expect, it } from 'vitest';
import {
  applyContext,
  applyCsdsContext,
  type ConnectionInput,
  type CsdsContextInput,
} from '../../../src/bootstrap/contexts/apply-context.js';
import type { Context } from '../../../src/bootstrap/contexts/context.js';

const NOTHING: Context = {
  connecting: { bootstrap: '/b.json' },
  nodeId: undefined,
  nodeMetadata: [],
  userAgent: undefined,
  defaultAuthority: undefined,
  as: undefined,
  targets: [],
  csds: undefined,
};
const HEADER = ['x', '1'] as const;
const SERVER: Context = {
  ...NOTHING,
  connecting: {
    ...{ server: 'h:1', cacert: '/ca', cert: '/c', key: '/k', authority: 'own', tokenFile: '/t' },
    xdsHeader: [HEADER, ['y', '2']],
  },
  targets: ['a', 'b'],
};

/** The flags of a command that connects, as if only these had been given. */
function input(flags: Partial<Record<string, unknown>> = {}): Required<ConnectionInput> {
  const names = Object.keys(flags).map((name) => name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`));
  const none = { bootstrap: undefined, server: undefined, plaintext: false, cacert: undefined, cert: undefined };
  const node = { key: undefined, nodeId: undefined, nodeMetadata: [], userAgent: undefined };
  const rest = { defaultAuthority: undefined, as: 'spec' as const, targets: [], all: false, wildcard: undefined };
  const kube = { kube: undefined, kubeContext: undefined, kubeconfig: undefined };
  const dial = { authority: undefined, tokenFile: undefined, xdsHeader: [], insecure: false };
  const more = { ...kube, ...dial, nodeCluster: undefined, nodeLocality: undefined };
  return { ...none, ...node, ...more, ...rest, ...flags, given: new Set(names) } as Required<ConnectionInput>;
}

function csdsInput(flags: Partial<Record<string, unknown>> = {}): CsdsContextInput {
  const none = { addresses: [], authority: undefined, defaultAuthority: undefined, plaintext: false, insecure: false };
  const tls = { cacert: undefined, cert: undefined, key: undefined, tokenFile: undefined };
  return { ...none, ...tls, ...flags, given: new Set(Object.keys(flags)) };
}

const ORIGIN = 'context prod (/c.yaml)';

/** Settings of a context, given flags, and the settings that the command uses. */
const PRECEDENCE: [what: string, context: Partial<Context>, flags: object, expected: object][] = [
  ['the context gives the bootstrap', {}, {}, { bootstrap: '/b.json', server: undefined, origin: ORIGIN }],
  ['the context gives the node', { nodeId: 'n' }, {}, { nodeId: 'n' }],
  ['a flag overrides the node', { nodeId: 'n' }, { nodeId: 'mine' }, { nodeId: 'mine' }],
  ['a flag overrides the user agent', { userAgent: 'u' }, { userAgent: 'mine' }, { userAgent: 'mine' }],
  [
    'the context gives the rest of the node',
    { nodeCluster: 'c', nodeLocality: 'l' },
    {},
    { nodeCluster: 'c', nodeLocality: 'l' },
  ],
  ['a flag overrides the locality', { nodeLocality: 'l' }, { nodeLocality: 'm' }, { nodeLocality: 'm' }],
  [
    'the context gives the server in Kubernetes',
    { connecting: { kube: 'svc/a:1', kubeContext: 'k' } },
    { kubeconfig: '/k' },
    { kube: 'svc/a:1', kubeContext: 'k', kubeconfig: '/k', bootstrap: undefined },
  ],
  ['the context gives the authority', { defaultAuthority: 'x' }, {}, { defaultAuthority: 'x' }],
  ['a flag overrides the authority', { defaultAuthority: 'x' }, { defaultAuthority: 'y' }, { defaultAuthority: 'y' }],
  ['the context gives the implementation', { as: 'grpc-go' }, {}, { as: 'grpc-go' }],
  ['a flag overrides the implementation', { as: 'grpc-go' }, { as: 'spec' }, { as: 'spec' }],
  ['without both, the default remains', {}, {}, { as: 'spec', nodeId: undefined, nodeMetadata: [] }],
  [
    'a flag is the last metadata of a key',
    { nodeMetadata: [['a', '1']] },
    { nodeMetadata: [['a', '2']] },
    {
      nodeMetadata: [
        ['a', '1'],
        ['a', '2'],
      ],
    },
  ],
  ['the context gives the targets', { targets: ['a'] }, {}, { targets: ['a'] }],
  [
    'a target on the command line replaces those of the context',
    { targets: ['a'] },
    { targets: ['b'] },
    { targets: ['b'] },
  ],
  ['--all uses no default target', { targets: ['a'] }, { all: true }, { targets: [] }],
  ['--wildcard uses no default target', { targets: ['a'] }, { wildcard: ['CDS'] }, { targets: [] }],
];

describe('the settings of a context', () => {
  it.each(PRECEDENCE)('%s', (_what, context, flags, expected) => {
    expect(applyContext(input(flags), { ...NOTHING, targets: ['d'], ...context }, ORIGIN)).toMatchObject(expected);
  });

  it.each<[what: string, flags: object, expected: object]>([
    ['gives its certificates', {}, { plaintext: false, cacert: '/ca', cert: '/c', key: '/k' }],
    ['loses them to --plaintext', { plaintext: true }, { plaintext: true, cacert: undefined, cert: undefined }],
    ['loses them to another CA', { cacert: 'mine' }, { cacert: 'mine', cert: undefined, key: undefined }],
    ['loses them to another certificate', { cert: 'c', key: 'k' }, { cacert: undefined, cert: 'c', key: 'k' }],
    ['gives its name, token and headers', {}, { authority: 'own', tokenFile: '/t', xdsHeader: [HEADER, ['y', '2']] }],
    ['loses its token to other TLS flags', { insecure: true }, { insecure: true, tokenFile: undefined }],
    ['loses its token to another one', { tokenFile: '/mine' }, { tokenFile: '/mine', cacert: '/ca' }],
    ['loses its name', { authority: 'mine' }, { authority: 'mine', cacert: '/ca' }],
    ['loses headers of the same name', { xdsHeader: [['y', '3']] }, { xdsHeader: [HEADER, ['y', '3']] }],
  ])('with a server %s', (_what, flags, expected) => {
    expect(applyContext(input(flags), SERVER, ORIGIN)).toMatchObject({ server: 'h:1', ...expected });
  });

  it('without TLS are replaced by --cacert', () => {
    const context = { ...SERVER, connecting: { server: 'h:1', plaintext: true } };
    expect(applyContext(input(), context, ORIGIN)).toMatchObject({ plaintext: true });
    expect(applyContext(input({ cacert: 'ca' }), context, ORIGIN)).toMatchObject({ plaintext: false, cacert: 'ca' });
  });

  it.each<[what: string, flags: object, context: Context, code: number, message: string]>([
    ['--bootstrap', { bootstrap: 'b' }, SERVER, 64, '--context excludes --bootstrap: both name a control plane'],
    ['--server', { server: 'h:2' }, SERVER, 64, '--context excludes --server: both name a control plane'],
    ['--cacert', { cacert: 'c' }, NOTHING, 64, `--cacert requires --server or --kube: ${ORIGIN} has a bootstrap`],
    ['--kube', { kube: 'svc/a:1' }, SERVER, 64, '--context excludes --kube: both name a control plane'],
    [
      '--authority',
      { authority: 'x' },
      NOTHING,
      64,
      `--authority requires --server or --kube: ${ORIGIN} has a bootstrap`,
    ],
    ['-H', { xdsHeader: [['a', 'b']] }, NOTHING, 64, `--xds-header requires --server or --kube: ${ORIGIN} has`],
    ['no target', {}, NOTHING, 64, `missing target: ${ORIGIN} has no default targets`],
    ['no control plane', {}, { ...NOTHING, connecting: {} }, 65, `${ORIGIN} names no control plane`],
  ])('do not fit: %s', (_what, flags, context, exitCode, message) => {
    const run = () => applyContext(input(flags), context, ORIGIN);
    expect(run).toThrow(message);
    expect(run).toThrow(expect.objectContaining({ exitCode }));
  });

  it('are only those for which a command has flags', () => {
    const { bootstrap, ...others } = applyContext({ given: new Set(), bootstrap: undefined }, NOTHING, ORIGIN);
    expect(bootstrap).toBe('/b.json');
    expect(Object.keys(others).sort()).toEqual(['given', 'origin']);
    const server = () => applyContext({ given: new Set(), bootstrap: undefined }, SERVER, ORIGIN);
    expect(server).toThrow(`${ORIGIN} has a server and no bootstrap`);
  });
});

describe('the CSDS settings of a context', () => {
  const csds = { addresses: ['h:1'], insecure: true, cert: '/c', key: '/k', authority: 'x', tokenFile: '/t' };
  const context = { ...NOTHING, defaultAuthority: 'd', csds };

  it.each<[what: string, flags: object, expected: object]>([
    ['give everything', {}, { ...csds, plaintext: false, cacert: undefined, defaultAuthority: 'd' }],
    ['lose the addresses to those of the command line', { addresses: ['h:2'] }, { addresses: ['h:2'], insecure: true }],
    ['lose TLS to --plaintext', { plaintext: true }, { plaintext: true, insecure: false, cert: undefined }],
    ['lose TLS to --cacert', { cacert: 'ca' }, { cacert: 'ca', insecure: false, key: undefined }],
    ['lose the token to --plaintext', { plaintext: true }, { tokenFile: undefined }],
    ['lose the token to another one', { tokenFile: '/mine' }, { tokenFile: '/mine', cert: '/c' }],
    ['lose the authority', { authority: 'y', defaultAuthority: 'z' }, { authority: 'y', defaultAuthority: 'z' }],
  ])('%s', (_what, flags, expected) => {
    expect(applyCsdsContext(csdsInput(flags), context, ORIGIN)).toMatchObject(expected);
  });

  it('may be absent if the command line has addresses', () => {
    expect(() => applyCsdsContext(csdsInput(), NOTHING, ORIGIN)).toThrow(`missing address: ${ORIGIN} has no "csds"`);
    expect(applyCsdsContext(csdsInput({ addresses: ['h:2'] }), NOTHING, ORIGIN)).toMatchObject({ plaintext: false });
  });
});
