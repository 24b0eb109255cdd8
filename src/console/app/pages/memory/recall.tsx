// A recall with its explanation: the parts of each score as bars, and what was not shown and why.
import { useState } from 'preact/hooks';
import { announce } from '../../kit/announce.js';
import { call, path } from '../../kit/api.js';
import { type BarItem, Bars } from '../../kit/bars.js';
import { Field, Select } from '../../kit/field.js';
import { numberText, plural } from '../../kit/format.js';
import { JsonView } from '../../kit/json-view.js';
import { useAction } from '../../kit/load.js';
import { Badge, Empty, ErrorBox, Notice } from '../../kit/messages.js';
import { MomentField } from '../../kit/moments.js';
import { JsonField, readJsonObject } from './json-field.js';
import { hiddenText, reasonText } from './not-shown.js';
import { MemoryButton } from './timeline.js';
import type { Explanation, RecallAnswer, RecallHit } from './types.js';
import type { ViewProps } from './view-props.js';

const MODES = [
  { value: 'words', title: 'Words' },
  { value: 'semantic', title: 'Meaning' },
  { value: 'hybrid', title: 'Both, in context' },
  { value: 'latest', title: 'The latest' },
] as const;
type Mode = (typeof MODES)[number]['value'];

interface Question {
  readonly query: string;
  readonly mode: Mode;
  readonly k: string;
  readonly ids: string;
  readonly filter: string;
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
}

const NOTHING: Question = {
  query: '',
  mode: 'hybrid',
  k: '10',
  ids: '',
  filter: '',
  asOf: undefined,
  knownAt: undefined,
};

/** Throws an Error that says which input is wrong. */
function bodyOf({ query, mode, k, ids, filter, asOf, knownAt }: Question): object {
  const explainedIds = ids
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const clause = readJsonObject(filter, 'The filter');
  return {
    ...(mode === 'latest' ? {} : { query }),
    ...(mode === 'semantic' ? { semantic: true } : {}),
    ...(mode === 'hybrid' ? { hybrid: true } : {}),
    k: Number(k),
    ...(clause === undefined ? {} : { filter: clause }),
    ...(asOf === undefined ? {} : { as_of: asOf }),
    ...(knownAt === undefined ? {} : { known_at: knownAt }),
    explain: explainedIds.length === 0 ? true : { ids: explainedIds },
  };
}

