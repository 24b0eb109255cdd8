// Prints a number of bytes with a unit.

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 2 ** (10 * step)).toFixed(1)} ${units[step - 1]}`;
}
