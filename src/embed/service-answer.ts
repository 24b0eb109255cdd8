// Interprets the answer of a service by status and media type: vectors, or a failure with its
// probable cause and whether to retry.

import { retryAfterMs } from '../base/back-off.js';
import { plainJson } from '../base/json-text.js';
import type { OutboundAnswer } from '../remote/exchange.js';
import { AnswerError, excerpt, readEmbeddings, type TextResult } from './answer-reader.js';
import type { RemoteEndpoint } from './endpoint.js';

export interface Miss {
  /** Continues the phrase "the embeddings service [url]". */
  readonly why: string;
  /** `texts`: one of them may have caused the failure. `service`: another batch would fail too. */
  readonly blames: 'texts' | 'service' | 'answer';
  readonly again: boolean;
  readonly retryAfterMs?: number;
}

export interface ServiceCall {
  readonly endpoint: Pick<RemoteEndpoint, 'apiKeyEnv'>;
  /** Removed from any text of the service. */
  readonly key: string | undefined;
  readonly nowMs: number;
}

export interface EmbeddingCall extends ServiceCall {
  readonly endpoint: RemoteEndpoint;
  readonly texts: number;
}

export type Reading = { readonly results: readonly TextResult[] } | { readonly miss: Miss };

/** What is wrong with status and media type; undefined: the body is JSON of the service. */
export function checkAnswer(answer: OutboundAnswer, requested: ServiceCall): Miss | undefined {
  const { status } = answer;
  if (status < 200 || status > 299) return missOf(answer, requested);
  const type = (answer.contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json' || type.endsWith('+json')) return undefined;
  const why = `answered [${excerpt(type)}], expected application/json`;
  return { why, blames: 'service', again: false };
}

export function readAnswer(answer: OutboundAnswer, requested: EmbeddingCall): Reading {
  const miss = checkAnswer(answer, requested);
  if (miss !== undefined) return { miss };
  try {
    return { results: readEmbeddings(answer.body, requested.texts, requested.endpoint.dims) };
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    return { miss: { why: blotted(error.message, requested.key), blames: 'answer', again: false } };
  }
}

function missOf(answer: OutboundAnswer, requested: ServiceCall): Miss {
  const { status } = answer;
  if (status >= 300 && status <= 399) {
    const why = `answered ${status}, a redirect, which is not followed: give its final URL`;
    return { why, blames: 'service', again: false };
  }
  const said = blotted(messageOf(answer), requested.key);
  const why = `answered ${status}${said === '' ? '' : ` (${said})`}${hint(status, requested.endpoint)}`;
  const wait = retryAfterMs(answer.retryAfter, requested.nowMs);
  if (status === 429 || status === 408 || (status >= 500 && status !== 501)) {
    return {
      why,
      blames: 'service',
      again: true,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  const aboutTexts = status === 400 || status === 413 || status === 422;
  return { why, blames: aboutTexts ? 'texts' : 'service', again: false };
}

function hint(status: number, { apiKeyEnv }: ServiceCall['endpoint']): string {
  if (status !== 401 && status !== 403) return '';
  return apiKeyEnv === undefined
    ? ': name the environment variable that holds its key in [api_key_env]'
    : `: check the key in the environment variable [${apiKeyEnv}]`;
}

/** The service's error message, if it is JSON or plain text. */
function messageOf({ body, contentType }: OutboundAnswer): string {
  const text = new TextDecoder().decode(body.subarray(0, 64 * 1024));
  if (contentType?.includes('html') || /^\s*</.test(text)) return '';
  let words: unknown = text;
  try {
    const value: unknown = JSON.parse(text);
    words = member(member(value, 'error'), 'message') ?? member(value, 'error');
    words ??= member(value, 'message') ?? member(value, 'detail') ?? text;
  } catch {
    // Not JSON: the text is used as it is.
  }
  return excerpt(typeof words === 'string' ? words : plainJson(words));
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** Removes the key, because services tend to repeat a rejected key. */
function blotted(text: string, key: string | undefined): string {
  return key === undefined ? text : text.replaceAll(key, '[the key]');
}
