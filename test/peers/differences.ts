// The known differences, each with its reason: the request by its name, the place in the response,
// and why it is correct. A difference that no longer occurs fails the run against Elasticsearch, so
// that this list stays current.

export interface KnownDifference {
  readonly request: RegExp;
  readonly path: RegExp;
  readonly reason: string;
  /** Elasticsearch does not get the request, or responds as this server does. */
  readonly opensearch?: true;
}

const known = (request: RegExp, path: RegExp, reason: string): KnownDifference => ({
  request,
  path,
  reason,
});

const TYPE = /error\.type$/;

export const KNOWN: readonly KnownDifference[] = [
  {
    ...known(
      /^templates: (searched|explained|inline)$/,
      /json\.status$/,
      'OpenSearch answers its status in the body; Elasticsearch 8 does not',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^templates: read$/,
      /content_type$/,
      'OpenSearch spells the media type as Elasticsearch 7 did',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^components: (tokenizer path_hierarchy|stemmer german$|snowball German$|analyzer (german|persian)$)/,
      /./,
      'Lucene 10 changed positions of paths and the stemmers of german and persian; here is 9.12',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^components: (analyzer|stemmer) greek$/,
      /token$/,
      'The stemmer of greek is Snowball, as docs/analysis.md says',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^components: snowball Porter$/,
      /token$/,
      'Porter has the departures of its author here, as docs/analysis.md says',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^components: (analyzer serbian|stemmer minimal_swedish)$/,
      /./,
      'OpenSearch has no such analyzer and stemmer',
    ),
    opensearch: true,
  },
  {
    ...known(
      /^components: dictionary_decompounder longest$/,
      /./,
      'Lucene 10 leaves out parts of the longest word; 9.12 has them, as here (3,000 compounds)',
    ),
    opensearch: true,
  },
  known(
    /percentiles by histogram|percentile_ranks/,
    /aggregations\.a\.values/,
    'Percentiles are exact while all values are kept; Elasticsearch estimates them',
  ),
  known(
    /terms min_doc_count$/,
    /sum_other_doc_count$/,
    'Terms below min_doc_count are never counted as others; Elasticsearch counts those that a shard has cut off',
  ),
  known(
    /^total as a number$/,
    /terminated_early$/,
    'A count that needs no search does not call itself ended early',
  ),
  known(
    /^nested inner hits/,
    /inner_hits\.from\d+\.hits\.total\.value$/,
    'Inner hits that begin behind the last one have a total; Elasticsearch says that there are none',
  ),
  known(
    /^field_caps$/,
    /fields\._/,
    'Fields of its own that Elasticsearch lists and nobody can ask for here',
  ),
  known(
    /^(refused|searchContexts): (interval of zero|unknown interval|slices of a scroll|unknown zone)$/,
    TYPE,
    'A bad parameter is an illegal_argument_exception; Elasticsearch refuses some while it parses, as x_content_parse_exception',
  ),
  known(
    /^refused while it is parsed: /,
    TYPE,
    'What is wrong with a body is a parsing_exception, a bad value an illegal_argument_exception; Elasticsearch says x_content_parse_exception where its newer parsers read',
  ),
  known(
    /^refused by another type: /,
    TYPE,
    'The contract has two types for what is wrong with a body; Elasticsearch has those of whatever part of it noticed',
  ),
  known(
    /^refused: composite without sources$/,
    TYPE,
    'A body without what it needs is a parsing_exception, as of all aggregations',
  ),
  known(
    /^refused: unknown method$/,
    /error$|error\.|status$/,
    'Every refusal is in the usual envelope; Elasticsearch answers a bare string here',
  ),
  known(
    /^refused: broken JSON$/,
    TYPE,
    'JSON that ends too early is an x_content_parse_exception as any other broken JSON',
  ),
];
