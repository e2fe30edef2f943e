import { type CommandEntry, command, type DeclaredCommand, type Input } from '../command.js';
import { flag, list, text } from '../option.js';
import { asOption, clientOptions } from '../options/connecting.js';

const declared = {
  arguments: {},
  options: {
    root: text('Folder whose files the tools may read (default: the current folder)', { completes: 'file' }),
    ...clientOptions,
    context: {
      ...list('Named control plane that the tools may use; may be repeated', { completes: 'context' }),
      placeholder: 'NAME',
    },
    ...asOption,
    verbose: flag('Print every call on stderr', { alias: 'v' }),
  },
  examples: {
    '$0 mcp -b bootstrap.json': 'Tools for the control plane of a bootstrap and the files below the current folder',
    '$0 mcp --context staging --context prod --root deploy/': 'Two named control planes, and the files of one folder',
    '$0 mcp': 'Without a bootstrap: only the tools for files, recordings and the manual',
  },
};
export type McpInput = Input<typeof declared>;

/** Its tools run some of these commands. */
export const mcpCommand = (commands: readonly CommandEntry[]): DeclaredCommand =>
  command(declared, async () => {
    const { mcp } = await import('../run/mcp.js');
    return async (input, env) => await mcp(input, commands, env);
  });
