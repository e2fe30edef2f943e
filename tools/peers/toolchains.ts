import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** A toolchain that builds and runs peers, besides Node. */
export type ToolchainName = 'go' | 'python' | 'java';

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
};

/** The toolchains, and whether this machine has them. */
export function toolchains(): Toolchain[] {
  return (Object.keys(COMMANDS) as ToolchainName[]).map((name) => {
    const versions: string[] = [];
    for (const [command, ...args] of COMMANDS[name]) {
      const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
      if (status !== 0) return { name, version: `no ${command}`, isThere: false };
      versions.push(plain(stdout.split('\n')[0] ?? ''));
    }
    return { name, version: versions.join(', '), isThere: true };
  });
}

/** Maven writes its version in bold. */
function plain(line: string): string {
  return stripVTControlCharacters(line).trim();
}
