// Search: the same question by one or two ways, with facets, explanations and the request itself.
import { useState } from 'preact/hooks';
import { listIndexes } from '../../data/indexes.js';
import { type Field, mergedFields } from '../../data/mapping.js';
import { announce } from '../../kit/announce.js';
import { call, path, toRequestError } from '../../kit/api.js';
import { isObject, jsonText, parseJson } from '../../kit/json.js';
import { CodeView } from '../../kit/json-view.js';
import { type Loaded, useLoad } from '../../kit/load.js';
import { ErrorBox } from '../../kit/messages.js';
import { replaceParams, route } from '../../kit/router.js';
import { session } from '../../kit/session.js';
import { SampleNotice, SampleOffer } from '../../sample/offer.js';
import { curlOf } from './curl.js';
import { RequestEditor } from './editor.js';
import { Facets } from './facets.js';
import { type FormState, SearchForm } from './form.js';
import { Pane } from './pane.js';
import {
  bodyOf,
  type Example,
  type Filter,
  facetsBody,
  MODES,
  type Mode,
  objectionTo,
  type SearchBody,
  toggled,
} from './request.js';
import type { Outcome, SearchAnswer } from './results.js';
import type { SavedSearch } from './saved.js';
import { SavedList } from './saved-list.js';

const SIZE = 10;

/** What was asked when the user pressed Search; typing on does not change it. */
interface SubmittedSearch extends FormState {
  readonly filters: readonly Filter[];
  readonly example: Example | undefined;
  /** A request that was edited by hand, in the place of the left one. */
  readonly request: string | undefined;
}

export function Content() {
  const [form, setForm] = useState<FormState>(() => formOf(route.value.params));
  const [submitted, setSubmitted] = useState<SubmittedSearch>(() => ({
    ...form,
    filters: [],
    example: undefined,
    request: undefined,
  }));
  const indexes = useLoad((signal) => listIndexes(signal), []);
  const mapping = useLoad((signal) => loadFields(submitted.index, signal), [submitted.index]);
  const fields = mapping.value ?? [];
  const ask = (changed: Partial<SubmittedSearch>): void => {
    const next = { ...submitted, ...form, ...changed };
    setSubmitted(next);
    setForm({ index: next.index, text: next.text, left: next.left, right: next.right });
    replaceParams({
      index: next.index || undefined,
      q: next.text || undefined,
      by: next.left,
      with: next.right === 'none' ? undefined : next.right,
    });
  };
  const open = ({ index, text, filters, left, right, request }: SavedSearch): void =>
    ask({ index, text, filters, left, right, request, example: undefined });
  if (indexes.value?.every(({ isHidden }) => isHidden))
    return <SampleOffer onDone={indexes.reload} />;
  return (
    <>
      <SampleNotice />
      <SearchForm
        state={form}
        indexes={indexes.value ?? []}
        fields={fields}
        example={submitted.example}
        onChange={(changed) => setForm({ ...form, ...changed })}
        onExample={(example) => ask({ example })}
        onSearch={() => ask({ request: undefined })}
      />
      {indexes.error !== undefined && <ErrorBox error={indexes.error} />}
      {mapping.error !== undefined && <ErrorBox error={mapping.error} />}
      {mapping.value !== undefined && <Results submitted={submitted} fields={fields} ask={ask} />}
      <SavedList current={savedOf(submitted)} onOpen={open} />
    </>
  );
}

function formOf(params: URLSearchParams): FormState {
  const mode = (name: string): Mode | undefined =>
    MODES.find(({ value }) => value === params.get(name))?.value;
  return {
    index: params.get('index') ?? '',
    text: params.get('q') ?? '',
    left: mode('by') ?? 'words',
    right: mode('with') ?? 'none',
  };
}

function savedOf({
  index,
  text,
  filters,
  left,
  right,
  request,
}: SubmittedSearch): Omit<SavedSearch, 'name'> {
  return { index, text, filters, left, right, ...(request === undefined ? {} : { request }) };
}

async function loadFields(index: string, signal: AbortSignal): Promise<readonly Field[]> {
  const answer = await call('GET', path`/${index || '*'}/_mapping`, undefined, { signal });
  return mergedFields(answer);
}

