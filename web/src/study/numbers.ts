// How numbers are written.

export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 2).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(digits)));
}

export function signed(value: number | null | undefined): string {
  const text = number(value);
  return value !== null && value !== undefined && value > 0 ? `+${text}` : text;
}

export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return "–";
  const size = share * 100;
  if (size > 0 && size < 0.01) return "< 0.01 %";
  return `${Number(size.toFixed(size < 1 ? 2 : 1))} %`;
}

export function seconds(value: number): string {
  return value < 1 ? `${number(value * 1000, 3)} ms` : `${number(value, 3)} s`;
}

export const COLOURS = [
  "#2f7fd6", "#d9642b", "#2a9d62", "#a35bd0", "#b8901a", "#d04a76", "#1a9cae", "#7d858e",
];

export function colour(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** A time span as people say it: 8.5 s, 3 min 20 s. */
export function duration(value: number): string {
  if (value < 60) return seconds(value);
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}