export function RecallView({ namespace, onOpen }: ViewProps) {
  const [question, setQuestion] = useState(NOTHING);
  const [result, setResult] = useState<{ readonly body: object; readonly answer: RecallAnswer }>();
  const change = (part: Partial<Question>): void => setQuestion({ ...question, ...part });
  const { isRunning, error, run } = useAction(async () => {
    const body = bodyOf(question);
    const answer = await call<RecallAnswer>('POST', path`/_memory/${namespace}/_recall`, body);
    setResult({ body, answer });
    announce(plural(answer.hits.length, 'memory', 'memories'));
  });
  return (
    <>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div class="row">
          <Field label="Question">
            {(id) => (
              <input
                id={id}
                type="search"
                value={question.query}
                onInput={(event) => change({ query: event.currentTarget.value })}
              />
            )}
          </Field>
          <Select
            label="Rank by"
            value={question.mode}
            options={MODES}
            onChange={(mode) => change({ mode })}
          />
          <Field label="Hits">
            {(id) => (
              <input
                id={id}
                type="number"
                min={1}
                max={1000}
                value={question.k}
                onInput={(event) => change({ k: event.currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <details>
          <summary>More: another time, a filter, where a memory went</summary>
          <div class="row">
            <MomentField
              label="What was true at"
              value={question.asOf}
              onChange={(asOf) => change({ asOf })}
            />
            <MomentField
              label="What was known at"
              value={question.knownAt}
              onChange={(knownAt) => change({ knownAt })}
            />
            <Field label="Where did these go?" hint="Ids of memories, with commas">
              {(id, hintId) => (
                <input
                  id={id}
                  aria-describedby={hintId}
                  value={question.ids}
                  onInput={(event) => change({ ids: event.currentTarget.value })}
                />
              )}
            </Field>
          </div>
          <JsonField
            label="Filter (a query clause as JSON)"
            hint='For example {"term": {"metadata.topic": "home"}}'
            value={question.filter}
            onChange={(filter) => change({ filter })}
          />
        </details>
        <div class="actions">
          <button type="submit" class="primary" disabled={isRunning}>
            {isRunning ? 'Recalling …' : 'Recall'}
          </button>
        </div>
      </form>
      {error !== undefined && <ErrorBox error={error} />}
      {result !== undefined && <Result {...result} onOpen={onOpen} />}
    </>
  );
}

function Result({
  body,
  answer: { hits, not_shown, explained = [] },
  onOpen,
}: {
  readonly body: object;
  readonly answer: RecallAnswer;
  readonly onOpen: (id: string) => void;
}) {
  const hidden = hiddenText(not_shown);
  const best = Math.max(0, ...hits.map(({ score }) => score ?? 0));
  return (
    <section aria-label="Recalled memories">
      {hidden !== '' && <Notice>{`Not shown: ${hidden}.`}</Notice>}
      {explained.map(({ id, returned, reason, rank, superseded_by = [] }) => (
        <Notice key={id} kind={returned ? 'good' : 'warning'}>
          <code>{id}</code>: {reasonText(reason)}
          {rank !== undefined && `, rank ${rank}`}
          {superseded_by.length > 0 && ` by ${superseded_by.join(', ')}`}
        </Notice>
      ))}
      {hits.length === 0 ? (
        <Empty title="No memory answers that.">
          <p>Try other words, rank by meaning, or ask for another time.</p>
        </Empty>
      ) : (
        <ol class="recalled">
          {hits.map((hit) => (
            <li key={hit.id} class="panel">
              <MemoryButton entry={hit} onOpen={onOpen} />
              <HitBars hit={hit} best={best} />
            </li>
          ))}
        </ol>
      )}
      <details>
        <summary>The request</summary>
        <JsonView label="The body of the recall" value={body} />
      </details>
    </section>
  );
}

function HitBars({ hit, best }: { readonly hit: RecallHit; readonly best: number }) {
  const { score, explanation } = hit;
  if (explanation === undefined) return null;
  const { matched_terms, context, graph } = explanation;
  return (
    <>
      <Bars
        label={`Parts of the score of ${hit.id}`}
        most={Math.max(best, ...partsOf(explanation).map(({ value }) => Math.abs(value)))}
        items={[
          ...(score === null
            ? []
            : [{ key: 'score', label: <strong>Score</strong>, value: score }]),
          ...partsOf(explanation),
        ]}
      />
      <p class="quiet">
        {matched_terms.map((term) => (
          <Badge key={term}>{term}</Badge>
        ))}
        {context !== undefined && context.speaker !== 1 && (
          <Badge>{`speaker × ${numberText(context.speaker)}`}</Badge>
        )}
        {context?.neighbours.map(({ id, type, share }) => (
          <Badge key={`${id} ${type}`}>{`${type} ${id}: ${numberText(share)}`}</Badge>
        ))}
        {graph !== undefined && (
          <Badge>{`linked to ${graph.seed} over ${plural(graph.hop, 'hop')}`}</Badge>
        )}
      </p>
    </>
  );
}

const PARTS: Readonly<Record<string, string>> = {
  relevance: 'Relevance',
  words: '… words',
  semantic: '… meaning',
  phrase: '… phrases',
  neighbours: 'Neighbours',
  session: 'Its session',
  graph: 'Graph',
  recency: 'Recency',
};

function partsOf({ parts, context }: Explanation): readonly BarItem[] {
  const { relevance = null, ...others } = parts;
  const inner =
    context === undefined
      ? {}
      : { words: context.words, semantic: context.semantic, phrase: context.phrase };
  return Object.entries({ relevance, ...inner, ...others }).flatMap(([key, value]) =>
    typeof value === 'number' ? [{ key, label: PARTS[key] ?? key, value }] : [],
  );
}
