/** A tool: a command of which an assistant may choose some arguments and flags, and no others. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The name of the command. */
  command: string;
  /** Not offered without a control plane. */
  isLive?: true;
  /** Its answer depends on the control plane, which may change. */
  isOpenWorld?: true;
  /** Which of the contexts given at start it uses: one, or one for each of two sides. */
  contexts?: 'one' | 'two';
  /** The names of the arguments and flags, by the names of the tool's arguments. */
  arguments: Readonly<Record<string, ToolArgument>>;
}

export interface ToolArgument {
  /** The name of the argument or the flag of the command. */
  of: string;
  /** Replaces the description of the command. */
  describe?: string;
  /** A path, or several. `side`: a side of `diff`. */
  path?: 'path' | 'side';
  isRequired?: true;
  /** One value of a list. */
  isSingle?: true;
}

function same(...names: string[]): Record<string, ToolArgument> {
  return Object.fromEntries(names.map((name) => [name.replaceAll('-', '_'), { of: name }]));
}

const FILTERS = same('type', 'name', 'status');
const LIMITS = same('timeout', 'as');
const SUPPRESS: Record<string, ToolArgument> = {
  suppress: { of: 'suppress', describe: 'Finding codes to omit: XI205' },
};
const FINDINGS: Record<string, ToolArgument> = {
  ...SUPPRESS,
  failure_threshold: {
    of: 'failure-threshold',
    describe: 'Minimum severity of a finding that causes exit code 79 (default: error)',
  },
};
const RPC = {
  ...same('method', 'deadline', 'timeout-rules'),
  metadata: {
    of: 'header',
    describe: 'Metadata of the RPC whose outcome is predicted, as name:value. It is compared with routes, never sent',
  },
};
const WHAT_IF = same('feature', 'resource-timer', 'tear-grace', 'as');
const TARGETS: Record<string, ToolArgument> = {
  targets: { of: 'targets', describe: 'Targets as a gRPC program dials them: xds:///name, or a bare name' },
};

/** Every tool. What is not listed here cannot be reached: files that are written, ports, servers, headers, secrets. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'report',
    title: 'Report on gRPC targets',
    description:
      'Start here. Connects to the control plane as a gRPC client would, and reports whether RPCs to the targets work and, if not, why: verdict and cause, routes, resources, errors, config tears, findings, next steps.',
    command: 'report',
    isLive: true,
    isOpenWorld: true,
    contexts: 'one',
    arguments: {
      ...TARGETS,
      all: { of: 'all', describe: 'Report every listener that the control plane lists, instead of targets' },
      for: { of: 'for', describe: 'Observe for this long after the targets have settled, such as 10s' },
      ...FILTERS,
      ...FINDINGS,
      ...LIMITS,
    },
  },
  {
    name: 'explain',
    title: 'Predict the outcome of an RPC',
    description:
      'Connects as a gRPC client would, and predicts the outcome of one RPC, or of all routes: status, route, cluster, timeout, and which resource blocks it. Sends no RPC to the application.',
    command: 'explain',
    isLive: true,
    isOpenWorld: true,
    contexts: 'one',
    arguments: { ...TARGETS, ...RPC, ...SUPPRESS, ...LIMITS },
  },
  {
    name: 'status',
    title: 'Cache status of every resource',
    description:
      'Connects as a gRPC client would, waits until settled, and lists the cache status of every resource (ACKED, NACKED, DOES_NOT_EXIST, TIMEOUT, …) with versions and errors.',
    command: 'status',
    isLive: true,
    isOpenWorld: true,
    contexts: 'one',
    arguments: { ...TARGETS, ...FILTERS, ...FINDINGS, ...LIMITS },
  },
  {
    name: 'check',
    title: 'Check expectations',
    description:
      'Checks whether the control plane serves the configuration that an expectations file (YAML) describes. The file may not name servers or bootstraps.',
    command: 'check',
    isLive: true,
    isOpenWorld: true,
    contexts: 'one',
    arguments: {
      expectations: { of: 'expectations', describe: 'YAML file with expectations', path: 'path', isRequired: true },
      ...LIMITS,
    },
  },
  {
    name: 'diff',
    title: 'Compare two sets of resources',
    description:
      'Compares the resources of two sides by meaning: targets, files, folders, and recordings (FILE@12.5s for a time in one).',
    command: 'diff',
    isOpenWorld: true,
    contexts: 'two',
    arguments: {
      before: {
        of: 'before',
        describe:
          'One side: a target, a file or folder of resources, a saved JSON document, a dump of Envoy, or a recording',
        path: 'side',
      },
      after: { of: 'after', describe: 'The other side, in any of these forms', path: 'side' },
      ...same('versions', 'type', 'name'),
      ...LIMITS,
    },
  },
  {
    name: 'replay',
    title: 'Show a recorded session',
    description:
      'Shows a recording or a support bundle offline, in any view (report, explain, status, …), at its end or at any time, or all its events; or compares it with a what-if run under other client behaviour.',
    command: 'replay',
    arguments: {
      file: { of: 'file', describe: 'Recording (.xdsrec, .xdsrec.gz) or support bundle (.tgz)', path: 'path' },
      ...same('view', 'at', 'events'),
      ...FILTERS,
      ...FINDINGS,
      ...RPC,
      expectations: { of: 'expectations', describe: 'YAML file with expectations, for the view check', path: 'path' },
      until: { of: 'until' },
      ...WHAT_IF,
    },
  },
  {
    name: 'validate',
    title: 'Validate resource files',
    description:
      'Validates xDS resource files (YAML, JSON, binary) as gRPC would: accepted or rejected resources with every problem and its position, and ignored fields. as=all compares the implementations of gRPC.',
    command: 'validate',
    arguments: {
      files: { of: 'files', describe: 'Files or folders', path: 'path' },
      ...same('as', 'require'),
      ...FINDINGS,
    },
  },
  {
    name: 'bootstrap_validate',
    title: 'Validate a bootstrap',
    description:
      'Validates a gRPC xDS bootstrap file as gRPC would, lists every problem with its position, and lints it. Without a file: the bootstrap that this server was started with. Does not connect.',
    command: 'bootstrap validate',
    contexts: 'one',
    arguments: {
      file: {
        of: 'files',
        describe: 'Bootstrap file. Certificates that it names outside the root are not checked',
        path: 'path',
        isSingle: true,
      },
      ...same('as'),
      ...FINDINGS,
    },
  },
  {
    name: 'docs',
    title: 'A page of the manual',
    description:
      'Prints a page of the manual of xds-inspect: a finding code (XI204), a term (tear), a gRFC (A74), a command (report). Without a topic: the list of pages.',
    command: 'docs',
    arguments: {
      topic: { of: 'word', describe: 'Finding, term, gRFC, command or page: XI204, tear, A74, report', isSingle: true },
    },
  },
];
