// The registry of query clauses, one row for each DSL name. A new clause needs a file in this
// folder and a row below.
import type { PlanWriter } from '../../wire/plan-writer.js';
import type { ClauseEncoder, ClauseInputs, ClauseKind } from '../clause.js';
import { type BoolClause, bool } from './bool.js';
import { type BoostingClause, boosting } from './boosting.js';
import { type CombinedFieldsClause, combinedFields } from './combined-fields.js';
import { type ConstantScoreClause, constantScore } from './constant-score.js';
import { type DisMaxClause, disMax } from './dis-max.js';
import { type DistanceFeatureClause, distanceFeature } from './distance-feature.js';
import { type EachFieldClause, encodeEachField } from './each-field.js';
import { type ExistsClause, exists } from './exists.js';
import { type FunctionScoreClause, functionScore } from './function-score.js';
import { type FuzzyClause, fuzzy } from './fuzzy.js';
import { type GeoBoundingBoxClause, geoBoundingBox } from './geo/bounding-box.js';
import { type GeoDistanceClause, geoDistance } from './geo/distance.js';
import { type GeoPolygonClause, geoPolygon } from './geo/polygon.js';
import { type GroupScoreClause, groupScore } from './group-score.js';
import { type IdsClause, ids } from './ids.js';
import { type KnnClause, knn } from './knn.js';
import { type MatchClause, match } from './match.js';
import { type MatchAllClause, matchAll } from './match-all.js';
import { type MatchBoolPrefixClause, matchBoolPrefix } from './match-bool-prefix.js';
import { type MatchNoneClause, matchNone } from './match-none.js';
import { type MatchPhraseClause, matchPhrase } from './match-phrase.js';
import { type MatchPhrasePrefixClause, matchPhrasePrefix } from './match-phrase-prefix.js';
import { type MultiMatchClause, multiMatch } from './multi-match.js';
import { type NestedClause, nested } from './nested.js';
import { type PrefixClause, prefix } from './prefix.js';
import { type RangeClause, range } from './range.js';
import { type RankFeatureClause, rankFeature } from './rank-feature.js';
import { type RegexpClause, regexp } from './regexp.js';
import { type ScriptClause, script } from './script.js';
import { type ScriptScoreClause, scriptScore } from './script-score.js';
import { type SemanticClause, semantic } from './semantic.js';
import { encodeSlice, type SliceClause } from './slice.js';
import { type TermClause, term } from './term.js';
import { type TermsClause, terms } from './terms.js';
import { type TermsSetClause, termsSet } from './terms-set.js';
import { type WildcardClause, wildcard } from './wildcard.js';
import { encodeWithAnalyzers, type WithAnalyzersClause } from './with-analyzers.js';
import { encodeWithTimeZone, type WithTimeZoneClause } from './with-time-zone.js';

/** The clauses of the DSL. `kind` is also the name of the plan node. */
export type DslClause =
  | BoolClause
  | BoostingClause
  | CombinedFieldsClause
  | ConstantScoreClause
  | DisMaxClause
  | DistanceFeatureClause
  | ExistsClause
  | FunctionScoreClause
  | FuzzyClause
  | GeoBoundingBoxClause
  | GeoDistanceClause
  | GeoPolygonClause
  | GroupScoreClause
  | IdsClause
  | KnnClause
  | MatchAllClause
  | MatchBoolPrefixClause
  | MatchClause
  | MatchNoneClause
  | MatchPhraseClause
  | MatchPhrasePrefixClause
  | MultiMatchClause
  | NestedClause
  | PrefixClause
  | RangeClause
  | RankFeatureClause
  | RegexpClause
  | ScriptClause
  | ScriptScoreClause
  | SemanticClause
  | TermClause
  | TermsClause
  | TermsSetClause
  | WildcardClause;

/** Any clause of a checked query, including those that only the parser produces. */
export type Clause =
  | DslClause
  | EachFieldClause
  | SliceClause
  | WithAnalyzersClause
  | WithTimeZoneClause;

type Kinds = {
  readonly [K in DslClause['kind']]: ClauseKind<Extract<DslClause, { readonly kind: K }>>;
};

export const clauseKinds: Kinds = {
  bool,
  boosting,
  combined_fields: combinedFields,
  constant_score: constantScore,
  dis_max: disMax,
  distance_feature: distanceFeature,
  exists,
  function_score: functionScore,
  fuzzy,
  geo_bounding_box: geoBoundingBox,
  geo_distance: geoDistance,
  geo_polygon: geoPolygon,
  group_score: groupScore,
  ids,
  knn,
  match,
  match_all: matchAll,
  match_bool_prefix: matchBoolPrefix,
  match_none: matchNone,
  match_phrase: matchPhrase,
  match_phrase_prefix: matchPhrasePrefix,
  multi_match: multiMatch,
  nested,
  prefix,
  range,
  rank_feature: rankFeature,
  regexp,
  script,
  script_score: scriptScore,
  semantic,
  term,
  terms,
  terms_set: termsSet,
  wildcard,
};

/** Writes the clause and all clauses inside it. */
export function encodeClause(clause: Clause, writer: PlanWriter, known?: ClauseInputs): void {
  const encoder = clauseEncoder(writer, known);
  if (clause.kind === 'each_field') encodeEachField(clause, encoder);
  else if (clause.kind === 'slice') encodeSlice(clause, encoder);
  else if (clause.kind === 'with_analyzers') encodeWithAnalyzers(clause, encoder);
  else if (clause.kind === 'with_time_zone') encodeWithTimeZone(clause, encoder);
  else (clauseKinds[clause.kind] as ClauseKind<DslClause>).encode(clause, encoder);
}

export function clauseEncoder(writer: PlanWriter, known?: ClauseInputs): ClauseEncoder {
  return { writer, known, child: (child) => encodeClause(child, writer, known) };
}
