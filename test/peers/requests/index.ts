// All requests, in the order in which they are sent.
import type { PeerRequest } from '../request.ts';
import { AGGREGATION_REQUESTS } from './aggregations.ts';
import { COMPLETION_REQUESTS } from './completion.ts';
import { COMPONENT_REQUESTS } from './components.ts';
import { COMPOUND_REQUESTS } from './compound.ts';
import { ENDPOINT_REQUESTS } from './endpoints.ts';
import { AGGREGATION_OPTION_REQUESTS } from './options-of-aggregations.ts';
import { HIT_OPTION_REQUESTS } from './options-of-hits.ts';
import { QUERY_OPTION_REQUESTS } from './options-of-queries.ts';
import { REQUEST_OPTION_REQUESTS } from './options-of-requests.ts';
import { OVER_TIME_REQUESTS } from './over-time.ts';
import { QUERY_REQUESTS } from './queries.ts';
import { QUERY_STRING_REQUESTS } from './query-strings.ts';
import { REFUSED_OPTION_REQUESTS } from './refused-options.ts';
import { SHOWN_REQUESTS } from './shown.ts';
import { SUGGEST_REQUESTS } from './suggest.ts';
import { TEMPLATE_REQUESTS } from './templates.ts';

export const REQUESTS: readonly PeerRequest[] = [
  ...QUERY_REQUESTS,
  ...COMPOUND_REQUESTS,
  ...SHOWN_REQUESTS,
  ...AGGREGATION_REQUESTS,
  ...OVER_TIME_REQUESTS,
  ...QUERY_OPTION_REQUESTS,
  ...QUERY_STRING_REQUESTS,
  ...HIT_OPTION_REQUESTS,
  ...AGGREGATION_OPTION_REQUESTS,
  ...REQUEST_OPTION_REQUESTS,
  ...REFUSED_OPTION_REQUESTS,
  ...SUGGEST_REQUESTS,
  ...TEMPLATE_REQUESTS,
  ...COMPONENT_REQUESTS,
  ...ENDPOINT_REQUESTS,
  // Use the index that the previous requests write to.
  ...COMPLETION_REQUESTS,
];
