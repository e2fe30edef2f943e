import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { EXIT, type ExitCode } from '../../base/exit-codes.js';
import type { CliEnvironment } from '../../io/environment.js';
import { StdioTransport } from '../../io/mcp/stdio-transport.js';
import type { CommandEntry } from '../command.js';
import type { McpInput } from '../commands/mcp.js';
import { Printer } from '../printer.js';
import { Calls } from './mcp-calls.js';
import { mcpServer } from './mcp-server.js';
import { openSession } from './mcp-session.js';
import { Toolbox } from './mcp-toolbox.js';

/** `mcp`: serves until stdin ends or a signal arrives. stdout has only protocol messages. */
export async function mcp(input: McpInput, commands: readonly CommandEntry[], env: CliEnvironment): Promise<ExitCode> {
  const out = new Printer(input, env);
  const session = await openSession(input, out);
  const toolbox = await Toolbox.open(session, commands);
  const stdin = env.openStdin?.();
  if (stdin === undefined) throw new Error('stdin is not available');
  out.printLine(`MCP server on stdin and stdout: ${toolbox.list().length} tools, files below ${session.root}`);
  if (!session.hasControlPlane)
    out.printLine(
      'no control plane: only the tools for files and the manual are offered; add -b FILE, --server or --context',
    );
  if (env.keyboard !== undefined)
    out.printLine(
      `An assistant starts this command and sends it messages. To configure one: ${env.program} docs mcp. Ctrl-D ends it.`,
    );
  const log = (sentence: string): void => {
    if (input.verbose) out.printLine(sentence);
  };
  const calls = new Calls();
  const transport = new StdioTransport(stdin, env.stdout);
  const server = serveStdio(() => mcpServer({ toolbox, calls, env, log }), {
    transport,
    onerror: (error) => log(error.message),
  });
  let release = (): void => {};
  const interrupted = new Promise<ExitCode>((end) => {
    release = env.onInterrupt(() => end(EXIT.interrupted));
  });
  const code = await Promise.race([interrupted, transport.ended.then(() => EXIT.ok)]);
  release();
  await server.close();
  // The calls have been cancelled.
  await calls.finished();
  return code;
}
