import { type Command, type CommandEntry, type DeclaredCommand, withDeclaration } from '../command.js';

function entry(usage: string, describe: string, load: () => Promise<DeclaredCommand>): CommandEntry {
  return { name: usage.replace(/ [<[].*/, ''), usage, describe, load };
}

/**
 * Every command, in the order of the help text. Only the declaration of the typed command is loaded: parsing and
 * reading all of them would take longer than most commands need to start.
 */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    'demo [scenario]',
    'Show typical control plane problems on loopback, and the command that finds each of them',
    async () => (await import('./demo.js')).demoCommand,
  ),
  entry(
    'report [targets..]',
    'Report on targets: verdict and cause, outcome of RPCs, resources, errors, config tears, findings',
    async () => (await import('./report.js')).reportCommand,
  ),
  entry(
    'status [targets..]',
    'Connect as a gRPC program would, wait until settled, and print the cache status of every resource',
    async () => (await import('./status.js')).statusCommand,
  ),
  entry(
    'watch [targets..]',
    'Follow the updates of targets: a live table on a terminal, otherwise one event per line',
    async () => (await import('./watch.js')).watchCommand,
  ),
  entry(
    'config [targets..]',
    'Print the resolved configuration of a target: listener, routes, clusters, endpoints',
    async () => (await import('./config.js')).configCommand,
  ),
  entry(
    'tears [targets..]',
    'Observe targets and report config tears: periods in which their resources do not fit together',
    async () => (await import('./tears.js')).tearsCommand,
  ),
  entry(
    'explain [targets..]',
    'Predict the outcome of an RPC and explain it: its status, route, cluster and timeout',
    async () => (await import('./explain.js')).explainCommand,
  ),
  entry(
    'compare [targets..]',
    'Compare what gRPC implementations do with a control plane or a recorded session',
    async () => (await import('./compare.js')).compareCommand,
  ),
  entry(
    'diff <before> [after]',
    'Show how the resources of two sides differ: targets, processes, recordings, files, dumps of Envoy',
    async () => (await import('./diff.js')).diffCommand,
  ),
  entry(
    'record [targets..]',
    'Record the sessions of targets in a file, for replay',
    async () => (await import('./record.js')).recordCommand,
  ),
  entry(
    'replay <file> [view] [expectations]',
    'Show a recorded session offline, in any view, or compare it with a what-if run',
    async () => (await import('./replay.js')).replayCommand,
  ),
  entry(
    'csds [addresses..]',
    'Read the xDS state of other processes over CSDS: gRPC applications, control planes, xds-inspect',
    async () => (await import('./csds.js')).csdsCommand,
  ),
  entry(
    'wait [targets..]',
    'Wait until conditions hold: RPCs find a usable endpoint, all resources are ACKED, nothing changes, a resource has a status',
    async () => (await import('./wait.js')).waitCommand,
  ),
  entry(
    'check [expectations]',
    'For CI: check that a control plane serves the configuration that a file expects',
    async () => (await import('./check.js')).checkCommand,
  ),
  entry(
    'get <type> [names..]',
    'Fetch raw resources of any type: curl for xDS',
    async () => (await import('./get.js')).getCommand,
  ),
  entry(
    'bootstrap validate [files..]',
    'Validate bootstrap files as gRPC would, list every problem with its position, and lint them',
    async () => (await import('./bootstrap-validate.js')).bootstrapValidateCommand,
  ),
  entry(
    'bootstrap resolve <target> [file]',
    'Show the listener that a target resolves to, the xDS servers for it, and their settings',
    async () => (await import('./bootstrap-resolve.js')).bootstrapResolveCommand,
  ),
  entry(
    'validate <files..>',
    'Validate resource files as gRPC would: accepted or rejected resources, and ignored fields',
    async () => (await import('./validate.js')).validateCommand,
  ),
  entry(
    'serve <source>',
    'Run the built-in control plane for any xDS client, from a scenario or a folder of resource files',
    async () => (await import('./serve.js')).serveCommand,
  ),
  entry(
    'docs [word..]',
    'Explain a term, a finding, a gRFC or a command: print its page of the manual, offline',
    async () => (await import('./docs.js')).docsCommand,
  ),
  entry(
    'schema [what]',
    'Print a JSON Schema, with which editors complete and check bootstraps, resources and files of xds-inspect',
    async () => (await import('./schema.js')).schemaCommand,
  ),
  entry(
    'context list',
    'List the named control planes of your configuration file',
    async () => (await import('./context-list.js')).contextListCommand,
  ),
  entry('completion <shell>', 'Print a shell script that completes commands, flags and their values', async () =>
    (await import('./completion.js')).completionCommand(allCommands),
  ),
];

/** The commands with their declarations, for completion scripts and docs. */
export async function allCommands(): Promise<Command[]> {
  return await Promise.all(COMMANDS.map(withDeclaration));
}
