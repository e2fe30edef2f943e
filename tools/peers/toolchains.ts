import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/**
 * What builds and runs peers, besides Node; Prometheus is a peer that is installed, not built. Namespaces of Linux run the commands of the
 * Dockerfile.
 */
export type ToolchainName = 'go' | 'python' | 'java' | 'prometheus' | 'namespaces';

export interface Toolchain {
  name: ToolchainName;
  /** The version that it prints, or the missing command. */
  version: string;
  isThere: boolean;
}

const COMMANDS: Record<ToolchainName, [command: string, ...args: string[]][]> = {
  go: [['go', 'version']],
  python: [['python3', '--version']],
  java: [
    ['javac', '-version'],
    ['mvn', '--version'],
  ],
  prometheus: [
    ['prometheus', '--version'],
    ['promtool', '--version'],
  ],
  namespaces: [['unshare', '--mount', '--pid', '--fork', 'unshare', '--version']],
};

/** How to install what a distribution packages under another name, or what is seldom installed. */
const HINTS: Partial<Record<ToolchainName, string>> = {
  prometheus: 'to install it: apt-get install prometheus',
  namespaces: 'new namespaces require Linux and root',
};

/** The toolchains, and whether this machine has them. */
export function toolchains(): Toolchain[] {
  return (Object.keys(COMMANDS) as ToolchainName[]).map((name) => {
    const versions: string[] = [];
    for (const [command, ...args] of COMMANDS[name]) {
      const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
      if (status !== 0) return { name, version: missing(name, command), isThere: false };
      versions.push(plain(stdout.split('\n')[0] ?? ''));
    }
    return { name, version: versions.join(', '), isThere: true };
  });
}

function missing(name: ToolchainName, command: string): string {
  const hint = HINTS[name];
  return hint === undefined ? `no ${command}` : `no ${command}; ${hint}`;
}

/** Maven writes its version in bold. */
function plain(line: string): string {
  return stripVTControlCharacters(line).trim();
}
