// Values of fields with their numbers, as filters that are set and unset by a click.
import type { Field } from '../../data/mapping.js';
import { countText } from '../../kit/format.js';
import { type Filter, facetFields } from './request.js';
import type { Bucket, SearchAnswer } from './results.js';

export function Facets({
  counts,
  fields,
  filters,
  onToggle,
}: {
  readonly counts: SearchAnswer | undefined;
  readonly fields: readonly Field[];
  readonly filters: readonly Filter[];
  readonly onToggle: (filter: Filter) => void;
}) {
  const facets = facetFields(fields).flatMap(({ path, type }) => {
    const buckets = counts?.aggregations?.[path]?.buckets ?? [];
    return buckets.length === 0 || areTooMany(buckets) ? [] : [{ path, type, buckets }];
  });
  const listed = new Set(
    facets.flatMap(({ path, buckets }) => buckets.map((b) => `${path}\n${b.key}`)),
  );
  const others = filters.filter(({ field, value }) => !listed.has(`${field}\n${keyOf(value)}`));
  return (
    <details class="facets" open={!isNarrow()}>
      <summary>Filters</summary>
      {others.map((filter) => (
        <FacetButton
          key={`${filter.field} ${filter.value}`}
          name={`${filter.field}: ${filter.value}`}
          isSet
          onClick={() => onToggle(filter)}
        />
      ))}
      {facets.map(({ path, type, buckets }) => (
        <div key={path} class="facet">
          <h2>{path}</h2>
          {buckets.map((bucket) => {
            const value = filterValue(bucket, type);
            const isSet = filters.some((one) => one.field === path && one.value === value);
            return (
              <FacetButton
                key={bucket.key}
                name={bucket.key_as_string ?? String(bucket.key)}
                count={bucket.doc_count}
                isSet={isSet}
                onClick={() => onToggle({ field: path, value })}
              />
            );
          })}
        </div>
      ))}
      {facets.length === 0 && (
        <p class="quiet">Fields of type keyword, boolean or ip become filters here.</p>
      )}
    </details>
  );
}

/** On a narrow page the filters stand before the hits, and are closed at first. */
function isNarrow(): boolean {
  return matchMedia('(max-width: 800px)').matches;
}

/** Values that are all different, as those of titles and ids, help nobody to choose. */
function areTooMany(buckets: readonly Bucket[]): boolean {
  return buckets.length > 5 && buckets.every(({ doc_count }) => doc_count === 1);
}

/** Buckets of booleans have 0 and 1 as their keys. */
function filterValue({ key }: Bucket, type: string): Filter['value'] {
  return type === 'boolean' ? Number(key) === 1 : key;
}

function keyOf(value: Filter['value']): string | number {
  return typeof value === 'boolean' ? Number(value) : value;
}

function FacetButton({
  name,
  count,
  isSet,
  onClick,
}: {
  readonly name: string;
  readonly count?: number;
  readonly isSet: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" class="facet-value" aria-pressed={isSet} onClick={onClick}>
      <span>{name === '' ? '(empty)' : name}</span>
      {count !== undefined && <span class="facet-count">{countText(count)}</span>}
    </button>
  );
}
