// Inference endpoints with the official, unmodified clients of Elasticsearch.
import { Client as Client8 } from '@elastic/elasticsearch';
import { Client as Client9 } from 'elasticsearch9';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type EmbeddingsService,
  startEmbeddingsService,
  vectorOf,
} from '../tools/embeddings-service.ts';
import { startServer, type TestServer } from '../tools/server.ts';

let server: TestServer;
let service: EmbeddingsService;
beforeAll(async () => {
  service = await startEmbeddingsService();
  server = await startServer();
});
afterAll(async () => {
  await server?.stop();
  await service.stop();
});

describe.each([
  ['8', (node: string) => new Client8({ node })],
  ['9', (node: string) => new Client9({ node }) as unknown as Client8],
])('@elastic/elasticsearch %s', (version, connect) => {
  const inference_id = `es${version}`;
  let client: Client8;
  beforeAll(() => {
    client = connect(server.base);
  });
  afterAll(async () => {
    await client.close();
  });

  test('registers an endpoint, reads it, asks it and drops it', async () => {
    const service_settings = { url: `${service.url}/embeddings`, model_id: 'm' };
    const made = await client.inference.put({
      inference_id,
      task_type: 'text_embedding',
      inference_config: { service: 'openai', service_settings },
    });
    expect(made).toMatchObject({ inference_id, task_type: 'text_embedding', service_settings });
    const { endpoints } = await client.inference.get({ inference_id });
    expect(endpoints.map((one) => one.inference_id)).toEqual([inference_id]);
    expect((await client.inference.get()).endpoints.length).toBeGreaterThan(1);
    const answer = await client.inference.inference({ inference_id, input: ['two words'] });
    expect(answer.text_embedding?.[0]?.embedding).toEqual(
      vectorOf('two words').map((value) => expect.closeTo(value, 6)),
    );
    expect((await client.inference.delete({ inference_id })).acknowledged).toBe(true);
    await expect(client.inference.get({ inference_id })).rejects.toMatchObject({ statusCode: 404 });
  });
});
