// Tools for the AI SDK (package `ai`) with which a model remembers, recalls, corrects and forgets in
// one namespace. The namespace is chosen here, out of the model's reach.
import type { EditInput, MemoryInput, Quarry, RecallInput } from '../src/index.js';
import { TOOLS } from './definitions.js';

export type ToolName = keyof typeof TOOLS;

export interface QuarryTool<Schema> {
  readonly description: string;
  readonly inputSchema: Schema;
  // biome-ignore lint/suspicious/noExplicitAny: the SDK checks inputs by their schemas
  readonly execute: (input: any) => Promise<unknown>;
}

export interface QuarryToolsOptions<Schema> {
  readonly client: Quarry;
  readonly namespace: string;
  /** `jsonSchema` of the package `ai`. */
  // biome-ignore lint/suspicious/noExplicitAny: versions of the SDK type it differently
  readonly jsonSchema: (schema: any) => Schema;
  /** True: only the tools that change nothing. */
  readonly readOnly?: boolean;
  /** Characters of one text in an answer; 2,000 unless given. */
  readonly maxChars?: number;
}

const MAX_CHARS = 2000;

/** The tools by their names, as `tools` of `generateText` and its kin takes them. */
export function quarryTools<Schema>({
  client,
  namespace,
  jsonSchema,
  readOnly = false,
  maxChars = MAX_CHARS,
}: QuarryToolsOptions<Schema>): Record<string, QuarryTool<Schema>> {
  const run = actions(client, namespace, maxChars);
  const tools = (Object.keys(TOOLS) as ToolName[])
    .filter((name) => !readOnly || TOOLS[name].effect === 'reads')
    .map((name): [string, QuarryTool<Schema>] => {
      const { description, inputSchema } = TOOLS[name];
      // The SDK takes a schema that it may change.
      const schema = jsonSchema(structuredClone(inputSchema));
      return [name, { description, inputSchema: schema, execute: run[name] as never }];
    });
  return Object.fromEntries(tools);
}

type Actions = { readonly [Name in ToolName]: (input: never) => Promise<unknown> };

function actions(client: Quarry, namespace: string, maxChars: number): Actions {
  const { memory } = client;
  return {
    storeMemory: (input: MemoryInput) => memory.store(namespace, input),
    recallMemories: async (input: RecallInput) => {
      const { hits, not_shown } = await memory.recall(namespace, withMode(input));
      return { hits: hits.map((hit) => shown(hit, maxChars)), not_shown };
    },
    listMemories: async ({ k = 10 }: { readonly k?: number }) => {
      const { count, entries } = await memory.list(namespace, { size: k });
      return { count, hits: entries.map((entry) => shown(entry, maxChars)) };
    },
    readMemory: ({ id }: { readonly id: string }) => memory.get(namespace, id),
    editMemory: ({ id, ...changes }: EditInput & { readonly id: string }) =>
      memory.edit(namespace, id, changes),
    forgetMemory: ({ id }: { readonly id: string }) => memory.forget(namespace, id),
  };
}

/** Words and meaning together, unless another mode was requested. */
function withMode(input: RecallInput): RecallInput {
  const isPlain = input.vector === undefined && input.semantic !== true;
  const isQuestion = input.query !== undefined && input.query.trim() !== '';
  return isPlain && isQuestion && input.hybrid === undefined ? { ...input, hybrid: true } : input;
}

interface Memory {
  readonly id: string;
  readonly text: string;
  readonly metadata: unknown;
  readonly stored_at: number | null;
}

function shown({ id, text, metadata, stored_at }: Memory, maxChars: number): object {
  return {
    id,
    text: text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`,
    ...(metadata === null ? {} : { metadata }),
    ...(stored_at === null ? {} : { stored_at: new Date(stored_at).toISOString() }),
  };
}
