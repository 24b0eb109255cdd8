// Sends one batch of texts to a service, and repeats the request after failures that may be
// temporary.

import { backOffMs, LONGEST_RETRY_AFTER_MS } from '../base/back-off.js';
import { plainJson } from '../base/json-text.js';
import { OutboundError, type Send } from '../remote/exchange.js';
import { maxAnswerBytes, type TextResult } from './answer-reader.js';
import type { RemoteEndpoint } from './endpoint.js';
import type { Lane } from './lane.js';
import { type Miss, readAnswer } from './service-answer.js';

/** Clocks, randomness and I/O, injected for tests. */
export interface Surroundings {
  readonly post: Send;
  readonly environment: (name: string) => string | undefined;
  /** Wall clock, for dates in answers. */
  readonly nowMs: () => number;
  /** Monotonic clock in milliseconds, for durations. */
  readonly now: () => number;
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  /** Rejects with the signal's reason if it is aborted first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after each request. */
  readonly observe: (outcome: Outcome, seconds: number) => void;
}

export type Outcome = 'ok' | 'failed' | 'repeated';

export interface Batch {
  readonly endpoint: RemoteEndpoint;
  readonly texts: readonly string[];
  readonly urgent: boolean;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

/** Why a batch has no vectors, in words that may be shown to a caller. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  readonly blames: Miss['blames'];

  constructor(blames: Miss['blames'], message: string) {
    super(message);
    this.blames = blames;
  }
}

/** Returns one result per text. Rejects with ServiceFailure or with the signal's reason. */
export async function askService(
  batch: Batch,
  lane: Lane,
  around: Surroundings,
  signal: AbortSignal,
): Promise<readonly TextResult[]> {
  const { endpoint, texts, urgent } = batch;
  const turn = { urgent, perMinute: endpoint.requestsPerMinute };
  const key = readKey(endpoint, around.environment, 'embeddings service');
  const body = requestBody(endpoint, texts);
  for (let tries = 1; ; tries++) {
    const tried = await lane.run(() => attempt(batch, body, key, around, signal), turn, signal);
    if (tried.results !== undefined) {
      around.observe('ok', tried.seconds);
      return tried.results;
    }
    const { miss, seconds } = tried;
    const wait = Math.max(backOffMs(tries, around.random), miss.retryAfterMs ?? 0);
    const repeats = miss.again && tries <= batch.maxRetries && wait <= LONGEST_RETRY_AFTER_MS;
    around.observe(repeats ? 'repeated' : 'failed', seconds);
    if (!repeats) throw failureOf(endpoint, miss, tries);
    if (miss.retryAfterMs !== undefined) lane.hold(miss.retryAfterMs);
    await around.pause(wait, signal);
  }
}

type ServiceAttempt = { readonly seconds: number } & (
  | { readonly results: readonly TextResult[] }
  | { readonly results?: undefined; readonly miss: Miss }
);

async function attempt(
  batch: Batch,
  body: string,
  key: string | undefined,
  around: Surroundings,
  signal: AbortSignal,
): Promise<ServiceAttempt> {
  const { endpoint, texts, timeoutMs } = batch;
  const started = around.now();
  const seconds = (): number => (around.now() - started) / 1000;
  try {
    const answer = await around.post({
      method: 'POST',
      url: endpoint.url,
      headers: requestHeaders(endpoint, key),
      body,
      timeoutMs,
      maxAnswerBytes: maxAnswerBytes(texts.length),
      signal,
    });
    const read = readAnswer(answer, { endpoint, texts: texts.length, key, nowMs: around.nowMs() });
    return 'miss' in read
      ? { miss: read.miss, seconds: seconds() }
      : { results: read.results, seconds: seconds() };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      miss: { why: error.message, blames: 'service', again: error.kind === 'network' },
      seconds: seconds(),
    };
  }
}

/**
 * Reads the key, which must never appear in messages. Throws ServiceFailure if it is missing or
 * invalid.
 */
export function readKey(
  { apiKeyEnv, url }: Pick<RemoteEndpoint, 'apiKeyEnv' | 'url'>,
  environment: Surroundings['environment'],
  kind: string,
): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = environment(apiKeyEnv)?.trim();
  const where = `the environment variable [${apiKeyEnv}], which is to hold the key of the ${kind} [${url}],`;
  if (key === undefined || key === '') {
    throw new ServiceFailure(
      'service',
      `${where} is not set, or not allowed by [inference.api_key_envs]: set it and restart`,
    );
  }
  if (/[^\x21-\x7e]/.test(key)) {
    throw new ServiceFailure('service', `${where} holds characters that no header can carry`);
  }
  return key;
}

export function requestHeaders(
  endpoint: { readonly organization?: string },
  key: string | undefined,
): Record<string, string> {
  return {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(endpoint.organization === undefined
      ? {}
      : { 'openai-organization': endpoint.organization }),
  };
}

function requestBody(endpoint: RemoteEndpoint, texts: readonly string[]): string {
  const { model, dims, asksDims, user } = endpoint;
  return plainJson({
    ...(model === undefined ? {} : { model }),
    input: texts,
    ...(asksDims === true && dims !== undefined ? { dimensions: dims } : {}),
    ...(user === undefined ? {} : { user }),
  });
}

function failureOf({ url }: RemoteEndpoint, miss: Miss, tries: number): ServiceFailure {
  const after = tries === 1 ? '' : `, after ${tries} tries`;
  return new ServiceFailure(miss.blames, `the embeddings service [${url}] ${miss.why}${after}`);
}
