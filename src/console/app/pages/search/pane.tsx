// One side of the page: the hits of one way to search.
import { useRef } from 'preact/hooks';
import type { Field } from '../../data/mapping.js';
import { call } from '../../kit/api.js';
import { countText, durationText } from '../../kit/format.js';
import { Empty, ErrorBox, Progress } from '../../kit/messages.js';
import { HitView } from './hit.js';
import type { Example, SearchBody } from './request.js';
import {
  type Explanation,
  keyOfHit,
  type Outcome,
  placesOf,
  type SearchAnswer,
} from './results.js';

export interface PaneProps {
  readonly title: string;
  readonly outcome: Outcome | undefined;
  readonly isLoading: boolean;
  /** Hits of the other side; undefined if there is none. */
  readonly others: SearchAnswer | undefined;
  readonly target: string;
  readonly body: SearchBody | undefined;
  readonly fields: readonly Field[];
  readonly onExample: (example: Example) => void;
}

export function Pane({ title, outcome, isLoading, ...rest }: PaneProps) {
  return (
    <section class="pane" aria-label={title} aria-busy={isLoading}>
      <h2>{title}</h2>
      {isLoading && <Progress label="Searching" />}
      {outcome?.kind === 'objection' && <Empty title={outcome.objection} />}
      {outcome?.kind === 'error' && <ErrorBox error={outcome.error} />}
      {outcome?.kind === 'answer' && <Hits answer={outcome.answer} {...rest} />}
    </section>
  );
}

function Hits({
  answer,
  others,
  target,
  body,
  fields,
  onExample,
}: Omit<PaneProps, 'title' | 'outcome' | 'isLoading'> & { readonly answer: SearchAnswer }) {
  const explained = useRef<{
    of: SearchBody;
    explanations: Promise<ReadonlyMap<string, Explanation>>;
  }>(undefined);
  const explain = async (hit: Parameters<typeof keyOfHit>[0]): Promise<Explanation | undefined> => {
    if (body === undefined) return undefined;
    if (explained.current?.of !== body) {
      explained.current = { of: body, explanations: explanationsOf(target, body) };
    }
    return (await explained.current.explanations).get(keyOfHit(hit));
  };
  const { total, hits } = answer.hits;
  const otherPlaces = others === undefined ? undefined : placesOf(others.hits.hits);
  return (
    <>
      <p class="quiet" role="status">
        {total !== undefined &&
          `${total.relation === 'gte' ? 'At least ' : ''}${countText(total.value)} found in ${durationText(answer.took)}`}
        {answer.timed_out && ', stopped by its timeout'}
      </p>
      {hits.length === 0 && (
        <Empty title="Nothing was found">
          <p>Take a filter off, use fewer words, or search by meaning.</p>
        </Empty>
      )}
      <ol class="hits">
        {hits.map((hit, at) => (
          <HitView
            key={keyOfHit(hit)}
            hit={hit}
            place={at + 1}
            otherPlace={otherPlaces?.get(keyOfHit(hit))}
            isCompared={otherPlaces !== undefined}
            fields={fields}
            explain={explain}
            onExample={onExample}
          />
        ))}
      </ol>
    </>
  );
}

/** By the key of the hit. Explaining takes longer than searching, so that it is done on request. */
async function explanationsOf(
  target: string,
  body: SearchBody,
): Promise<ReadonlyMap<string, Explanation>> {
  const { aggs, aggregations, highlight, suggest, ...rest } = body;
  const { hits } = await call<SearchAnswer>('POST', target, { ...rest, explain: true });
  return new Map(
    hits.hits.flatMap((hit) =>
      hit._explanation === undefined ? [] : [[keyOfHit(hit), hit._explanation] as const],
    ),
  );
}
