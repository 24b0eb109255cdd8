// A small reranking service on a free loopback port, in the form of Jina and Cohere. Regular answers
// rank documents by their length, the longest first; a test can set any other.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RerankServiceRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model?: string;
  readonly query: string;
  readonly documents: readonly string[];
  readonly top_n: number;
}

export interface RerankService {
  /** The base of the API: `/rerank` is appended to it. */
  readonly url: string;
  readonly requests: RerankServiceRequest[];
  /** Status and body of the answers from now on; undefined: regular answers. */
  answer: { readonly status?: number; readonly body: unknown } | undefined;
  stop(): Promise<void>;
}

export async function startRerankService(): Promise<RerankService> {
  const requests: RerankServiceRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const { authorization } = request.headers;
    requests.push({ path: request.url ?? '', authorization, ...body });
    const { status = 200, body: answer } = service.answer ?? { body: byLength(body) };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const service: RerankService = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answer: undefined,
    stop: () => new Promise((done) => server.close(() => done())),
  };
  return service;
}

function byLength({ documents }: { readonly documents: readonly string[] }): object {
  const results = documents
    .map((document, index) => ({ index, relevance_score: document.length / 100 }))
    .sort((a, b) => b.relevance_score - a.relevance_score);
  return { model: 'm', results };
}
