// How numbers are written.

/** Significant digits of values and probabilities. */
const DIGITS = 5;
/** Significant digits of exploitabilities, regrets and times, of which the size counts. */
const ROUGH = 3;
/** Smaller numbers, and larger ones, are written with an exponent, as on the command line. */
const SMALL = 1e-4;
const LARGE = 1e6;

type Value = number | null | undefined;

const isNumber = (value: Value): value is number => value !== null && value !== undefined && Number.isFinite(value);
const isPlain = (value: number): boolean => value === 0 || (Math.abs(value) >= SMALL && Math.abs(value) < LARGE);

/** A number with so many significant digits, with an exponent or without; whole digits are never cut off. */
function written(value: Value, digits: number, exponent: boolean): string {
  if (!isNumber(value)) return "–";
  if (value === 0) return "0";
  if (exponent) return value.toExponential(digits - 1).replace("e+", "e");
  return Number.isInteger(value) || Math.abs(value) >= 10 ** digits ? count(Math.round(value)) : value.toPrecision(digits);
}

/** Whether a number is written with an exponent: 1e-5, but 0.001. */
const needsExponent = (value: Value, digits: number): boolean => isNumber(value) && !isPlain(Number(value.toPrecision(digits)));

/** A number alone in a sentence: as in a column, without zeros at the end. */
export function number(value: Value, digits = DIGITS): string {
  return written(value, digits, needsExponent(value, digits)).replace(/(\.\d*?)0+(?=e|$)/, "$1").replace(/\.(?=e|$)/, "");
}

/** A number of which the size counts: an exploitability, a regret, a time. */
export const rough = (value: Value): string => number(value, ROUGH);

/** How many of something: 12,345. */
export const count = (value: number): string => value.toLocaleString("en");

/** Numbers of one column with equally many decimals: as many as the one that needs most. Where all are tiny or one is
 * huge, they have equally many significant digits. */
export function column(values: readonly Value[], digits = DIGITS): string[] {
  const known = values.filter(isNumber).filter((value) => value !== 0);
  if (known.some((value) => Math.abs(value) >= LARGE) || (known.length > 0 && !known.some(isPlain))) return magnitudes(values, digits);
  const decimals = Math.max(0, ...known.filter(isPlain).map((value) => number(value, digits).split(".")[1]?.length ?? 0));
  return values.map((value) => {
    if (!isNumber(value)) return "–";
    const text = value.toFixed(decimals);
    return Number(text) === 0 ? text.replace("-", "") : text;
  });
}

/** Numbers of one column whose sizes differ much: equally many significant digits, and exponents for all or none. */
export function magnitudes(values: readonly Value[], digits = ROUGH): string[] {
  const exponent = values.some((value) => needsExponent(value, digits));
  return values.map((value) => written(value, digits, exponent));
}

/** As ``column``, with the signs of positive numbers. */
export function signedColumn(values: readonly number[], digits = DIGITS): string[] {
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
  return value < 1 ? `${rough(value * 1000)} ms` : `${rough(value)} s`;
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
