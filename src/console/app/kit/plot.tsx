// A small live plot over time, drawn by uPlot; its latest values are also there as text.
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

export interface PlotSeries {
  readonly label: string;
  /** One value for each of `times`; null where there is none. */
  readonly values: readonly (number | null)[];
}

const HEIGHT = 120;
/** The seconds that a plot shows, until now. */
const SPAN_S = 300;

export function Plot({
  title,
  times,
  series,
  format,
}: {
  readonly title: string;
  /** Milliseconds. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly format: (value: number) => string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const data = [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])];
  const latestData = useRef(data);
  latestData.current = data;
  const labels = series.map(({ label }) => label).join('\n');
  // The plot is built again for other labels alone.
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return;
    const build = (): void => {
      plot.current?.destroy();
      const options = optionsOf(parent, series, format);
      plot.current = new uPlot(options, latestData.current as uPlot.AlignedData, parent);
    };
    build();
    const sizes = new ResizeObserver(() =>
      plot.current?.setSize({ width: parent.clientWidth, height: HEIGHT }),
    );
    sizes.observe(parent);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', build);
    return () => {
      scheme.removeEventListener('change', build);
      sizes.disconnect();
      plot.current?.destroy();
    };
  }, [labels]);
  useEffect(() => plot.current?.setData(data as uPlot.AlignedData));
  const latest = series.map(({ label, values }) => {
    const value = values.at(-1);
    return `${label} ${value === null || value === undefined ? '–' : format(value)}`;
  });
  return (
    <figure class="plot">
      <figcaption>
        <strong>{title}</strong> <span>{latest.join(' · ')}</span>
      </figcaption>
      <div ref={frame} aria-hidden="true" />
    </figure>
  );
}

function optionsOf(
  parent: HTMLElement,
  series: readonly PlotSeries[],
  format: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(parent);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--text-quiet'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: () => [Date.now() / 1000 - SPAN_S, Date.now() / 1000] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, space: 80, size: 28, values: (_, ticks) => ticks.map(clockText) },
      { ...axis, size: 64, space: 24, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label }, at) => ({
        label,
        width: 1.5,
        stroke: color(`--series-${(at % 4) + 1}`),
        points: { show: false },
      })),
    ],
  };
}

function clockText(seconds: number): string {
  return new Date(seconds * 1000).toTimeString().slice(0, 8);
}
