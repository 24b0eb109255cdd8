// Operations as tools of an MCP server: arguments are checked by name, refusals become results with a hint.
import { type CallToolResult, fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { Refusal } from './call.js';
import { hintFor, nearest } from './hints.js';
import { type Arguments, type Context, inputOf, type Operation } from './operation.js';
import { isOpen, nameFor, pinOf } from './pins.js';
import type { Schema } from './schema.js';

/** What the pins leave open. */
export function registerTools(
  server: McpServer,
  context: Context,
  operations: readonly Operation[],
): void {
  const { pins } = context;
  for (const operation of operations) {
    if (!isOpen(pins, operation.subject)) continue;
    if (pins.readOnly && operation.effect !== 'reads') continue;
    const isPinned = pinOf(pins, operation.subject) !== undefined;
    const { effect } = operation;
    server.registerTool(
      operation.name,
      {
        title: operation.title,
        description: operation.description,
        inputSchema: fromJsonSchema<Arguments>(inputOf(operation, isPinned)),
        outputSchema: fromJsonSchema(operation.output),
        annotations: {
          title: operation.title,
          readOnlyHint: effect === 'reads',
          destructiveHint: effect === 'removes',
          idempotentHint: operation.idempotent,
          openWorldHint: false,
        },
      },
      (args) => run(context, operation, args),
    );
  }
}

async function run(
  context: Context,
  operation: Operation,
  args: Arguments,
): Promise<CallToolResult> {
  const { subject } = operation;
  try {
    const name = nameFor(context.pins, subject, args[subject]);
    refuseUnknown(operation, args);
    const { structured, text, links = [] } = await operation.run(context, name, args);
    return {
      content: [
        { type: 'text', text },
        ...links.map(({ uri, name: title }) => ({
          type: 'resource_link' as const,
          uri,
          name: title,
          mimeType: 'application/json',
        })),
      ],
      structuredContent: structured,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const hint = await hintFor(error, context, subject, String(args[subject] ?? ''));
    return refusalResult(error, hint);
  }
}

export function refusalResult(refusal: Refusal, hint: string | undefined): CallToolResult {
  const told = `${refusal.type}: ${refusal.message}${hint === undefined ? '' : `\nHint: ${hint}`}`;
  return { content: [{ type: 'text', text: told }], isError: true };
}

function refuseUnknown({ subject, input }: Operation, args: Arguments): void {
  const known = [subject, ...Object.keys(input).map((name) => name.replace(/\?$/, ''))];
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Refusal(
    'unknown_argument',
    400,
    `there is no argument [${unknown}]`,
    `nearest: ${nearest(unknown, known).join(', ')}; all: ${known.join(', ')}`,
  );
}

/** For schemas that are given as they are. */
export function schemaOf<T>(schema: Schema) {
  return fromJsonSchema<T>(schema);
}
