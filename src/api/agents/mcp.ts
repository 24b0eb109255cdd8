// POST /v1/mcp (also reached as /mcp), where agents speak the Model Context Protocol. The handler
// is injected as `deps.mcp`.
import { QuarryError } from '../../errors.js';
import type { Answer, ApiDeps, ApiRequest, Route } from '../kit/routes.js';
import { UNSUPPORTED } from '../schemas/kinds.js';

/** Answers one HTTP request that carries messages of the protocol. */
export interface McpHandler {
  handle(request: ApiRequest): Promise<Answer>;
}

export function mcpRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: UNSUPPORTED,
      methods: ['POST'],
      privilege: 'any',
      paths: ['/v1/mcp'],
      params: [],
      handler: (request) => {
        if (deps.mcp !== undefined) return deps.mcp.handle(request);
        throw new QuarryError(
          'illegal_argument_exception',
          'MCP is switched off on this server, [mcp.enabled] switches it on',
          { status: 404 },
        );
      },
    },
  ];
}
