// A RemoteEmbedder with the time, random numbers and environment of the test; requests go to a real
// service or to a function.
import { AllowedHosts } from '../../src/embed/allowed-hosts.ts';
import type { Outcome, Surroundings } from '../../src/embed/ask-service.ts';
import type { LocalModels } from '../../src/embed/local/local-models.ts';
import { RemoteEmbedder, type RemoteSettings } from '../../src/embed/remote.ts';
import { OutboundClient, type Send } from '../../src/remote/exchange.ts';

export interface TestEmbedder {
  readonly remote: RemoteEmbedder;
  /** Requested pauses in milliseconds. */
  readonly pauses: number[];
  readonly outcomes: Outcome[];
  close(): Promise<void>;
}

type NumberName = Exclude<keyof RemoteSettings, 'tellsWhy'>;
export type Numbers = { readonly [K in NumberName]?: number };

const DEFAULTS: { readonly [K in NumberName]: number } = {
  timeoutMs: 20_000,
  batchSize: 32,
  maxConcurrent: 4,
  maxRetries: 3,
  cacheBytes: 1024 * 1024,
  maxPendingTexts: 100_000,
  maxPendingBytes: 1024 * 1024 * 1024,
};

export function testEmbedder(
  numbers: Numbers = {},
  world: {
    readonly hosts?: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly post?: Send;
    readonly tellsWhy?: boolean;
    readonly models?: Pick<LocalModels, 'embed'>;
  } = {},
): TestEmbedder {
  const all = { ...DEFAULTS, ...numbers };
  const settings = {
    ...Object.fromEntries(Object.entries(all).map(([name, value]) => [name, () => value])),
    tellsWhy: () => world.tellsWhy ?? true,
  } as unknown as RemoteSettings;
  const poster = new OutboundClient(new AllowedHosts(world.hosts ?? ''));
  const pauses: number[] = [];
  const outcomes: Outcome[] = [];
  let now = 1_000_000;
  const around: Surroundings = {
    post: world.post ?? ((request) => poster.send(request)),
    environment: (name) => world.environment?.[name],
    nowMs: () => now,
    now: () => now,
    random: () => 1,
    pause: async (ms, signal) => {
      signal.throwIfAborted();
      pauses.push(ms);
      now += ms;
    },
    observe: (outcome) => outcomes.push(outcome),
  };
  const none = { embed: () => Promise.reject(new Error('there are no models')) };
  const remote = new RemoteEmbedder(settings, around, world.models ?? none);
  return {
    remote,
    pauses,
    outcomes,
    async close() {
      remote.close();
      await poster.close();
    },
  };
}
