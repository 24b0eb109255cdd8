// Chooses the moment that the graph shows: what was true then, as it was known then; and replays it.
import { useEffect, useId, useState } from 'preact/hooks';
import { timeText } from '../../kit/format.js';

export interface Moments {
  /** Undefined: now. */
  readonly asOf: number | undefined;
  readonly knownAt: number | undefined;
}

interface Props {
  readonly first: number;
  readonly last: number;
  readonly value: Moments;
  readonly onChange: (value: Moments) => void;
}

const STEPS = 200;
const REPLAY_STEPS = 60;
const REPLAY_MS = 120;

export function TimeSliders({ first, last, value, onChange }: Props) {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      const isOver = step > REPLAY_STEPS;
      const at = Math.round(first + ((last - first) * step) / REPLAY_STEPS);
      onChange({ ...value, asOf: isOver ? undefined : at });
      if (isOver) setPlaying(false);
    }, REPLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying, first, last]);
  return (
    <div class="row time-sliders">
      <Slider
        label="What was true at"
        first={first}
        last={last}
        value={value.asOf}
        onChange={(asOf) => onChange({ ...value, asOf })}
      />
      <Slider
        label="What was known at"
        first={first}
        last={last}
        value={value.knownAt}
        onChange={(knownAt) => onChange({ ...value, knownAt })}
      />
      <div class="field">
        <button type="button" aria-pressed={isPlaying} onClick={() => setPlaying(!isPlaying)}>
          {isPlaying ? 'Stop' : 'Replay'}
        </button>
      </div>
    </div>
  );
}

function Slider({
  label,
  first,
  last,
  value,
  onChange,
}: {
  readonly label: string;
  readonly first: number;
  readonly last: number;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}) {
  const id = useId();
  const span = Math.max(1, last - first);
  const at = value === undefined ? STEPS : Math.round((STEPS * (value - first)) / span);
  const text = value === undefined ? 'now' : timeText(value);
  return (
    <div class="field">
      <label for={id}>
        {label}: <output for={id}>{text}</output>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={at}
        aria-valuetext={text}
        onInput={(event) => {
          const step = Number(event.currentTarget.value);
          onChange(step >= STEPS ? undefined : Math.round(first + (span * step) / STEPS));
        }}
      />
    </div>
  );
}
