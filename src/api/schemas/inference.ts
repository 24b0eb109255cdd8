// Schemas of the routes of inference endpoints.
import { anything, document, list, object, type RouteSchema, ref } from './kinds.js';

export const INFERENCE = {
  put: {
    id: 'put_inference',
    summary: 'Registers an embeddings service.',
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
    summary: 'Registered embeddings services.',
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
    summary: 'Embeds texts.',
    tag: 'inference',
    body: object({ input: anything }),
    bodyRequired: true,
    answers: { 200: document, 502: ref('Error') },
  },
} as const satisfies Record<string, RouteSchema>;
