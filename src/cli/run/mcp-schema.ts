import type { Argument, DeclaredCommand } from '../command.js';
import type { Option } from '../option.js';
import type { Tool, ToolArgument } from './mcp-tools.js';

/** The limits of one call. They are not in the schemas, which every conversation with a model contains. */
export const MAX_ITEMS = 100;
export const MAX_LENGTH = 4096;

/** A JSON Schema of an argument: the forms that this server uses. */
export type ArgumentSchema = { description: string } & (
  | { type: 'string'; enum?: string[] }
  | { type: 'boolean' }
  | { type: 'integer'; minimum: number }
  | { type: 'array'; items: { type: 'string'; enum?: string[] }; maxItems?: number }
);

export interface ToolSchema {
  [key: string]: unknown;
  type: 'object';
  properties: Record<string, ArgumentSchema>;
  required: string[];
  additionalProperties: false;
}

/** The control planes that were given at start, as far as arguments depend on them. */
export interface OfferedContexts {
  contexts: readonly string[];
  /** A call must name one: there is no default. */
  needsContext: boolean;
}

/** Which lines of a long text to return. */
const WINDOW: Record<string, ArgumentSchema> = {
  from_line: { type: 'integer', minimum: 1, description: 'First line of the text to return (default: 1)' },
  max_lines: {
    type: 'integer',
    minimum: 1,
    description: 'Maximum number of lines of the text (default: as many as fit)',
  },
};

/** The arguments of a tool, from the declaration of its command. */
export function toolSchema(tool: Tool, declared: DeclaredCommand, offered: OfferedContexts): ToolSchema {
  const properties: Record<string, ArgumentSchema> = {};
  const required: string[] = [];
  for (const [name, argument] of Object.entries(tool.arguments)) {
    properties[name] = schemaOf(argument, declared);
    if (isRequired(argument, declared, offered)) required.push(name);
  }
  if (tool.contexts !== undefined && offered.contexts.length > 0) {
    properties.context = contextSchema(tool, offered);
    if (offered.needsContext && tool.isLive === true) required.push('context');
  }
  return { type: 'object', properties: { ...properties, ...WINDOW }, required, additionalProperties: false };
}

function contextSchema(tool: Tool, { contexts, needsContext }: OfferedContexts): ArgumentSchema {
  const description = needsContext ? 'Control plane to use' : 'Control plane to use instead of the default';
  if (tool.contexts === 'one') return { type: 'string', enum: [...contexts], description };
  const each = `${description}: one for both sides, or one for each`;
  return { type: 'array', items: { type: 'string', enum: [...contexts] }, maxItems: 2, description: each };
}

function schemaOf(
  { of, describe, isSingle }: ToolArgument,
  { arguments: args, options }: DeclaredCommand,
): ArgumentSchema {
  const argument = args[of];
  if (argument !== undefined) {
    const description = describe ?? argument.describe;
    const isList = isSingle !== true && isListOf(argument);
    return isList ? listSchema(description, argument.choices) : stringSchema(description, argument.choices);
  }
  const option = options[of] as Option<unknown>;
  const description =
    describe ?? `${option.describe}${option.placeholder === 'TIME' ? '; a time such as 500ms, 10s or 2m' : ''}`;
  if (option.kind === 'switch') return { type: 'boolean', description };
  if (option.words !== undefined || option.isJoined === true) return listSchema(description, option.words);
  return option.kind === 'list' ? listSchema(description, undefined) : stringSchema(description, option.choices);
}

function isListOf({ count }: Argument<unknown>): boolean {
  return count === 'some' || count === 'any';
}

function stringSchema(description: string, choices: readonly string[] | undefined): ArgumentSchema {
  return { type: 'string', ...(choices && { enum: [...choices] }), description };
}

function listSchema(description: string, choices: readonly string[] | undefined): ArgumentSchema {
  const items = { type: 'string' as const, ...(choices && { enum: [...choices] }) };
  return { type: 'array', items, description };
}

function isRequired(
  argument: ToolArgument,
  { arguments: args }: DeclaredCommand,
  { contexts }: OfferedContexts,
): boolean {
  const declared = args[argument.of];
  if (argument.isRequired === true) return true;
  if (declared?.isInContext === true) return contexts.length === 0;
  return declared !== undefined && (declared.count === 'one' || declared.count === 'some');
}
