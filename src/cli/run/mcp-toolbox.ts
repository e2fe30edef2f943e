import { type FileGuard, RefusedFile } from '../../io/file-guard.js';
import { refusedCall, type ToolResult } from '../../view/mcp/tool-result.js';
import { visibleShort } from '../../view/visible-text.js';
import { type Command, type CommandEntry, withDeclaration } from '../command.js';
import { missingInContext } from '../missing-in-context.js';
import type { Typed } from '../option.js';
import { readArguments } from './mcp-arguments.js';
import { type PreparedCall, runTool } from './mcp-call.js';
import { type ToolSchema, toolSchema } from './mcp-schema.js';
import { connectionFlags, type McpSession } from './mcp-session.js';
import { TOOLS, type Tool } from './mcp-tools.js';

/** A tool of this session. */
interface OfferedTool {
  tool: Tool;
  command: Command;
  schema: ToolSchema;
}

/** The tools that a session offers. */
export class Toolbox {
  readonly #session: McpSession;
  readonly #tools: ReadonlyMap<string, OfferedTool>;

  private constructor(session: McpSession, tools: readonly OfferedTool[]) {
    this.#session = session;
    this.#tools = new Map(tools.map((one) => [one.tool.name, one]));
  }

  static async open(session: McpSession, commands: readonly CommandEntry[]): Promise<Toolbox> {
    const offered = TOOLS.filter(({ isLive }) => isLive !== true || session.hasControlPlane);
    return new Toolbox(session, await Promise.all(offered.map((tool) => offeredTool(tool, session, commands))));
  }

  list(): { tool: Tool; schema: ToolSchema }[] {
    return [...this.#tools.values()];
  }

  /** Why there is no tool of this name; undefined if there is one. */
  problemWith(name: string): string | undefined {
    if (this.#tools.has(name)) return undefined;
    if (!TOOLS.some((tool) => tool.name === name))
      return `unknown tool ${visibleShort(name)}: the tools are ${[...this.#tools.keys()].join(', ')}`;
    return `the tool ${name} requires a control plane: start xds-inspect mcp with -b FILE, --server or --context`;
  }

  /** Runs a tool that exists. Problems of the arguments are a result, so that a model can correct them. */
  async call(
    name: string,
    typed: unknown,
    { signal, onProgress }: Pick<PreparedCall, 'signal' | 'onProgress'>,
  ): Promise<ToolResult> {
    const { tool, command, schema } = this.#tools.get(name) as OfferedTool;
    const { given, contexts, range, problems } = await readArguments(typed, tool, schema, command);
    problems.push(...refusedPaths(tool, given, this.#session.guard));
    if (problems.length > 0) return refusedCall(name, problems);
    const all = { ...connectionFlags(this.#session, command, contexts, given.file), ...given };
    const missing = missingInContext(command, all);
    if (missing !== undefined) return refusedCall(name, [missing]);
    const filters = ['type', 'name', 'status'].filter((one) => tool.arguments[one] !== undefined);
    const namesFiles = Object.values(tool.arguments).some(
      ({ of, path }) => path !== undefined && given[of] !== undefined,
    );
    return await runTool(
      { tool: name, command, given: all, range, filters, namesFiles, signal, onProgress },
      this.#session,
    );
  }
}

async function offeredTool(tool: Tool, session: McpSession, commands: readonly CommandEntry[]): Promise<OfferedTool> {
  const entry = commands.find(({ name }) => name === tool.command) as CommandEntry;
  const command = await withDeclaration(entry);
  return { tool, command, schema: toolSchema(tool, command, session) };
}

/** The paths that may not be opened, all at once. Whether a file exists is the concern of the command. */
function refusedPaths(tool: Tool, given: Readonly<Record<string, Typed>>, guard: FileGuard): string[] {
  return Object.entries(tool.arguments).flatMap(([name, { of, path }]) => {
    const typed = given[of];
    if (path === undefined || typed === undefined || typeof typed === 'boolean') return [];
    const values = typeof typed === 'string' ? [typed] : typed;
    return values.flatMap((value) => {
      const refusal = pathsIn(value, path)
        .map((one) => refusalOf(one, guard))
        .find((one) => one !== undefined);
      return refusal === undefined ? [] : [`${name}: ${visibleShort(value)}: ${visibleShort(refusal)}`];
    });
  });
}

/** The paths that a side of `diff` may contain: `envoy:FILE`, `FILE@TIME`. */
function pathsIn(value: string, kind: 'path' | 'side'): string[] {
  if (kind === 'path') return [value];
  // Not a path, whatever exists.
  if (/^(xds:|#)|^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return [];
  const plain = value.replace(/^envoy:/i, '');
  return [...new Set([value, plain, plain.replace(/@[^@]*$/, '')])];
}

function refusalOf(path: string, guard: FileGuard): string | undefined {
  try {
    guard.resolve(path);
    return undefined;
  } catch (error) {
    return error instanceof RefusedFile ? error.message : undefined;
  }
}
