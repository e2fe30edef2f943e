import { UsageError } from '../base/failure.js';
import type { Command } from './command.js';
import type { Options } from './option.js';
import { SHARED_OPTIONS } from './options/shared.js';
import { flagsIn } from './positionals.js';

const PREFIX = 'XDS_INSPECT_';

/** Reads `XDS_INSPECT_<FLAG>` for the flags of a command. Variables for other commands are ignored. */
export function flagsFromEnvironment(
  variables: Record<string, string | undefined>,
  argv: readonly string[],
  command: Command | undefined,
): Record<string, string | boolean> {
  const options: Options = { ...SHARED_OPTIONS, ...command?.options };
  const values: Record<string, string | boolean> = {};
  for (const [name, { kind }] of Object.entries(options)) {
    const variable = PREFIX + name.toUpperCase().replaceAll('-', '_');
    const value = variables[variable];
    if (value === undefined || isOverridden(name, argv)) continue;
    // `XDS_INSPECT_CONTEXT= xds-inspect …` is a command line without a context.
    if (name === 'context' && value === '') continue;
    values[name] = kind === 'switch' ? readBoolean(variable, value) : value;
  }
  return values;
}

/** Flags about the connection to a control plane, and its credentials: they do not belong to another one. */
const OF_SERVER = [
  ...['plaintext', 'insecure', 'cacert', 'cert', 'key', 'authority', 'token-file', 'xds-header'],
  ...['kube-context', 'kubeconfig'],
];

/** Flags that name the control plane exclude each other. One on the command line overrides the others, and their TLS flags. */
const ALTERNATIVES: Readonly<Record<string, readonly string[]>> = {
  bootstrap: ['--server', '--kube', '--context'],
  server: ['--bootstrap', '-b', '--kube', '--context'],
  kube: ['--bootstrap', '-b', '--server', '--context'],
  context: ['--bootstrap', '-b', '--server', '--kube'],
  ...Object.fromEntries(OF_SERVER.map((name) => [name, ['--context']])),
};

function isOverridden(name: string, argv: readonly string[]): boolean {
  const others = ALTERNATIVES[name] ?? [];
  return flagsIn(argv).some((arg) => others.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
}

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off', ''];

function readBoolean(variable: string, value: string): boolean {
  const word = value.toLowerCase();
  if (!TRUE.includes(word) && !FALSE.includes(word)) {
    throw new UsageError(`${variable} must be true or false, not "${value}"`);
  }
  return TRUE.includes(word);
}
