// The parts of the node's state, outside of indexes, that a snapshot contains.
import type {
  IndexTemplates,
  InferenceEndpoints,
  Json,
  JsonObject,
  NamedScripts,
  NamedTemplate,
  SearchTemplates,
  TemplateKind,
} from '../backend/index.js';
import { QuarryError } from '../errors.js';

export interface GlobalPart {
  readonly name: string;
  save(): Json;
  /** Rejects if a part of the saved state is not permitted on this node. */
  restore(saved: Json): Promise<void>;
}

/**
 * The registered inference endpoints, to which mappings refer. Existing endpoints are kept. Saved
 * endpoints contain names of environment variables, never keys.
 */
export function inferencePart(endpoints: InferenceEndpoints): GlobalPart {
  return {
    name: 'inference_endpoints',
    save: () =>
      endpoints
        .get(undefined)
        .filter(({ service }) => service !== 'quarry' && service !== 'local') as unknown as Json,
    async restore(saved) {
      for (const endpoint of Array.isArray(saved) ? (saved as readonly JsonObject[]) : []) {
        const { inference_id: id, task_type: _task, ...body } = endpoint;
        try {
          await endpoints.put(String(id), body);
        } catch (error) {
          const present =
            error instanceof QuarryError && error.type === 'resource_already_exists_exception';
          if (!present) throw error;
        }
      }
    },
  };
}

const KINDS = ['index', 'component', 'legacy'] as const;

/**
 * Index, component and legacy templates. As in Elasticsearch, those of the snapshot replace
 * existing ones.
 */
export function templatesPart(templates: IndexTemplates): GlobalPart {
  return {
    name: 'index_templates',
    save: () => {
      const kinds = KINDS.map((kind) => [kind, templates.get(kind, ['*'])]);
      return Object.fromEntries(kinds) as JsonObject;
    },
    async restore(saved) {
      const of = (kind: TemplateKind): readonly NamedTemplate[] => {
        const list = (saved as JsonObject)[kind];
        return (Array.isArray(list) ? list : []) as unknown as readonly NamedTemplate[];
      };
      await templates.restore({
        index: of('index'),
        component: of('component'),
        legacy: of('legacy'),
      });
    },
  };
}

/** Stored search templates. As in Elasticsearch, those of the snapshot replace existing ones. */
export function searchTemplatesPart(templates: SearchTemplates): GlobalPart {
  return {
    name: 'search_templates',
    save: () => templates.all() as unknown as Json,
    restore: (saved) => templates.restore(saved as unknown as NamedScripts),
  };
}

export function saveGlobalState(parts: readonly GlobalPart[]): JsonObject {
  return Object.fromEntries(parts.map((part) => [part.name, part.save()]));
}

export async function restoreGlobalState(
  parts: readonly GlobalPart[],
  saved: JsonObject,
): Promise<void> {
  for (const part of parts) {
    const value = saved[part.name];
    if (value !== undefined) await part.restore(value);
  }
}
