// Amounts over time as columns. Sizes are attributes of SVG, since the page allows no inline style.
import { countText, plural, timeText } from './format.js';

export interface TimeColumn {
  /** Epoch milliseconds of its begin. */
  readonly at: number;
  /** Amounts that stand on each other, in the order of `series`. */
  readonly values: readonly number[];
}

const HEIGHT = 100;

export function TimeColumns({
  label,
  series,
  columns,
}: {
  readonly label: string;
  readonly series: readonly string[];
  readonly columns: readonly TimeColumn[];
}) {
  const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
  const most = Math.max(1, ...columns.map(({ values }) => sum(values)));
  const [first, last] = [columns[0], columns.at(-1)];
  if (first === undefined || last === undefined) return null;
  const totals = series.map((name, at) => {
    const total = sum(columns.map(({ values }) => values[at] ?? 0));
    return `${countText(total)} ${name}`;
  });
  return (
    <figure class="time-columns">
      <figcaption>
        <strong>{label}</strong> <span>{totals.join(' · ')}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${columns.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${totals.join(', ')} in ${plural(columns.length, 'part')}`}
      >
        {columns.map(({ at, values }, i) => {
          let top = HEIGHT;
          return values.map((value, part) => {
            const height = (HEIGHT * value) / most;
            top -= height;
            return (
              <rect
                key={`${at} ${series[part]}`}
                class={`series-${part + 1}`}
                x={i * 10 + 1}
                y={top}
                width={8}
                height={height}
              >
                <title>{`${timeText(at)}: ${countText(value)} ${series[part]}`}</title>
              </rect>
            );
          });
        })}
      </svg>
      <div class="time-columns-ends quiet">
        <span>{timeText(first.at)}</span>
        <span>{timeText(last.at)}</span>
      </div>
    </figure>
  );
}
