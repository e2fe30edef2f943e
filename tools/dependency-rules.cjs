// Imports go one way: base ← proto ← bootstrap, resources ← peers; resources ← core ← deps, routing ← engine ← csds ← inspect ← view, and
// io, cli at the edge. `scenario` knows the ports and what crosses them, not the machine behind.
const LAYERS = {
  base: [],
  proto: ['base'],
  bootstrap: ['base'],
  resources: ['base', 'proto'],
  peers: ['base', 'proto', 'resources'],
  core: ['base', 'proto', 'bootstrap', 'resources'],
  deps: ['base', 'proto', 'bootstrap', 'resources', 'core'],
  routing: ['base', 'proto', 'resources', 'deps'],
  csds: ['base', 'proto', 'bootstrap', 'resources', 'core', 'deps', 'engine'],
  // The catalogue of all codes joins the tables of the families, which hold nothing but text.
  findings: [
    'base',
    'proto',
    'core/(event|input|effect)',
    'bootstrap/lint/catalogue',
    'resources/files/catalogue',
    'peers/rules/titles',
  ],
  engine: ['base', 'proto', 'bootstrap', 'resources', 'core', 'deps', 'findings'],
  scenario: ['base', 'proto', 'engine/ports', 'core/(input|effect|event|machine)'],
  io: ['base', 'proto', 'bootstrap', 'resources', 'core', 'deps', 'findings', 'engine', 'scenario', 'csds', 'inspect'],
  inspect: [
    'base',
    'proto',
    'bootstrap',
    'resources',
    'peers',
    'core',
    'deps',
    'routing',
    'findings',
    'engine',
    'csds',
  ],
  view: [
    'base',
    'proto',
    'bootstrap',
    'resources',
    'core',
    'deps',
    'routing',
    'findings',
    'engine',
    'scenario',
    'csds',
    'inspect',
  ],
};

const PURE = '^src/(?!io/|cli/|index\\.ts)';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(LAYERS).map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import from ${allowed.join(', ') || 'nothing else'}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: [`^src/${folder}/`, ...allowed.map((a) => `^src/${a}`)] },
    })),
    {
      name: 'pure-folders-touch-no-node',
      comment: 'only src/io, src/cli and the library entry may use Node itself',
      severity: 'error',
      from: { path: PURE },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'grpc-js-only-in-io',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/io/' },
      to: { path: 'node_modules/@grpc/' },
    },
    {
      name: 'colours-and-tables-only-in-render',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/view/render/' },
      to: { path: 'node_modules/(chalk|cli-table3)/' },
    },
    {
      name: 'arguments-only-in-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: 'node_modules/yargs/' },
    },
    {
      name: 'protobufjs-only-in-proto',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/proto/' },
      to: { path: 'node_modules/protobufjs/' },
    },
    {
      name: 'regular-expressions-only-in-routing',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/routing/' },
      to: { path: 'node_modules/re2js/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(src|tools)/', pathNot: '^src/proto/generated/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-tests-in-tools',
      comment: 'tests import from tools, so tools must not import from test',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^test/' },
    },
    { name: 'no-tests-in-src', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|tools)/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
