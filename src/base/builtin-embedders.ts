// The names of the built-in embedder's recipes (native/core/text/embedder/lexical_recipe.h), which
// mappings and settings of namespaces hold.

export const BUILTIN_IDS = ['svc-lex-1', 'svc-lex-2'] as const;
export type BuiltinId = (typeof BUILTIN_IDS)[number];
/** Of fields and namespaces that name no embedder. */
export const BUILTIN_ID: BuiltinId = 'svc-lex-1';

export function isBuiltin(id: unknown): id is BuiltinId {
  return (BUILTIN_IDS as readonly unknown[]).includes(id);
}
