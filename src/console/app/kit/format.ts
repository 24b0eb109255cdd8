// Numbers and times as people read them.

const COUNT = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

export function countText(count: number): string {
  return COUNT.format(count);
}

/** "3 hits", "1 hit". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? COUNT.format(value) : SHORT.format(value)} ${UNITS[unit]}`;
}

export function numberText(value: number): string {
  return SHORT.format(value);
}

export function durationText(ms: number): string {
  if (ms < 1) return `${SHORT.format(ms)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${SHORT.format(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Local time to the second. */
export function timeText(time: number | string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
