// The generated files of both clients, by their paths in the repository.
import type { ApiDeps } from '../../src/api/kit/routes.ts';
import { openApiDocument } from '../../src/api/openapi.ts';
import { allRoutes } from '../../src/api/route-table.ts';
import { type DocumentPaths, modelOf } from './model.ts';
import { printPython, printPythonBehaviour } from './python.ts';
import { printTools } from './tools.ts';
import { printTypeScript } from './typescript.ts';

/** The paths of the API document. The list of routes is data, so their dependencies may be missing. */
export function documentPaths(): DocumentPaths {
  const routes = allRoutes({ live: { get: () => 1 } } as unknown as ApiDeps);
  return openApiDocument(routes)['paths'] as DocumentPaths;
}

export function generatedFiles(): Readonly<Record<string, string>> {
  const model = modelOf(documentPaths());
  return {
    'clients/typescript/src/generated.ts': printTypeScript(model),
    'clients/typescript/ai/definitions.ts': printTools(),
    'clients/python/src/quarry_memory/_generated.py': printPython(model),
    'clients/python/src/quarry_memory/_behaviour.py': printPythonBehaviour(),
  };
}
