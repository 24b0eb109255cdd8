// What a field makes of a text, step by step: character filters, tokenizer, each token filter.
import { useMemo, useState } from 'preact/hooks';
import { fieldsOf, isText } from '../../data/mapping.js';
import { call, path } from '../../kit/api.js';
import { Field, Select } from '../../kit/field.js';
import type { JsonObject } from '../../kit/json.js';
import { useAction } from '../../kit/load.js';
import { ErrorBox } from '../../kit/messages.js';

interface Token {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly position: number;
  readonly type: string;
}
interface Step {
  readonly name: string;
  readonly tokens: readonly Token[];
}
interface Detail {
  readonly charfilters?: readonly {
    readonly name: string;
    readonly filtered_text: readonly string[];
  }[];
  readonly tokenizer?: Step;
  readonly tokenfilters?: readonly Step[];
  /** Instead of the others, for an analyzer that has no parts to show. */
  readonly analyzer?: Step;
}

const ANALYZERS = ['standard', 'english', 'simple', 'whitespace', 'keyword', 'german', 'french'];

export function AnalyzeTab({
  name,
  mappings,
}: {
  readonly name: string;
  readonly mappings: JsonObject;
}) {
  const fields = useMemo(
    () => fieldsOf(mappings).filter((field) => isText(field) || field.type === 'keyword'),
    [mappings],
  );
  const [by, setBy] = useState(
    fields[0] === undefined ? 'analyzer standard' : `field ${fields[0].path}`,
  );
  const [text, setText] = useState("The ferry's captains were sailing");
  const [detail, setDetail] = useState<Detail>();
  const { isRunning, error, run } = useAction(async () => {
    const [kind = '', value = ''] = splitOnce(by);
    setDetail(await explained(name, { [kind]: value, text }));
  });
  const options = [
    ...fields.map((field) => ({ value: `field ${field.path}`, title: `field ${field.path}` })),
    ...ANALYZERS.map((analyzer) => ({
      value: `analyzer ${analyzer}`,
      title: `analyzer ${analyzer}`,
    })),
  ];
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <Select label="As" value={by} options={options} onChange={setBy} />
        <Field label="Text">
          {(id) => (
            <input id={id} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          )}
        </Field>
        <button type="submit" class="primary" disabled={isRunning}>
          Analyze
        </button>
      </form>
      {error !== undefined && <ErrorBox error={error} />}
      {detail !== undefined && <Steps detail={detail} />}
    </>
  );
}

/**
 * The parts of analyzers that the service explains as a whole, because they are built in. They are
 * shown only if they make the same tokens.
 */
const CHAINS: Readonly<Record<string, object>> = {
  standard: { tokenizer: 'standard', filter: ['lowercase'] },
  simple: { tokenizer: 'lowercase' },
  whitespace: { tokenizer: 'whitespace' },
  keyword: { tokenizer: 'keyword' },
  english: {
    tokenizer: 'standard',
    filter: [
      { type: 'stemmer', language: 'possessive_english' },
      'lowercase',
      { type: 'stop', stopwords: '_english_' },
      { type: 'stemmer', language: 'english' },
    ],
  },
};

async function explained(index: string, body: JsonObject): Promise<Detail> {
  const whole = await analyze(index, body);
  const chain = CHAINS[whole.analyzer?.name ?? ''];
  if (whole.analyzer === undefined || chain === undefined) return whole;
  const parts = await analyze(index, { ...chain, text: body['text'] });
  const last = parts.tokenfilters?.at(-1) ?? parts.tokenizer;
  return sameTokens(last?.tokens ?? [], whole.analyzer.tokens) ? parts : whole;
}

async function analyze(index: string, body: object): Promise<Detail> {
  const target = path`/${index}/_analyze`;
  const { detail } = await call<{ readonly detail: Detail }>('POST', target, {
    ...body,
    explain: true,
  });
  return detail;
}

function sameTokens(some: readonly Token[], others: readonly Token[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ token, position }, at) => {
      const other = others[at];
      return token === other?.token && position === other.position;
    })
  );
}

function splitOnce(text: string): readonly string[] {
  const at = text.indexOf(' ');
  return [text.slice(0, at), text.slice(at + 1)];
}

function Steps({ detail }: { readonly detail: Detail }) {
  const { charfilters = [], tokenizer, tokenfilters = [], analyzer } = detail;
  const steps: (readonly [kind: string, step: Step])[] = [
    ...(tokenizer === undefined ? [] : [['Tokenizer', tokenizer] as const]),
    ...tokenfilters.map((step) => ['Token filter', step] as const),
    ...(analyzer === undefined ? [] : [['Analyzer', analyzer] as const]),
  ];
  return (
    <ol class="steps" aria-label="Steps">
      {charfilters.map(({ name, filtered_text }) => (
        <li key={`char ${name}`}>
          <h3>
            Character filter <code>{name}</code>
          </h3>
          <p>{filtered_text.join(' ')}</p>
        </li>
      ))}
      {steps.map(([kind, { name, tokens }], at) => (
        <li key={at}>
          <h3>
            {kind} <code>{name}</code>
          </h3>
          {tokens.length === 0 && <p class="quiet">no token is left</p>}
          <ul class="tokens">
            {tokens.slice(0, 500).map(({ token, position, start_offset, end_offset, type }, i) => (
              <li
                key={i}
                title={`position ${position}, offsets ${start_offset} to ${end_offset}, ${type}`}
              >
                {token}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
