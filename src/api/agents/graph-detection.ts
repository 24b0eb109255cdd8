// Routes of link detection: start a run, report its progress, accept or reject the suggested links,
// and check the links that it found.

import { QuarryError } from '../../errors.js';
import { readDetectBody, readVerifyBody } from '../../graph/detect-body.js';
import { SUGGESTION_STATES } from '../../graph/suggestions.js';
import {
  type Answer,
  type ApiDeps,
  type ApiRequest,
  ok,
  optionalBody,
  part,
  type Route,
} from '../kit/routes.js';
import { GRAPH } from '../schemas/graph.js';

const DEFAULT_LIMIT = 100;

export function graphDetectionRoutes(deps: ApiDeps): readonly Route[] {
  return [
    {
      schema: GRAPH.detect,
      methods: ['POST'],
      privilege: 'read&write',
      paths: ['/_graph/:brain/detect'],
      params: ['wait_for_completion'],
      handler: (r) => detect(deps, r),
    },
    {
      schema: GRAPH.progress,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_graph/:brain/detect'],
      params: [],
      handler: (r) => progress(deps, part(r, 'brain')),
    },
    {
      schema: GRAPH.verify,
      methods: ['POST'],
      privilege: 'read&write',
      paths: ['/_graph/:brain/verify'],
      params: [],
      handler: async (r) =>
        ok(await deps.graph.verify(part(r, 'brain'), readVerifyBody(await optionalBody(r)))),
    },
    {
      schema: GRAPH.suggestions,
      methods: ['GET'],
      privilege: 'read',
      paths: ['/_graph/:brain/suggestions'],
      params: ['state', 'node', 'types', 'detectors', 'limit'],
      handler: (r) => list(deps, r),
    },
    ...(['accept', 'reject'] as const).map(
      (verb): Route => ({
        schema: GRAPH[verb],
        methods: ['POST'],
        privilege: 'write',
        paths: [`/_graph/:brain/suggestions/:id/${verb}`],
        params: [],
        handler: async (r) => {
          await refuseBody(r);
          return ok(await deps.graph[verb](part(r, 'brain'), part(r, 'id')));
        },
      }),
    ),
  ];
}

async function detect(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const brain = part(request, 'brain');
  const wait = request.params.flag('wait_for_completion') ?? true;
  const { done } = await deps.graph.startDetection(
    brain,
    readDetectBody(await optionalBody(request)),
  );
  if (wait) return ok(await done);
  // A failure of the run is also reported by GET.
  done.catch((error: unknown) => {
    deps.logger.warn({ err: error }, `the detection of brain [${brain}] failed`);
  });
  return progress(deps, brain);
}

function progress(deps: ApiDeps, brain: string): Answer {
  return ok(deps.graph.detection(brain) ?? { brain, running: false });
}

async function list(deps: ApiDeps, request: ApiRequest): Promise<Answer> {
  const { params } = request;
  return ok(
    await deps.graph.suggestions(part(request, 'brain'), {
      state: params.choice('state', SUGGESTION_STATES) ?? 'suggested',
      node: params.text('node'),
      types: listOf(request, 'types'),
      detectors: listOf(request, 'detectors'),
      limit: params.integer('limit') ?? DEFAULT_LIMIT,
    }),
  );
}

function listOf({ params }: ApiRequest, name: string): readonly string[] | undefined {
  const values = params.lists(name);
  return values === undefined || values.length === 0 ? undefined : [...new Set(values)];
}

async function refuseBody(request: ApiRequest): Promise<void> {
  const [key] = Object.keys(await optionalBody(request));
  if (key === undefined) return;
  throw new QuarryError(
    'illegal_argument_exception',
    `unknown key [${key}] in the body, a decision has none`,
  );
}