function Results({
  submitted,
  fields,
  ask,
}: {
  readonly submitted: SubmittedSearch;
  readonly fields: readonly Field[];
  readonly ask: (changed: Partial<SubmittedSearch>) => void;
}) {
  const target = path`/${submitted.index || '*'}/_search`;
  const left = useSide(target, submitted, submitted.left, fields, submitted.request);
  const right = useSide(target, submitted, submitted.right, fields, undefined);
  const onExample = (example: Example): void => {
    const isVector = [submitted.left, submitted.right].some(
      (mode) => mode === 'vector' || mode === 'hybrid',
    );
    ask({ example, request: undefined, ...(isVector ? {} : { right: 'vector' as const }) });
  };
  const counts = useFacets(target, submitted, fields);
  const common = { target, fields, onExample };
  const isCompared = submitted.right !== 'none';
  return (
    <div class="with-side">
      <aside aria-label="Facets">
        <Facets
          counts={counts.value}
          fields={fields}
          filters={submitted.filters}
          onToggle={(filter) =>
            ask({ filters: toggled(submitted.filters, filter), request: undefined })
          }
        />
      </aside>
      <div>
        <div class={isCompared ? 'columns' : ''}>
          <Pane
            title={submitted.request === undefined ? titleOf(submitted.left) : 'Your request'}
            {...common}
            {...left}
            others={isCompared ? answerOf(right.outcome) : undefined}
          />
          {isCompared && (
            <Pane
              title={titleOf(submitted.right)}
              {...common}
              {...right}
              others={answerOf(left.outcome)}
            />
          )}
        </div>
        <RequestPanel
          key={jsonText(left.body ?? null, 0)}
          target={target}
          body={left.body}
          edited={submitted.request}
          fields={fields}
          onRun={(request) => ask({ request })}
        />
      </div>
    </div>
  );
}

function titleOf(mode: Mode | 'none'): string {
  return MODES.find(({ value }) => value === mode)?.title ?? '';
}

function answerOf(outcome: Outcome | undefined): SearchAnswer | undefined {
  return outcome?.kind === 'answer' ? outcome.answer : undefined;
}

function useFacets(
  target: string,
  submitted: SubmittedSearch,
  fields: readonly Field[],
): Loaded<SearchAnswer | undefined> {
  return useLoad(
    async (signal) => {
      const body = facetsBody(submitted.left, { ...submitted, size: 0 }, fields);
      return body === undefined ? undefined : call<SearchAnswer>('POST', target, body, { signal });
    },
    [target, submitted, fields],
  );
}

interface Side {
  readonly outcome: Outcome | undefined;
  readonly isLoading: boolean;
  readonly body: SearchBody | undefined;
}

/** Runs one side's search whenever the question changes. */
function useSide(
  target: string,
  submitted: SubmittedSearch,
  mode: Mode | 'none',
  fields: readonly Field[],
  request: string | undefined,
): Side {
  const loaded: Loaded<Omit<Side, 'isLoading'>> = useLoad(
    async (signal) => {
      if (mode === 'none') return { outcome: undefined, body: undefined };
      const question = { ...submitted, size: SIZE };
      const objection = request === undefined ? objectionTo(mode, question, fields) : undefined;
      if (objection !== undefined) {
        return { outcome: { kind: 'objection', objection }, body: undefined };
      }
      const body = request === undefined ? bodyOf(mode, question, fields) : readRequest(request);
      return { outcome: await outcomeOf(target, body, signal), body };
    },
    [target, submitted, mode, fields, request],
  );
  const { value, error, isLoading } = loaded;
  if (error !== undefined) return { outcome: { kind: 'error', error }, isLoading, body: undefined };
  return { outcome: value?.outcome, body: value?.body, isLoading: isLoading && mode !== 'none' };
}

async function outcomeOf(target: string, body: SearchBody, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = await call<SearchAnswer>('POST', target, body, { signal });
    announce(`${answer.hits.hits.length} hits are shown`);
    return { kind: 'answer', answer };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'error', error: toRequestError(error) };
  }
}

function readRequest(text: string): SearchBody {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error('A request is a JSON object.');
  return value;
}

/** The request of the left side, as JSON that can be edited and as a command. */
function RequestPanel({
  target,
  body,
  edited,
  fields,
  onRun,
}: {
  readonly target: string;
  readonly body: SearchBody | undefined;
  readonly edited: string | undefined;
  readonly fields: readonly Field[];
  readonly onRun: (request: string | undefined) => void;
}) {
  const [text, setText] = useState(() => edited ?? (body === undefined ? '{}' : jsonText(body)));
  const [objection, setObjection] = useState<string>();
  const run = (): void => {
    try {
      readRequest(text);
      setObjection(undefined);
      onRun(text);
    } catch (error) {
      setObjection(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <details class="panel" open={edited !== undefined}>
      <summary>The request</summary>
      <RequestEditor
        label={`POST ${target}`}
        text={text}
        fields={fields}
        onChange={setText}
        onRun={run}
      />
      {objection !== undefined && (
        <p class="notice wrong" role="alert">
          {`This is not JSON: ${objection}`}
        </p>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={run}>
          Run this request
        </button>
        {edited !== undefined && (
          <button type="button" onClick={() => onRun(undefined)}>
            Back to the form
          </button>
        )}
      </div>
      {body !== undefined && (
        <>
          <h3>As a command</h3>
          <CodeView
            label="The request as a curl command"
            text={curlOf(location.origin, target, body, session.value.key !== undefined)}
          />
        </>
      )}
    </details>
  );
}
