// Registers operations as tools of an MCP server. Unknown arguments are rejected, and errors become
// results with a hint.
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { Refusal } from './call.js';
import { clipText } from './clip.js';
import { hintFor, nearest } from './hints.js';
import { type Arguments, type Context, inputOf, type Operation } from './operation.js';
import { isOpen, nameFor, pinOf } from './pins.js';

/** Maximum length of an argument name in a message. */
const NAME = 80;

/** Registers the tools that the pins permit. */
export function registerTools(
  server: McpServer,
  context: Context,
  operations: readonly Operation[],
): void {
  const { pins, schemas } = context;
  for (const operation of operations) {
    if (!isOpen(pins, operation.subject)) continue;
    if (pins.readOnly && operation.effect !== 'reads') continue;
    const isPinned = pinOf(pins, operation.subject) !== undefined;
    const { name, effect } = operation;
    server.registerTool(
      name,
      {
        title: operation.title,
        description: isPinned ? withoutSubject(operation) : operation.description,
        inputSchema: schemas.of<Arguments>(`${name} in`, () => inputOf(operation, isPinned)),
        outputSchema: schemas.of(`${name} out`, () => operation.output),
        annotations: {
          title: operation.title,
          readOnlyHint: effect === 'reads',
          destructiveHint: effect === 'removes',
          idempotentHint: operation.idempotent,
          openWorldHint: false,
        },
      },
      (args, { mcpReq }) => run(withSignal(context, mcpReq.signal), operation, args),
    );
  }
}

/** Removes the pinned subject from the example, since a call that passes it would fail. */
function withoutSubject({ description, subject }: Operation): string {
  return description.replaceAll(new RegExp(`"${subject}": "[^"]*"(?:, )?`, 'g'), '');
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
    if (!(error instanceof Refusal)) return failed(context, operation, error);
    const hint = await hintFor(error, context, subject, String(args[subject] ?? ''));
    return refusalResult(error, hint);
  }
}

/** Cancels the calls of a tool when the request for the tool is cancelled. */
function withSignal(context: Context, signal: AbortSignal): Context {
  return { ...context, call: (request) => context.call({ ...request, signal }) };
}

/** Logs an internal error; the model gets only a general message. */
function failed({ onError }: Context, { name }: Operation, error: unknown): CallToolResult {
  onError(error instanceof Error ? error : new Error(String(error)));
  const refusal = new Refusal(
    'internal_error',
    500,
    `${name} failed, the log of the server says why`,
  );
  return refusalResult(refusal, undefined);
}

export function refusalResult(refusal: Refusal, hint: string | undefined): CallToolResult {
  const reported = `${refusal.type}: ${refusal.message}${hint === undefined ? '' : `\nHint: ${hint}`}`;
  return { content: [{ type: 'text', text: reported }], isError: true };
}

function refuseUnknown({ subject, input }: Operation, args: Arguments): void {
  const known = [subject, ...Object.keys(input).map((name) => name.replace(/\?$/, ''))];
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Refusal(
    'unknown_argument',
    400,
    `there is no argument [${clipText(unknown, NAME)}]`,
    `nearest: ${nearest(unknown, known).join(', ')}; all: ${known.join(', ')}`,
  );
}
