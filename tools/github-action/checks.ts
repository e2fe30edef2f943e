import { join } from 'node:path';
import { EXIT } from '../../src/base/exit-codes.ts';
import type { Inputs } from './inputs.ts';
import { selectFiles } from './patterns.ts';

/** One run of the command line. */
export interface Check {
  /** The command with its subject, for people. */
  title: string;
  /** Names the check in code scanning, which closes the alerts that the next run of the same name no longer has. */
  category: string;
  command: string[];
  args: string[];
  /** Whether the command can print annotations and SARIF, in addition to text. */
  formats: readonly ('github' | 'sarif')[];
  /** The report page that it writes. */
  page?: string;
}

/** An input that no command can be run for. */
export interface InputError {
  message: string;
  code: number;
}

/** The implementations that bootstraps are compared for. */
const IMPLEMENTATIONS = ['c-core', 'grpc-go', 'grpc-java', 'grpc-node'];

/** The commands for these inputs, in the order in which a user would run them: offline first. */
export async function planChecks(
  inputs: Inputs,
  { workspace, pages }: { workspace: string; pages: string },
): Promise<{ checks: Check[]; errors: InputError[] }> {
  const errors: InputError[] = [];
  const select = async (input: string, lines: readonly string[]): Promise<string[]> => {
    const { files, unmatched } = await selectFiles(lines, workspace);
    for (const glob of unmatched)
      errors.push({ message: `No file matches "${glob}" of the input ${input}.`, code: EXIT.badInput });
    return files;
  };
  const bootstraps = await select('bootstrap-files', inputs.bootstrapFiles);
  if (inputs.bootstrap !== '' && !bootstraps.includes(inputs.bootstrap)) bootstraps.unshift(inputs.bootstrap);
  const resources = await select('files', inputs.files);
  const expectations = await select('expectations', inputs.expectations);
  const checks = [
    ...bootstraps.flatMap((file) => bootstrapChecks(file, inputs)),
    ...(resources.length > 0 ? [resourceCheck(resources, inputs)] : []),
    ...expectations.map((file, index) => expectationCheck(file, inputs, join(pages, `check-${index + 1}.html`))),
    ...(inputs.targets.length > 0 ? [targetCheck(inputs, join(pages, 'report.html'))] : []),
  ];
  return { checks, errors };
}

/** A flag with its value, if it has one. `=` keeps a value that begins with a dash. */
const flag = (name: string, value: string): string[] => (value === '' ? [] : [`--${name}=${value}`]);

const findingFlags = ({ failureThreshold, suppress }: Inputs): string[] => [
  ...flag('failure-threshold', failureThreshold),
  ...flag('suppress', suppress),
];

function bootstrapChecks(file: string, inputs: Inputs): Check[] {
  const presets = inputs.as !== 'all' ? [inputs.as] : inputs.require === '' ? IMPLEMENTATIONS : names(inputs.require);
  return presets.map((as) => ({
    title: `bootstrap validate ${inputs.as === 'all' ? `--as ${as} ` : ''}${file}`,
    category: `bootstrap ${file}${inputs.as === 'all' ? ` ${as}` : ''}`,
    command: ['bootstrap', 'validate'],
    args: [...flag('as', as), ...findingFlags(inputs), '--', file],
    formats: ['github', 'sarif'],
  }));
}

function resourceCheck(files: readonly string[], inputs: Inputs): Check {
  const { as, require, bootstrap } = inputs;
  const flags = [...flag('bootstrap', bootstrap), ...flag('as', as), ...flag('require', require)];
  return {
    title: files.length === 1 ? `validate ${files[0]}` : `validate ${files[0]} and ${files.length - 1} more`,
    category: 'resources',
    command: ['validate'],
    args: [...flags, ...findingFlags(inputs), '--', ...files],
    formats: as === 'all' ? ['github'] : ['github', 'sarif'],
  };
}

function expectationCheck(file: string, inputs: Inputs, page: string): Check {
  const { bootstrap, timeout } = inputs;
  const as = inputs.as === 'all' ? '' : inputs.as;
  const flags = [...flag('bootstrap', bootstrap), ...flag('as', as), ...flag('timeout', timeout)];
  return {
    title: `check ${file}`,
    category: `expectations ${file}`,
    command: ['check'],
    args: [...flags, '--', file],
    formats: ['github', 'sarif'],
    page,
  };
}

function targetCheck(inputs: Inputs, page: string): Check {
  const { bootstrap, timeout, as, require, targets } = inputs;
  const flags = [...flag('bootstrap', bootstrap), ...flag('timeout', timeout)];
  if (as === 'all')
    return {
      title: `compare ${targets.join(' ')}`,
      category: 'compare',
      command: ['compare'],
      args: [...flags, ...flag('require', require), '--', ...targets],
      formats: ['github'],
    };
  return {
    title: `report ${targets.join(' ')}`,
    category: 'report',
    command: ['report'],
    args: [...flags, ...flag('as', as), ...flag('suppress', inputs.suppress), '--', ...targets],
    formats: [],
    page,
  };
}

const names = (list: string): string[] => list.split(',').map((name) => name.trim());
