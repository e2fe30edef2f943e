import type { Preset } from '../preset-names.js';
import { type BootstrapResult, readBootstrap } from '../read-bootstrap.js';
import type { Switches } from '../switches.js';
import { readGoBootstrap } from './grpc-go.js';
import { readJavaBootstrap } from './grpc-java.js';
import { readNodeBootstrap } from './grpc-node.js';

/** How a gRPC implementation finds and reads its bootstrap. */
export interface BootstrapReader {
  /** The name of the implementation. */
  client: string;
  /** `file` is undefined if the text is that of an environment variable. */
  read(bytes: Uint8Array, switches: Switches, file: string | undefined): BootstrapResult;
  /** Whether an empty GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG counts as not set. */
  ignoresEmptyVariables: boolean;
  /** Whether a node without a locality is an error. */
  requiresLocality: boolean;
  /** The error if neither variable is set. */
  missing: string;
  /** The error for a file that cannot be read, given the code of the error, such as `ENOENT`, and its text. */
  unreadable(path: string, code: string, text: string): string;
}

/** The messages of the C library, which C-core quotes. */
const C_LIBRARY: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EISDIR: 'Is a directory',
};

const C_CORE: BootstrapReader = {
  client: 'gRPC',
  read: readBootstrap,
  ignoresEmptyVariables: false,
  requiresLocality: false,
  missing: 'Environment variables GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG not defined',
  unreadable: (path, code, text) => `Failed to load file: ${path} due to error(fdopen): ${C_LIBRARY[code] ?? text}`,
};

const GRPC_GO: BootstrapReader = {
  client: 'grpc-go',
  read: readGoBootstrap,
  ignoresEmptyVariables: true,
  requiresLocality: false,
  missing:
    'bootstrap environment variables ("GRPC_XDS_BOOTSTRAP" or "GRPC_XDS_BOOTSTRAP_CONFIG") not defined and fallback config not set',
  unreadable(path, code, text) {
    const action = code === 'EISDIR' ? 'read' : 'open';
    const reason = C_LIBRARY[code]?.toLowerCase() ?? text;
    return `xds: failed to read bootstrap config from file "${path}": ${action} ${path}: ${reason}`;
  },
};

const GRPC_JAVA: BootstrapReader = {
  client: 'grpc-java',
  read: readJavaBootstrap,
  ignoresEmptyVariables: false,
  requiresLocality: false,
  missing:
    'Cannot find bootstrap configuration\nEnvironment variables searched:\n- GRPC_XDS_BOOTSTRAP\n- GRPC_XDS_BOOTSTRAP_CONFIG\n\nJava System Properties searched:\n- io.grpc.xds.bootstrap\n- io.grpc.xds.bootstrapConfig\n\n',
  unreadable(path, code, text) {
    const exceptions: Readonly<Record<string, string>> = {
      ENOENT: `java.nio.file.NoSuchFileException: ${path}`,
      EACCES: `java.nio.file.AccessDeniedException: ${path}`,
      EISDIR: 'java.io.IOException: Is a directory',
    };
    // An empty path is the current folder.
    return `Fail to read bootstrap file / ${exceptions[path === '' ? 'EISDIR' : code] ?? text}`;
  },
};

const GRPC_NODE: BootstrapReader = {
  client: 'grpc-js-xds',
  read: readNodeBootstrap,
  ignoresEmptyVariables: true,
  requiresLocality: true,
  missing:
    'The GRPC_XDS_BOOTSTRAP or GRPC_XDS_BOOTSTRAP_CONFIG environment variables need to be set to the path to the bootstrap file to use xDS',
  unreadable(path, code, text) {
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: `no such file or directory, open '${path}'`,
      EACCES: `permission denied, open '${path}'`,
      EISDIR: 'illegal operation on a directory, read',
    };
    const reason = reasons[code];
    return `Failed to read xDS bootstrap file from path ${path} with error ${reason === undefined ? text : `${code}: ${reason}`}`;
  },
};

const READERS: Readonly<Record<Preset, BootstrapReader>> = {
  spec: C_CORE,
  'c-core': C_CORE,
  'grpc-go': GRPC_GO,
  'grpc-java': GRPC_JAVA,
  'grpc-node': GRPC_NODE,
};

export function bootstrapReader(preset: Preset): BootstrapReader {
  return READERS[preset];
}
