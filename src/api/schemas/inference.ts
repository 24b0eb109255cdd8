// Schemas of the routes of inference endpoints.
import { anything, document, list, object, type RouteSchema, ref } from './kinds.js';

export const INFERENCE = {
  put: {
    id: 'put_inference',
    summary: 'Registers an embeddings service or a reranker.',
    tag: 'inference',
    body: document,
    bodyRequired: true,
    answers: { 200: document },
  },
  update: {
    id: 'update_inference',
    summary: 'Changes the settings of a service.',
    tag: 'inference',
    body: document,
    bodyRequired: true,
    answers: { 200: document },
  },
  get: {
    id: 'get_inference',
    summary: 'Lists the registered inference services.',
    tag: 'inference',
    answers: { 200: object({ endpoints: list(document) }) },
  },
  delete: {
    id: 'delete_inference',
    summary: 'Removes a service that no field uses.',
    tag: 'inference',
    answers: { 200: document },
  },
  infer: {
    id: 'inference',
    summary: 'Computes the vectors of texts, or ranks texts by a query.',
    tag: 'inference',
    body: object({ input: anything }),
    bodyRequired: true,
    answers: { 200: document, 502: ref('Error') },
  },
} as const satisfies Record<string, RouteSchema>;
