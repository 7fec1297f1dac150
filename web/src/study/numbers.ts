// How numbers are written.

export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 2).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(digits)));
}

/** Numbers of one column with equally many decimals: as many as the one that needs most. */
export function column(values: readonly (number | null | undefined)[], digits = 4): string[] {
  const texts = values.map((value) => number(value, digits));
  const decimals = Math.max(0, ...texts.map((text) => (text.includes("e") ? 0 : (text.split(".")[1]?.length ?? 0))));
  return values.map((value, k) => {
    if (texts[k] === "–") return "–";
    const text = value!.toFixed(decimals);
    return Number(text) === 0 ? text.replace("-", "") : text;
  });
}

/** Numbers of one column whose sizes differ much: equally many significant digits. */
export function magnitudes(values: readonly (number | null | undefined)[], digits = 3): string[] {
  return values.map((value) => {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const small = Math.abs(value) < 1e-3;
    return small ? value.toExponential(digits - 1).replace("e+", "e") : value.toPrecision(digits);
  });
}

/** As ``column``, with the signs of positive numbers. */
export function signedColumn(values: readonly number[], digits = 4): string[] {
  return column(values, digits).map((text, k) => (values[k]! > 0 ? `+${text}` : text));
}

/** Shares of one column in percent, with equally many decimals: ``digits``, or as many as one of them needs. */
export function percents(shares: readonly (number | null | undefined)[], digits?: number): string[] {
  const texts = shares.map(percent);
  const needed = texts.map((text) => (text.startsWith("<") ? 2 : (/\.(\d+)/.exec(text)?.[1]!.length ?? 0)));
  const decimals = digits ?? Math.max(0, ...needed);
  return shares.map((share, k) => (/^[<–]/.test(texts[k]!) ? texts[k]! : `${(100 * share!).toFixed(decimals)} %`));
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

/** Of actions: others than those of algorithms, because both stand on one page. */
const ACTION_COLOURS = ["#64748b", "#c2931a", "#b8457a", "#12826f", "#7c5cbf", "#8a5a2b", "#3b82a0", "#94534b"];

export function actionColour(index: number): string {
  return ACTION_COLOURS[index % ACTION_COLOURS.length]!;
}

export function colour(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** A time span as people say it: 8.5 s, 3 min 20 s. */
export function duration(value: number): string {
  if (value < 60) return seconds(value);
  return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}
